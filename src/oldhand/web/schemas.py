"""What is sent and answered, as JSON Schema: the shapes that `openapi.json` promises."""

from __future__ import annotations

from typing import Any

from oldhand.confirm.model import LEVELS
from oldhand.confirm.people import MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS
from oldhand.confirm.requests.facts import MAX_TIMEOUT_SECONDS, MIN_TIMEOUT_SECONDS
from oldhand.confirm.requests.states import STATES
from oldhand.web.fields import GREATEST
from oldhand.web.skill_schemas import SKILL_SCHEMAS

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_FREE: Schema = {"type": "object"}
_WHOLE: Schema = {"type": "integer"}
_TRUTH: Schema = {"type": "boolean"}
_ID: Schema = {"type": "string", "pattern": "^[0-9a-hjkmnp-tv-z]{26}$"}
_DIGEST: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_URL: Schema = {"type": "string", "format": "uri"}
_STATUS: Schema = {"type": "string", "enum": list(STATES)}
_RISK: Schema = {"type": "string", "enum": ["low", "medium", "high"]}
_KIND: Schema = {"type": "string", "enum": ["agent", "person", "service"]}
_EDITS: Schema = {
    "type": "array",
    "items": {"type": "object", "properties": {"path": _TEXT}, "required": ["path"]},
}


def _some(most: int) -> Schema:
    """Return the schema of a text that is sent."""
    return {"type": "string", "maxLength": most, "pattern": r"^[^\x00]*$"}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(needed: Schema, **more: Schema) -> Schema:
    """Return the schema of an object of an answer: these fields must be there."""
    return {
        "type": "object",
        "properties": {**needed, **more},
        "required": list(needed),
        "additionalProperties": False,
    }


def _sent(needed: Schema, **more: Schema) -> Schema:
    """Return the schema of an object that is sent: null is as good as left out."""
    return _object(needed, **{name: _or_null(schema) for name, schema in more.items()})


def _times(*names: str) -> Schema:
    made: Schema = {}
    for name in names:
        made[f"{name}_at"] = _or_null({"type": "string", "format": "date-time"})
        made[f"{name}_epoch"] = _or_null({"type": "number"})
    return made


def _list(name: str, schema: str) -> Schema:
    items = {"type": "array", "items": {"$ref": f"#/components/schemas/{schema}"}}
    return _object({"count": _WHOLE, name: items})


_ACTION: Schema = {
    "type": "string",
    "maxLength": 200,
    "pattern": r"^[^\x00]*[^\x00\s][^\x00]*$",
}
_ASKED_RISK: Schema = {"type": "string", "enum": ["low", "medium", "high", ""]}
_SECONDS: Schema = {"type": "integer", "minimum": 1, "maximum": 90 * 86_400}
_USES: Schema = {"type": "integer", "minimum": 1, "maximum": GREATEST}
_KEYS: Schema = {"type": "array", "items": _some(1_000)}
_NAME: Schema = {"type": "string", "pattern": "^[a-z0-9][a-z0-9._@:+-]{0,99}$"}
_REV: Schema = {"type": "integer", "minimum": 1, "maximum": GREATEST}
_RECEIPT: Schema = {
    "id": _ID,
    "action": _TEXT,
    "status": _STATUS,
    "rev": _WHOLE,
    "timeout_seconds": _WHOLE,
    **_times("expires"),
    "digest": _DIGEST,
    "risk": _RISK,
    "rule": _TEXT,
    "why": _TEXT,
    "message": _TEXT,
    "url": _URL,
}
_PROBLEM: Schema = {"type": _TEXT, "title": _TEXT, "detail": _TEXT, "code": _TEXT}
_GRANT: Schema = {
    "id": _ID,
    "action": _TEXT,
    "literal": {},
    "requester": _or_null(_TEXT),
    "session_key": _or_null(_TEXT),
    "uses_left": _or_null(_WHOLE),
    "use_count": _WHOLE,
    **_times("created", "expires", "revoked"),
    "created_by": _TEXT,
    "revoked_by": _or_null(_TEXT),
    "from_request": _or_null(_TEXT),
}
_PRINCIPAL: Schema = {
    "name": _TEXT,
    "kind": _KIND,
    "owner": _or_null(_TEXT),
    "is_disabled": _TRUTH,
}

SENT: dict[str, Schema] = {
    "Draft": _sent(
        {"action": _ACTION, "details": _FREE},
        description=_some(10_000),
        target=_some(1_000),
        session_key=_some(200),
        risk=_ASKED_RISK,
        timeout_seconds={
            "type": "integer",
            "minimum": MIN_TIMEOUT_SECONDS,
            "maximum": 3_600,
            "description": f"up to {MAX_TIMEOUT_SECONDS} where the policy says so",
        },
    ),
    "Approval": _sent(
        {"rev": _REV, "digest": _DIGEST},
        reason=_some(2_000),
        details=_FREE,
        remember=_sent(
            {},
            scope={"type": "string", "enum": ["session", "requester"]},
            seconds=_SECONDS,
            uses=_USES,
            keys=_KEYS,
        ),
    ),
    "Denial": _sent({"rev": _REV, "digest": _DIGEST}, reason=_some(2_000)),
    "Reason": _sent({}, reason=_some(2_000)),
    "Nothing": _sent({}),
    "Presented": _sent({"action": _ACTION, "details": _FREE}, target=_some(1_000)),
    "Result": _sent({"success": _TRUTH}, summary=_some(10_000)),
    "GrantDraft": _sent(
        {"action": _ACTION, "details": _FREE},
        target=_some(1_000),
        requester=_NAME,
        session_key=_some(200),
        seconds=_SECONDS,
        uses=_USES,
        keys=_KEYS,
    ),
    "PolicyDraft": _sent({"text": _TEXT}),
    "Asked": _sent(
        {"action": _ACTION, "details": _FREE},
        target=_some(1_000),
        requester=_some(100),
        session_key=_some(200),
        risk=_ASKED_RISK,
    ),
    "PrincipalDraft": _sent({"name": _NAME, "kind": _KIND}, owner=_NAME),
    "TokenDraft": _sent({}, label=_some(200), seconds=_SECONDS),
    "StopDraft": _sent({"stopped": _TRUTH}),
    "SignIn": _sent(
        {"name": _NAME, "password": {"type": "string", "maxLength": MAX_PASSWORD_CHARS}}
    ),
    "Redeeming": _sent(
        {
            "password": {
                "type": "string",
                "minLength": MIN_PASSWORD_CHARS,
                "maxLength": MAX_PASSWORD_CHARS,
            }
        }
    ),
}
"""What is sent."""

ANSWERED: dict[str, Schema] = {
    "Any": {"type": "object"},
    "Events": {"type": "string", "contentMediaType": "text/event-stream"},
    "Receipt": _object(_RECEIPT),
    "Blocked": _object(
        _RECEIPT
        | _PROBLEM
        | {
            "status": {"type": "integer", "enum": [403]},
            "state": {"type": "string", "enum": ["blocked"]},
        }
    ),
    "Request": _object(
        {
            "id": _ID,
            "status": _STATUS,
            "rev": _WHOLE,
            "action": _TEXT,
            "details": _FREE,
            "description": _TEXT,
            "target": _TEXT,
            "session_key": _TEXT,
            "risk": _RISK,
            "digest": _DIGEST,
            "requester": _TEXT,
            "rule": _TEXT,
            "why": _TEXT,
            "policy_version": _WHOLE,
            "standing_grant": _or_null(_TEXT),
            "level": {"type": "string", "enum": list(LEVELS)},
            "timeout_seconds": _WHOLE,
            "grant_seconds": _WHOLE,
            "reason": _TEXT,
            "decided_by": _or_null(_TEXT),
            "result": _or_null(_FREE),
            **_times("created", "expires", "decided", "consumed", "finished"),
            "message_for_model": _TEXT,
            "url": _URL,
        },
        original_details=_FREE,
        edits=_EDITS,
    ),
    "Requests": _list("requests", "Request"),
    "Used": _object(
        {
            "id": _ID,
            "status": _STATUS,
            "rev": _WHOLE,
            "grant": _TEXT,
            "details": _FREE,
            "edits": _EDITS,
            "message_for_model": _TEXT,
        }
    ),
    "Grant": _object(_GRANT),
    "Grants": _list("grants", "Grant"),
    "Revoked": _object({"id": _TEXT, "status": _TEXT}),
    "Policy": _object(
        {"version": _WHOLE, "digest": _DIGEST, "text": _TEXT, "fault": _TEXT}
    ),
    "PolicyPut": _object({"version": _WHOLE, "digest": _DIGEST}),
    "Verdict": _object(
        {
            "effect": {"type": "string", "enum": ["allow", "ask", "deny", "granted"]},
            "rule": _TEXT,
            "why": _TEXT,
            "risk": _RISK,
            "policy_version": _WHOLE,
        }
    ),
    "AuditRow": _object(
        {
            "seq": _WHOLE,
            "at_us": _WHOLE,
            "at": {"type": "string", "format": "date-time"},
            "epoch": {"type": "number"},
            "kind": _TEXT,
            "request_id": _or_null(_TEXT),
            "principal": _or_null(_TEXT),
            "body": _FREE,
            "hash": _DIGEST,
        }
    ),
    "Audit": _list("entries", "AuditRow"),
    "ChainVerdict": _object(
        {
            "intact": _TRUTH,
            "rows": _WHOLE,
            "checkpoints": _WHOLE,
            "head": _TEXT,
            "fault_seq": _or_null(_WHOLE),
            "fault": _or_null(_TEXT),
        }
    ),
    "Principal": _object(_PRINCIPAL),
    "PrincipalMade": _object(_PRINCIPAL, token=_TEXT, link=_URL),
    "People": _list("people", "Principal"),
    "TokenMade": _object({"name": _TEXT, "token": _TEXT}),
    "LinkMade": _object({"name": _TEXT, "link": _URL}),
    "Credential": _object(
        {
            "id": _WHOLE,
            "name": _TEXT,
            "kind": _TEXT,
            "label": _TEXT,
            **_times("created", "expires"),
        }
    ),
    "Credentials": _list("credentials", "Credential"),
    "CredentialRevoked": _object({"id": _WHOLE, "status": _TEXT}),
    "Switches": _object({"stopped": _TRUTH, "solo": _TRUTH}),
    "Session": _object({"name": _TEXT, "csrf": _DIGEST}),
    "SignedOut": _object({"status": _TEXT}),
    "LinkOwner": _object({"name": _TEXT}),
    "Health": _object(
        {
            "status": {"type": "string", "enum": ["ok", "degraded"]},
            "pending_count": _WHOLE,
            "timestamp": {"type": "string", "format": "date-time"},
            "faults": {"type": "array", "items": _TEXT},
        }
    ),
    "Keys": _object({"keys": {"type": "array", "items": _FREE}}),
    **SKILL_SCHEMAS,
    "Problem": {
        "type": "object",
        "properties": {
            **_PROBLEM,
            "status": _WHOLE,
            "field": _TEXT,
            "why": _TEXT,
            "remaining": _WHOLE,
            "window_seconds": _WHOLE,
            "retry_after_seconds": _WHOLE,
            "id": _TEXT,
        },
        "required": [*_PROBLEM, "status"],
        "additionalProperties": False,
    },
}
"""What is answered."""

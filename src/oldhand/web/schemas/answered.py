"""What is answered, as JSON Schema."""

from __future__ import annotations

from oldhand.confirm.model import LEVELS
from oldhand.confirm.requests.states import STATES
from oldhand.web.schemas.forms import (
    DIGEST,
    FREE,
    ID,
    KIND,
    TEXT,
    TRUTH,
    WHOLE,
    Schema,
    list_of,
    object_of,
    or_null,
)
from oldhand.web.schemas.jobs import JOBS_ANSWERED
from oldhand.web.schemas.skills import SKILL_SCHEMAS

_URL: Schema = {"type": "string", "format": "uri"}
_STATUS: Schema = {"type": "string", "enum": list(STATES)}
_RISK: Schema = {"type": "string", "enum": ["low", "medium", "high"]}
_EDITS: Schema = {
    "type": "array",
    "items": {"type": "object", "properties": {"path": TEXT}, "required": ["path"]},
}


def _times(*names: str) -> Schema:
    made: Schema = {}
    for name in names:
        made[f"{name}_at"] = or_null({"type": "string", "format": "date-time"})
        made[f"{name}_epoch"] = or_null({"type": "number"})
    return made


_RECEIPT: Schema = {
    "id": ID,
    "action": TEXT,
    "status": _STATUS,
    "rev": WHOLE,
    "timeout_seconds": WHOLE,
    **_times("expires"),
    "digest": DIGEST,
    "risk": _RISK,
    "rule": TEXT,
    "why": TEXT,
    "message": TEXT,
    "url": _URL,
}
_PROBLEM: Schema = {"type": TEXT, "title": TEXT, "detail": TEXT, "code": TEXT}
_GRANT: Schema = {
    "id": ID,
    "action": TEXT,
    "literal": {},
    "requester": or_null(TEXT),
    "session_key": or_null(TEXT),
    "uses_left": or_null(WHOLE),
    "use_count": WHOLE,
    **_times("created", "expires", "revoked"),
    "created_by": TEXT,
    "revoked_by": or_null(TEXT),
    "from_request": or_null(TEXT),
}
_PRINCIPAL: Schema = {
    "name": TEXT,
    "kind": KIND,
    "owner": or_null(TEXT),
    "is_disabled": TRUTH,
}

ANSWERED: dict[str, Schema] = {
    "Any": {"type": "object"},
    "Events": {"type": "string", "contentMediaType": "text/event-stream"},
    "Receipt": object_of(_RECEIPT),
    "Blocked": object_of(
        _RECEIPT
        | _PROBLEM
        | {
            "status": {"type": "integer", "enum": [403]},
            "state": {"type": "string", "enum": ["blocked"]},
        }
    ),
    "Request": object_of(
        {
            "id": ID,
            "status": _STATUS,
            "rev": WHOLE,
            "action": TEXT,
            "details": FREE,
            "description": TEXT,
            "target": TEXT,
            "session_key": TEXT,
            "risk": _RISK,
            "digest": DIGEST,
            "requester": TEXT,
            "rule": TEXT,
            "why": TEXT,
            "policy_version": WHOLE,
            "standing_grant": or_null(TEXT),
            "level": {"type": "string", "enum": list(LEVELS)},
            "timeout_seconds": WHOLE,
            "grant_seconds": WHOLE,
            "reason": TEXT,
            "decided_by": or_null(TEXT),
            "result": or_null(FREE),
            **_times("created", "expires", "decided", "consumed", "finished"),
            "message_for_model": TEXT,
            "url": _URL,
        },
        original_details=FREE,
        edits=_EDITS,
    ),
    "Requests": list_of("requests", "Request", next=or_null(ID)),
    "Used": object_of(
        {
            "id": ID,
            "status": _STATUS,
            "rev": WHOLE,
            "grant": TEXT,
            "details": FREE,
            "edits": _EDITS,
            "message_for_model": TEXT,
        }
    ),
    "Grant": object_of(_GRANT),
    "Grants": list_of("grants", "Grant"),
    "Revoked": object_of({"id": TEXT, "status": TEXT}),
    "Policy": object_of(
        {"version": WHOLE, "digest": DIGEST, "text": TEXT, "fault": TEXT}
    ),
    "PolicyPut": object_of({"version": WHOLE, "digest": DIGEST}),
    "Verdict": object_of(
        {
            "effect": {"type": "string", "enum": ["allow", "ask", "deny", "granted"]},
            "rule": TEXT,
            "why": TEXT,
            "risk": _RISK,
            "policy_version": WHOLE,
        }
    ),
    "AuditRow": object_of(
        {
            "seq": WHOLE,
            "at_us": WHOLE,
            "at": {"type": "string", "format": "date-time"},
            "epoch": {"type": "number"},
            "kind": TEXT,
            "request_id": or_null(TEXT),
            "principal": or_null(TEXT),
            "body": FREE,
            "hash": DIGEST,
        }
    ),
    "Audit": list_of("entries", "AuditRow"),
    "ChainVerdict": object_of(
        {
            "intact": TRUTH,
            "rows": WHOLE,
            "checkpoints": WHOLE,
            "head": TEXT,
            "fault_seq": or_null(WHOLE),
            "fault": or_null(TEXT),
        }
    ),
    "Principal": object_of(_PRINCIPAL),
    "PrincipalMade": object_of(_PRINCIPAL, token=TEXT, link=_URL),
    "People": list_of("people", "Principal"),
    "TokenMade": object_of({"name": TEXT, "token": TEXT}),
    "LinkMade": object_of({"name": TEXT, "link": _URL}),
    "Credential": object_of(
        {
            "id": WHOLE,
            "name": TEXT,
            "kind": TEXT,
            "label": TEXT,
            **_times("created", "expires"),
        }
    ),
    "Credentials": list_of("credentials", "Credential"),
    "CredentialRevoked": object_of({"id": WHOLE, "status": TEXT}),
    "Switches": object_of({"stopped": TRUTH, "solo": TRUTH}),
    "Session": object_of({"name": TEXT, "csrf": DIGEST}),
    "SignedOut": object_of({"status": TEXT}),
    "LinkOwner": object_of({"name": TEXT}),
    "Health": object_of(
        {
            "status": {"type": "string", "enum": ["ok", "degraded"]},
            "pending_count": WHOLE,
            "timestamp": {"type": "string", "format": "date-time"},
            "faults": {"type": "array", "items": TEXT},
            "scheduler": {"$ref": "#/components/schemas/Scheduler"},
        }
    ),
    "Keys": object_of({"keys": {"type": "array", "items": FREE}}),
    **SKILL_SCHEMAS,
    **JOBS_ANSWERED,
    "Problem": {
        "type": "object",
        "properties": {
            **_PROBLEM,
            "status": WHOLE,
            "field": TEXT,
            "why": TEXT,
            "remaining": WHOLE,
            "window_seconds": WHOLE,
            "retry_after_seconds": WHOLE,
            "id": TEXT,
        },
        "required": [*_PROBLEM, "status"],
        "additionalProperties": False,
    },
}
"""What is answered."""

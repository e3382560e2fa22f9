"""What is sent, as JSON Schema."""

from __future__ import annotations

from oldhand.confirm.people import MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS
from oldhand.confirm.requests.facts import MAX_TIMEOUT_SECONDS, MIN_TIMEOUT_SECONDS
from oldhand.web.fields import GREATEST
from oldhand.web.schemas.forms import (
    DIGEST,
    FREE,
    KIND,
    TEXT,
    TRUTH,
    Schema,
    object_of,
    or_null,
)


def _some(most: int) -> Schema:
    """Return the schema of a text that is sent."""
    return {"type": "string", "maxLength": most, "pattern": r"^[^\x00]*$"}


def _sent(needed: Schema, **more: Schema) -> Schema:
    """Return the schema of an object that is sent: null is as good as left out."""
    return object_of(needed, **{name: or_null(schema) for name, schema in more.items()})


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

SENT: dict[str, Schema] = {
    "Draft": _sent(
        {"action": _ACTION, "details": FREE},
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
        {"rev": _REV, "digest": DIGEST},
        reason=_some(2_000),
        details=FREE,
        remember=_sent(
            {},
            scope={"type": "string", "enum": ["session", "requester"]},
            seconds=_SECONDS,
            uses=_USES,
            keys=_KEYS,
        ),
    ),
    "Denial": _sent({"rev": _REV, "digest": DIGEST}, reason=_some(2_000)),
    "Reason": _sent({}, reason=_some(2_000)),
    "Nothing": _sent({}),
    "Presented": _sent({"action": _ACTION, "details": FREE}, target=_some(1_000)),
    "Result": _sent({"success": TRUTH}, summary=_some(10_000)),
    "GrantDraft": _sent(
        {"action": _ACTION, "details": FREE},
        target=_some(1_000),
        requester=_NAME,
        session_key=_some(200),
        seconds=_SECONDS,
        uses=_USES,
        keys=_KEYS,
    ),
    "PolicyDraft": _sent({"text": TEXT}),
    "Asked": _sent(
        {"action": _ACTION, "details": FREE},
        target=_some(1_000),
        requester=_some(100),
        session_key=_some(200),
        risk=_ASKED_RISK,
    ),
    "PrincipalDraft": _sent({"name": _NAME, "kind": KIND}, owner=_NAME),
    "TokenDraft": _sent({}, label=_some(200), seconds=_SECONDS),
    "StopDraft": _sent({"stopped": TRUTH}),
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

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
    sent_object,
    text_of,
)
from oldhand.web.schemas.jobs import JOBS_SENT

_ACTION: Schema = {
    "type": "string",
    "maxLength": 200,
    "pattern": r"^[^\x00]*[^\x00\s][^\x00]*$",
}
_ASKED_RISK: Schema = {"type": "string", "enum": ["low", "medium", "high", ""]}
_SECONDS: Schema = {"type": "integer", "minimum": 1, "maximum": 90 * 86_400}
_USES: Schema = {"type": "integer", "minimum": 1, "maximum": GREATEST}
_KEYS: Schema = {"type": "array", "items": text_of(1_000)}
_NAME: Schema = {"type": "string", "pattern": "^[a-z0-9][a-z0-9._@:+-]{0,99}$"}
_REV: Schema = {"type": "integer", "minimum": 1, "maximum": GREATEST}

SENT: dict[str, Schema] = {
    "Draft": sent_object(
        {"action": _ACTION, "details": FREE},
        description=text_of(10_000),
        target=text_of(1_000),
        session_key=text_of(200),
        risk=_ASKED_RISK,
        timeout_seconds={
            "type": "integer",
            "minimum": MIN_TIMEOUT_SECONDS,
            "maximum": 3_600,
            "description": f"up to {MAX_TIMEOUT_SECONDS} where the policy says so",
        },
    ),
    "Approval": sent_object(
        {"rev": _REV, "digest": DIGEST},
        reason=text_of(2_000),
        details=FREE,
        remember=sent_object(
            {},
            scope={"type": "string", "enum": ["session", "requester"]},
            seconds=_SECONDS,
            uses=_USES,
            keys=_KEYS,
        ),
    ),
    "Denial": sent_object({"rev": _REV, "digest": DIGEST}, reason=text_of(2_000)),
    "Reason": sent_object({}, reason=text_of(2_000)),
    "Nothing": sent_object({}),
    "Presented": sent_object(
        {"action": _ACTION, "details": FREE}, target=text_of(1_000)
    ),
    "Result": sent_object({"success": TRUTH}, summary=text_of(10_000)),
    "GrantDraft": sent_object(
        {"action": _ACTION, "details": FREE},
        target=text_of(1_000),
        requester=_NAME,
        session_key=text_of(200),
        seconds=_SECONDS,
        uses=_USES,
        keys=_KEYS,
    ),
    "PolicyDraft": sent_object({"text": TEXT}),
    "Asked": sent_object(
        {"action": _ACTION, "details": FREE},
        target=text_of(1_000),
        requester=text_of(100),
        session_key=text_of(200),
        risk=_ASKED_RISK,
    ),
    "PrincipalDraft": sent_object({"name": _NAME, "kind": KIND}, owner=_NAME),
    "TokenDraft": sent_object({}, label=text_of(200), seconds=_SECONDS),
    **JOBS_SENT,
    "StopDraft": sent_object({"stopped": TRUTH}),
    "SignIn": sent_object(
        {"name": _NAME, "password": {"type": "string", "maxLength": MAX_PASSWORD_CHARS}}
    ),
    "Redeeming": sent_object(
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

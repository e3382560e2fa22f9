"""The daemon's problems as errors of ours."""

from __future__ import annotations

from oldhand.errors import (
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    OldhandError,
    RequestConflict,
    TooMany,
    Unauthenticated,
    Unreachable,
)
from oldhand.integrations.gate.transport import Reply

_MAX_CHARS = 2_000
_DEFAULT_SECONDS = 60
_PLAIN: dict[int, type[OldhandError]] = {
    400: InvalidInput,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: InvalidInput,
    415: InvalidInput,
    422: InvalidInput,
}


def error_of(reply: Reply) -> OldhandError:
    """Return the error that a problem tells of; `Unreachable` where it is none that we know."""
    said = _text(reply, "detail") or _text(reply, "title") or f"HTTP {reply.status}"
    field = _text(reply, "field")
    if field and field not in said:
        said = f"{field}: {said}"
    why = _text(reply, "why")
    if reply.status == 409 and why:  # noqa: PLR2004 - HTTP's own
        return RequestConflict(said, why)
    if reply.status == 429:  # noqa: PLR2004
        return TooMany(
            said,
            window_seconds=_number(reply, "window_seconds"),
            retry_after_seconds=_number(reply, "retry_after_seconds"),
        )
    kind = _PLAIN.get(reply.status, Unreachable)
    return kind(said)


def _text(reply: Reply, key: str) -> str:
    found = reply.value.get(key)
    return found[:_MAX_CHARS] if isinstance(found, str) else ""


def _number(reply: Reply, key: str) -> int:
    found = reply.value.get(key)
    if key == "retry_after_seconds" and not isinstance(found, int):
        header = reply.headers.get("retry-after", "")
        found = int(header) if header.isdecimal() else None
    return found if isinstance(found, int) and found > 0 else _DEFAULT_SECONDS

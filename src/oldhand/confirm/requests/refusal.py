"""Why a statement that had to change a request changed none."""

from __future__ import annotations

from oldhand.confirm.model import PERSON, Principal, Request
from oldhand.confirm.requests.states import USABLE, WHEN_OVERDUE, WHYS
from oldhand.errors import Forbidden, OldhandError, RequestConflict


def why_not_decided(  # noqa: PLR0913 - what the statement looked at
    request: Request,
    *,
    by: Principal,
    rev: int,
    digest: str,
    is_solo: bool,
    now_us: int,
    is_stopped: bool,
) -> OldhandError:
    """Name what kept a decision from being written."""
    forbidden = _why_forbidden(request, by, is_solo=is_solo)
    if forbidden:
        return Forbidden(forbidden)
    if request.state != "pending":
        return _conflict(_word_for(request, now_us, otherwise="already_decided"))
    if request.expires_at_us <= now_us:
        return _conflict("expired")
    if (request.rev, request.digest) != (rev, digest):
        return _conflict("stale")
    return _conflict("stopped" if is_stopped else "already_decided")


def why_not_consumed(
    request: Request, *, digest: str, now_us: int, is_stopped: bool
) -> OldhandError:
    """Name what kept a grant from being used."""
    if request.state not in USABLE:
        return _conflict(_word_for(request, now_us, otherwise="already_consumed"))
    if request.expires_at_us <= now_us:
        return _conflict("lapsed")
    if request.digest != digest:
        return _conflict("details_mismatch")
    return _conflict("stopped" if is_stopped else "already_consumed")


def why_not_ended(request: Request, *, now_us: int) -> OldhandError:
    """Name what kept a request from being cancelled or revoked."""
    return _conflict(_word_for(request, now_us, otherwise="already_decided"))


def _why_forbidden(request: Request, by: Principal, *, is_solo: bool) -> str | None:
    if by.kind != PERSON or by.is_disabled:
        return f"{by.name} is of kind {by.kind}: only people decide"
    if request.requester_id == by.id:
        return "nobody decides what they ask themselves"
    if request.owner_id == by.id and not is_solo:
        return (
            f"{request.requester} works for {by.name}: somebody else must decide, unless "
            "solo mode is on"
        )
    return None


def _word_for(request: Request, now_us: int, *, otherwise: str) -> str:
    if request.state in WHYS:
        return request.state
    is_overdue = request.state in WHEN_OVERDUE and request.expires_at_us <= now_us
    if is_overdue and request.state != "consumed":
        return WHEN_OVERDUE[request.state]
    return "not_approved" if request.state == "pending" else otherwise


def _conflict(why: str) -> RequestConflict:
    return RequestConflict(f"{WHYS[why]}", why)

"""What a person may do about a request, said before they try.

The statement that writes a decision asks the same again; here it is for the page, which
shows no button that cannot work, and says why.
"""

from __future__ import annotations

from oldhand.confirm.model import Principal, Request
from oldhand.confirm.requests.refusal import why_not_decided
from oldhand.confirm.requests.states import USABLE, WHEN_OVERDUE
from oldhand.web.pages.frame import Frame


def why_not(request: Request, by: Principal, frame: Frame) -> str:
    """Say why somebody may not decide a request; "" where they may.

    The stop switch is left out: it keeps nobody from denying.
    """
    is_open = request.state == "pending" and request.expires_at_us > frame.now_us
    is_theirs = request.requester_id != by.id
    is_free = frame.is_solo or request.owner_id != by.id
    if is_open and is_theirs and is_free:
        return ""
    return str(
        why_not_decided(
            request, by=by, rev=request.rev, digest=request.digest,
            is_solo=frame.is_solo, now_us=frame.now_us, is_stopped=frame.is_stopped,
        )
    )  # fmt: skip


def may_revoke(request: Request, frame: Frame) -> bool:
    """Say whether an approval can still be taken back."""
    return request.state in USABLE and request.expires_at_us > frame.now_us


def state_now(request: Request, frame: Frame) -> str:
    """Return the state, as it is by the time: what is overdue is not open any more."""
    if request.expires_at_us > frame.now_us:
        return request.state
    return WHEN_OVERDUE.get(request.state, request.state)

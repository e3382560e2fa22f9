"""What stands around every page: who is signed in, the switches, how many requests wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from oldhand.confirm.model import PERSON, Principal
from oldhand.confirm.people import WebSession
from oldhand.confirm.principals import list_principals
from oldhand.confirm.requests.read import pending_count
from oldhand.confirm.switches import is_solo, is_stopped
from oldhand.errors import Unauthenticated
from oldhand.store import Store
from oldhand.web.desk import Desk

T = TypeVar("T")

SAID = {
    "approved": "Approved. The agent may do it once.",
    "denied": "Denied. The agent has been told.",
    "revoked": "Taken back. The agent can no longer do it.",
    "stopped": "The stop switch is on: nothing is approved and nothing approved is used.",
    "resumed": "The stop switch is off.",
    "solo-off": "Solo mode is off: somebody else decides what your agents ask.",
    "grant-added": "The standing grant holds from now on.",
    "grant-revoked": "The standing grant is revoked.",
    "disabled": "Disabled. All its tokens and sessions have ended.",
    "credential-revoked": "It has ended.",
    "job-added": "The job fires from now on.",
    "job-changed": "The job is changed.",
    "job-paused": "The job is paused.",
    "job-resumed": "The job fires again.",
    "job-triggered": "The run starts as soon as there is room.",
    "job-removed": "The job fires no more.",
    "run-cancelled": "The run is told to end.",
}
"""What a page says after what was done on the one before, by the word in its address."""


class Frame(NamedTuple):
    """What a page shows beside what it is about.

    Attributes:
        csrf: What each form sends along.
        now_us: When the page was made, in microseconds since 1970-01-01 UTC.
        here: The path, for the navigation and for coming back.
        said: A sentence about what was done just now, or "".
        faults: What the daemon cannot do, in sentences.
    """

    me: Principal
    csrf: str
    is_stopped: bool
    is_solo: bool
    pending: int
    now_us: int
    here: str
    said: str
    faults: tuple[str, ...]
    people: int


async def framed(desk: Desk, request: Request, part: Callable[[Store, Frame], T]) -> T:
    """Read what a page shows and make it, for whoever is signed in.

    Both happen in a thread: to lay out what an agent sent may take long, and others wait
    for the event loop.

    Raises:
        Unauthenticated: Nobody is.
    """
    session = await desk.session_of(request)
    if session is None:
        raise Unauthenticated("sign in first")
    signed_in = session

    return await desk.read(
        lambda store: part(store, _frame(desk, store, request, signed_in))
    )


def back_to(path: str, *, said: str = "") -> Response:
    """Send the browser on with a GET, after what it sent was done."""
    address = f"{path}?said={quote(said)}" if said else path
    return RedirectResponse(address, status_code=303)


def _frame(desk: Desk, store: Store, request: Request, session: WebSession) -> Frame:
    now_us = desk.clock()
    faults = [desk.policy_fault] if desk.policy_fault else []
    return Frame(
        me=session.principal,
        csrf=session.csrf,
        is_stopped=is_stopped(store),
        is_solo=is_solo(store),
        pending=pending_count(store, now_us=now_us),
        now_us=now_us,
        here=request.url.path,
        said=SAID.get(request.query_params.get("said", ""), ""),
        faults=(*faults, *desk.faults.values()),
        people=sum(
            each.kind == PERSON and not each.is_disabled
            for each in list_principals(store)
        ),
    )

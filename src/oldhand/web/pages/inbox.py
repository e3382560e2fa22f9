"""What waits for a person, with the like of it together, and what was decided lately."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from oldhand.canonical_json import canonical_json
from oldhand.confirm.model import Request as HeldRequest
from oldhand.confirm.principals import list_principals
from oldhand.confirm.requests.listed import requests_by_page
from oldhand.confirm.requests.states import STATES
from oldhand.store import Store
from oldhand.web.desk import Desk
from oldhand.web.pages.facts import Fact, short_facts_of
from oldhand.web.pages.frame import Frame, framed
from oldhand.web.pages.look import page
from oldhand.web.pages.may_decide import state_now, why_not
from oldhand.web.routes import Page

MOST_WAITING = 500
_MOST_DECIDED = 15
_MOST_BYTES = 4_000_000


class Group(NamedTuple):
    """Requests of one requester that ask for just the same.

    Attributes:
        first: The oldest of them, which ends first.
        members: All, the oldest first.
        facts: All of the details; None where they are too long for a list.
        owner: Of the requester, by name; "" where it has none.
        why_not: Why the reader may not decide it; "" where they may.
    """

    first: HeldRequest
    members: tuple[HeldRequest, ...]
    facts: list[Fact] | None
    owner: str
    why_not: str


async def start(_desk: Desk, _request: Request) -> Response:
    """Lead to the inbox."""
    return RedirectResponse("/inbox", status_code=303)


async def inbox(desk: Desk, request: Request) -> Response:
    """Show what waits."""
    return await framed(desk, request, _inbox)


def same_as(request: HeldRequest) -> str:
    """Name what is asked, by whom: equal for requests that one can decide together."""
    return canonical_json(
        [request.requester, request.action, request.target, request.details]
    )


def _inbox(store: Store, frame: Frame) -> Response:
    by = frame.me
    waiting = requests_by_page(
        store, by=by, states=("pending",), limit=MOST_WAITING, most_bytes=_MOST_BYTES
    ).requests
    done = tuple(state for state in STATES if state != "pending")
    decided = requests_by_page(
        store, by=by, states=done, limit=_MOST_DECIDED, most_bytes=_MOST_BYTES
    ).requests
    names = {each.id: each.name for each in list_principals(store)}
    is_open = [each for each in waiting if state_now(each, frame) == "pending"]
    return page(
        "inbox.html",
        frame=frame,
        groups=_groups(is_open, frame, names),
        decided=[(each, state_now(each, frame)) for each in decided],
        waiting=len(waiting),
    )


def _groups(
    waiting: Sequence[HeldRequest], frame: Frame, names: dict[int, str]
) -> list[Group]:
    together: dict[str, list[HeldRequest]] = {}
    for request in waiting:
        together.setdefault(same_as(request), []).append(request)
    return [_group(members, frame, names) for members in together.values()]


def _group(members: list[HeldRequest], frame: Frame, names: dict[int, str]) -> Group:
    first = min(members, key=lambda each: each.expires_at_us)
    reasons = [why_not(each, frame.me, frame) for each in members]
    return Group(
        first=first,
        members=tuple(members),
        facts=short_facts_of(first.details),
        owner=names.get(first.owner_id or 0, ""),
        why_not=next(filter(None, reasons), ""),
    )


PAGES = (Page("GET", "/", start), Page("GET", "/inbox", inbox))

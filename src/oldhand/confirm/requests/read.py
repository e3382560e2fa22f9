"""Find requests: an agent sees its own and learns of no other, people see all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.confirm.model import PERSON, Principal, Request
from oldhand.confirm.requests.states import FINAL
from oldhand.confirm.rows import request_of
from oldhand.errors import NotFound
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
_END_OF_TIME = 1 << 62


def find_request(store: Store, request_id: str, *, by: Principal) -> Request:
    """Return a request.

    Raises:
        NotFound: There is none of that id, or it is not the caller's to see.
    """
    row = store.query_one(_SQL["find_request"], (request_id,))
    found = request_of(row) if row else None
    if found is None or (by.kind != PERSON and found.requester_id != by.id):
        raise NotFound("there is no request of that id")
    return found


class StateOf(NamedTuple):
    """What a request is now, for those who follow the log."""

    status: str
    rev: int
    requester_id: int


def state_of(store: Store, request_id: str) -> StateOf:
    """Return what a request is now, whosever it is.

    Raises:
        NotFound: There is none of that id.
    """
    row = store.query_one(_SQL["state_of"], (request_id,))
    if row is None:
        raise NotFound("there is no request of that id")
    return StateOf(*row)


def list_requests(
    store: Store,
    *,
    by: Principal,
    states: Sequence[str] = (),
    limit: int = 100,
    before_us: int = _END_OF_TIME,
) -> list[Request]:
    """Return requests that the caller may see.

    Args:
        store: Where the requests are.
        by: Who does it.
        states: Only these; empty: all. Where none of them is final, the oldest come first,
            else the newest.
        limit: At most so many.
        before_us: Only those that were asked before; for the newest first.
    """
    is_open = bool(states) and FINAL.isdisjoint(states)
    values = {
        "requester_id": None if by.kind == PERSON else by.id,
        "states": f",{','.join(states)}," if states else "",
        "limit": limit,
    }
    if is_open:
        return [
            request_of(row) for row in store.query_all(_SQL["open_requests"], values)
        ]
    rows = store.query_all(_SQL["newest_requests"], values | {"before_us": before_us})
    return [request_of(row) for row in rows]


def pending_count(store: Store, *, now_us: int) -> int:
    """Return how many requests wait for a person."""
    row = store.query_one(_SQL["pending_count"], (now_us,))
    return int(row[0]) if row else 0


def is_held(store: Store, session_key: str, *, clock: Clock = system_clock) -> bool:
    """Say whether a session waits for a person: one of its requests is not decided."""
    row = {"session_key": session_key, "now_us": clock()}
    return store.query_one(_SQL["is_held"], row) is not None

"""Requests by the page: so many, and no more than so many bytes of them at once.

A request may hold a megabyte, and five hundred may be asked for. So their sizes are looked
at first, which reads no details, and only those that fit are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from oldhand.confirm.model import PERSON, Principal, Request
from oldhand.confirm.requests.facts import BadField
from oldhand.confirm.requests.read import find_request
from oldhand.confirm.requests.states import FINAL
from oldhand.errors import NotFound
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")


class Listed(NamedTuple):
    """A page of requests.

    Attributes:
        requests: At least one, where there is any.
        has_more: More would come after them.
    """

    requests: list[Request]
    has_more: bool


def requests_by_page(
    store: Store,
    *,
    by: Principal,
    states: Sequence[str] = (),
    limit: int,
    most_bytes: int,
    after: str | None = None,
) -> Listed:
    """Return requests that the caller may see, as `read.list_requests` orders them.

    Args:
        store: Where the requests are.
        by: Who does it.
        states: Only these; empty: all.
        limit: At most so many.
        most_bytes: Of their texts, as stored; the first is returned whatever its size.
        after: The id of the last request of the page before.

    Raises:
        BadField: `after` is the id of no request that the caller may see.
    """
    if after is not None:
        try:
            find_request(store, after, by=by)
        except NotFound as fault:
            raise BadField("after is the id of no request", "after") from fault
    is_open = bool(states) and FINAL.isdisjoint(states)
    sizes = store.query_all(
        _SQL["open_sizes" if is_open else "newest_sizes"],
        {
            "requester_id": None if by.kind == PERSON else by.id,
            "states": f",{','.join(states)}," if states else "",
            "after": after,
            "limit": limit + 1,
        },
    )
    ids = _fitting(sizes[:limit], most_bytes)
    found = [find_request(store, each, by=by) for each in ids]
    return Listed(found, has_more=len(ids) < len(sizes))


def _fitting(sizes: Sequence[tuple[str, int]], most_bytes: int) -> list[str]:
    ids: list[str] = []
    for request_id, size in sizes:
        most_bytes -= size
        if ids and most_bytes < 0:
            break
        ids.append(request_id)
    return ids

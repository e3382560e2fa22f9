"""What is asked all the time is found by an index, however much was ever asked."""

from __future__ import annotations

import pytest

from oldhand.confirm.requests.read import list_requests, pending_count
from oldhand.confirm.requests.states import FINAL, WHEN_OVERDUE
from oldhand.store import Queries, Query, Store

from .office import Office

_SQL = Queries("oldhand.confirm")
_OPEN = {"requester_id": None, "states": ",pending,", "limit": 10}
ASKED = [
    ("pending_of", {"requester_id": 1}),
    ("pending_count", {"now_us": 1}),
    ("overdue", {"now_us": 1, "limit": 10}),
    ("open_requests", _OPEN),
    ("open_sizes", _OPEN | {"after": None}),
]


@pytest.mark.parametrize(("name", "values"), ASKED)
def test_what_is_open_is_found_by_its_index(
    store: Store, name: str, values: dict[str, object]
) -> None:
    explain = Query("explain", f"EXPLAIN QUERY PLAN {_SQL[name].sqlite}", "")

    plan = [row[3] for row in store.query_all(explain, values)]

    assert any("USING INDEX requests_open" in step for step in plan), plan


def test_what_has_no_end_is_what_is_open(office: Office) -> None:
    shown = [office.ask() for _ in range(5)]
    office.deny(shown[0])
    office.consume(office.approve(shown[1]))
    office.approve(shown[2])
    office.pass_time(3)

    found = list_requests(office.store, by=office.ann, states=list(WHEN_OVERDUE))
    ended = list_requests(office.store, by=office.ann, states=list(FINAL))

    assert [each.id for each in found] == [each.id for each in shown[1:]]
    assert [each.id for each in ended] == [shown[0].id]
    assert pending_count(office.store, now_us=office.clock()) == 2

"""Whoever races for a request, over threads and processes: one outcome, one use."""

from __future__ import annotations

import multiprocessing
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from oldhand.confirm.audit.verify import verify_chain
from oldhand.confirm.requests.states import BEGINNINGS, FINAL, TRANSITIONS, WHEN_OVERDUE
from oldhand.store import Query, Store, open_database

from .office import Office
from .racers import Racers, Told

SPAWN = multiprocessing.get_context("spawn")
REQUESTS = Query(
    "requests", *["SELECT id, state, rev, consumed_at_us FROM requests"] * 2
)
LOG = Query(
    "log",
    *["SELECT request_id, kind FROM audit WHERE request_id IS NOT NULL ORDER BY seq"]
    * 2,
)


def run_races(url: str, *, races: int) -> dict[str, list[Told]]:
    """Race; return what was told of each request."""
    store = open_database(url)
    Office(store)
    store.close()
    told: dict[str, list[Told]] = defaultdict(list)
    for each in Racers(SPAWN, url, races=races).finish():
        told[each.request_id].append(each)
    assert len(told) == races
    return told


def check(store: Store, told: dict[str, list[Told]]) -> Counter[str]:
    """Hold table, log and answers against each other; return how often each state came."""
    states: dict[str, list[str]] = defaultdict(list)
    for request_id, kind in store.query_all(LOG):
        states[request_id].append("pending" if kind == "asked" else kind)
    rows = store.query_all(REQUESTS)
    assert {row[0] for row in rows} == states.keys() == told.keys()
    for request_id, state, rev, consumed_at_us in rows:
        went = states[request_id]
        assert went[0] in BEGINNINGS
        assert all(b in TRANSITIONS[a] for a, b in pairwise(went))
        assert (went[-1], len(went)) == (state, rev)
        assert [each for each in went if each in FINAL] == [state]
        assert went.count("consumed") == (consumed_at_us is not None)
        # Each step was told to just one racer.
        ended = set(WHEN_OVERDUE.values())
        assert sorted(
            each._replace(state="ended", rev=0) if each.state in ended else each
            for each in (Told(request_id, s, n) for n, s in enumerate(went, start=1))
        ) == sorted(told[request_id])
    assert verify_chain(store).is_intact
    return Counter(each for went in states.values() for each in went)


def test_a_race_for_a_request_has_one_outcome(tmp_path: Path) -> None:
    url = str(tmp_path / "oldhand.db")

    told = run_races(url, races=60)

    store = open_database(url)
    counts = check(store, told)
    store.close()
    assert counts["consumed"] > 3


@pytest.mark.postgres
def test_a_race_for_a_request_in_postgres_has_one_outcome(postgres_url: str) -> None:
    told = run_races(postgres_url, races=15)

    store = open_database(postgres_url)
    check(store, told)
    store.close()


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_ten_thousand_races_have_one_outcome_each(tmp_path: Path) -> None:
    url = str(tmp_path / "oldhand.db")

    told = run_races(url, races=10_000)

    store = open_database(url)
    counts = check(store, told)
    store.close()
    assert counts["consumed"] > 500


@pytest.mark.soak
@pytest.mark.postgres
@pytest.mark.timeout(1800)
def test_two_thousand_races_in_postgres_have_one_outcome_each(
    postgres_url: str,
) -> None:
    told = run_races(postgres_url, races=2_000)

    store = open_database(postgres_url)
    check(store, told)
    store.close()

"""What is counted of a session for the pool, kept, and counted anew when it no longer holds."""

from __future__ import annotations

import pytest

from oldhand.experience import counts
from oldhand.experience.pool import LoadedPool, Scope, load_pool
from oldhand.store import Query, Store

from .conftest import FAILED, Teach, bash


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def statement(sql: str) -> Query:
    return Query("statement", sql, sql)


def kept(store: Store) -> LoadedPool:
    return load_pool(store, Scope(), keeps_counts=True)


def counted_anew(store: Store) -> LoadedPool:
    store.execute(statement("DELETE FROM pool_counts"))
    return load_pool(store, Scope())


def rows(store: Store) -> int:
    row = store.query_one(statement("SELECT count(*) FROM pool_counts"))
    return int(row[0]) if row else 0


def teach_some(teach: Teach) -> None:
    teach("s1", bash("git status"), bash("make"), bash("make"), task="Fix 修复lint")
    teach("s2", bash("grep a b", ""), bash("mkae", "command not found", FAILED), day=1)


def test_what_is_kept_says_what_counting_says(store: Store, teach: Teach) -> None:
    teach_some(teach)
    first = kept(store)

    assert rows(store) == 2
    assert kept(store) == first == counted_anew(store)


def test_nothing_is_kept_by_who_only_reads(store: Store, teach: Teach) -> None:
    teach_some(teach)

    load_pool(store, Scope())

    assert rows(store) == 0


CHANGES = {
    "an outcome": "UPDATE tool_calls SET outcome = 'error' WHERE outcome = 'ok'",
    "a call taken back": "UPDATE tool_calls SET active = 0 WHERE outcome = 'ok'",
    "a price": "UPDATE tool_calls SET example_tokens = example_tokens + 5",
    "a shape": "UPDATE tool_calls SET shape_id = (SELECT min(id) FROM shapes)",
    "a task": "UPDATE sessions SET task = 'Write the docs'",
    "no task": "UPDATE sessions SET task = NULL",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_that_no_count_shows_is_seen(
    store: Store, teach: Teach, change: str
) -> None:
    teach_some(teach)
    before = kept(store)

    store.execute(statement(change))

    now = kept(store)
    assert now != before
    assert now == counted_anew(store)


def test_a_session_that_went_on_is_counted_anew(store: Store, teach: Teach) -> None:
    teach("s1", bash("git status"))
    kept(store)
    teach("s1", bash("git status"), bash("make"))

    assert sum(kept(store).pool.sessions[0].counts.values()) == 2


def test_another_way_of_counting_counts_anew(
    store: Store, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach_some(teach)
    kept(store)
    store.execute(statement("UPDATE pool_counts SET words = 'stale'"))
    monkeypatch.setattr(counts, "VERSION", counts.VERSION + 1)

    assert "stale" not in kept(store).pool.sessions[0].words


def test_what_was_counted_goes_with_the_session(store: Store, teach: Teach) -> None:
    teach_some(teach)
    kept(store)

    for table in ("search_pending", "tool_calls", "messages", "sessions"):
        store.execute(statement(f"DELETE FROM {table}"))  # noqa: S608 - names from above

    assert rows(store) == 0

"""Upkeep over each engine: what is erased and pruned is gone, and the rest is sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand.app import upkeep
from oldhand.errors import InvalidInput
from oldhand.sessions.keep.erase import plan_erase
from oldhand.sessions.keep.retention import PruneWish
from oldhand.sessions.keep.selection import Selection
from oldhand.sessions.live.recorder import Recorder
from oldhand.sessions.model import Message
from oldhand.sessions.read import recent_sessions
from oldhand.store import Store, open_database
from oldhand.store.maintenance import back_up, database_info


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine, with three sessions."""
    for uid in ("a", "b", "c"):
        message = Message(role="user", content=f"{uid} says this " * 100, at_us=1)
        Recorder(any_store, uid=uid, source="test").append([message])
    return any_store


def left(store: Store) -> list[str]:
    return sorted(session.uid for session in recent_sessions(store))


def test_what_is_erased_pruned_and_compressed_leaves_the_rest_sound(
    store: Store,
) -> None:
    erased = upkeep.erase(store, plan_erase(store, Selection(uids=("a",))))
    wish = PruneWish(Selection(uids=("b",)))
    upkeep.prune(store, upkeep.plan_prune(store, wish))
    shrunk = upkeep.compact(store)

    assert erased.left_in is None
    assert left(store) == ["c"]
    assert shrunk.texts.messages == 1
    assert upkeep.check(store) == []


def test_an_erase_of_nothing_does_nothing(store: Store) -> None:
    plan = plan_erase(store, Selection(principal="nobody"))

    assert upkeep.erase(store, plan).templates == []
    assert left(store) == ["a", "b", "c"]


def test_info_names_the_engine_and_counts_rows(store: Store) -> None:
    info = database_info(store)

    assert info.engine in {"SQLite", "PostgreSQL"}
    assert {table.name: table.rows for table in info.tables}["sessions"] == 3
    assert info.size_bytes > 0


@pytest.mark.postgres
def test_postgresql_is_backed_up_by_its_own_program(
    postgres_url: str, tmp_path: Path
) -> None:
    store = open_database(postgres_url)

    with pytest.raises(InvalidInput, match="pg_dump"):
        back_up(store, tmp_path / "copy.db")
    store.close()

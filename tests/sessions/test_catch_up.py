"""What appends and imports leave for later is done without reading all there is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oldhand.app.imports import import_sessions
from oldhand.clock import system_clock
from oldhand.sessions.catch_up import catch_up
from oldhand.sessions.live.recorder import Recorder
from oldhand.sessions.model import Message
from oldhand.sessions.search.index import count_pending, index_pending
from oldhand.store import Query, Store

LONG = "a line of the log\n" * 200
HOUR_US = 3_600_000_000
NOW_US = 1_000 * 24 * HOUR_US
INLINE = Query(
    "inline",
    "SELECT count(*) FROM messages WHERE blob_id IS NULL",
    "SELECT count(*) FROM messages WHERE blob_id IS NULL",
)


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def record(store: Store, uid: str, *, hours_ago: int) -> None:
    message = Message(role="user", content=LONG, at_us=NOW_US - hours_ago * HOUR_US)
    Recorder(store, uid=uid, source="test").append([message])


def inline(store: Store) -> int:
    return int(store.query_all(INLINE)[0][0])


def test_what_changed_is_compressed_and_indexed(store: Store) -> None:
    record(store, "old", hours_ago=300)
    record(store, "older", hours_ago=3_000)

    indexed = catch_up(store, clock=lambda: NOW_US)

    assert (indexed, inline(store), count_pending(store)) == (2, 0, 0)


def test_a_turn_that_was_open_is_compressed_once_it_was_silent(store: Store) -> None:
    record(store, "s1", hours_ago=0)

    catch_up(store, clock=lambda: NOW_US)
    while_open = inline(store)
    catch_up(store, clock=lambda: NOW_US + 2 * HOUR_US)

    assert (while_open, inline(store)) == (1, 0)


def test_a_session_left_alone_is_compressed_however_long_nobody_looked(
    store: Store,
) -> None:
    catch_up(store, clock=lambda: NOW_US - HOUR_US)
    record(store, "s1", hours_ago=0)
    index_pending(store)  # as a search does

    catch_up(store, clock=lambda: NOW_US + 100 * HOUR_US)

    assert inline(store) == 0


def test_all_long_texts_of_an_import_are_compressed_after_it(
    store: Store, tmp_path: Path
) -> None:
    now_seconds = system_clock() / 1_000_000
    said = {"role": "user", "content": LONG, "timestamp": now_seconds}
    file = tmp_path / "fresh.json"
    file.write_text(json.dumps({"messages": [said]}))

    import_sessions(store, "openai", file, principal="ada")

    assert inline(store) == 0


def test_a_recorder_that_ends_leaves_no_long_text(store: Store) -> None:
    recording = Recorder(store, uid="s1", source="test")
    recording.append([Message(role="user", content=LONG)])

    recording.end("done")

    assert inline(store) == 0

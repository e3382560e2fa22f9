"""Long texts: compressed when their turn is closed, shared when they are equal."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.experience.candidates import Budget
from oldhand.experience.mine import Wish, mine
from oldhand.experience.pool import Scope
from oldhand.sessions.live.recorder import Recorder
from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.payloads import compact, compact_session, content_of
from oldhand.sessions.read import find_session, load_messages
from oldhand.sessions.read_calls import iterate_calls
from oldhand.sessions.record import SessionWriter, Written
from oldhand.sessions.search.find import search_sessions
from oldhand.sessions.search.index import index_pending
from oldhand.sessions.zstd import compress, decompress
from oldhand.store import Query, Store, open_database
from oldhand.store.maintenance import database_info

LONG = "a line of the log\n" * 200
MINUTE_US = 60_000_000
INLINE = Query(
    "inline",
    "SELECT id & 255, content FROM messages ORDER BY id",
    "SELECT id & 255, content FROM messages ORDER BY id",
)
WAITING = Query(
    "waiting",
    "SELECT session_id, first_id FROM search_pending ORDER BY session_id",
    "SELECT session_id, first_id FROM search_pending ORDER BY session_id",
)
BLOBS = Query(
    "blobs",
    "SELECT chars FROM blobs ORDER BY id",
    "SELECT chars FROM blobs ORDER BY id",
)


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def turn(number: int, result: str) -> list[Message]:
    at_us = number * MINUTE_US
    call = ToolCall(f"c{number}", "Read", f'{{"file_path": "{number}.log"}}')
    return [
        Message(role="user", content=f"Read log {number}", at_us=at_us),
        Message(role="assistant", calls=[call], at_us=at_us),
        Message(
            role="tool",
            content=result,
            call_id=call.call_id,
            at_us=at_us,
            evidence=Evidence(is_error=False),
        ),
    ]


def record(store: Store, uid: str, *turns: list[Message]) -> int:
    """Record turns as an agent does, so that their texts are not compressed yet."""
    Recorder(store, uid=uid, source="test").append([m for t in turns for m in t])
    return find_session(store, uid).id


def write(store: Store, uid: str, *turns: list[Message]) -> Written:
    """Write turns as an import does."""
    session = Session(uid=uid, source="test", messages=[m for t in turns for m in t])
    with store.transaction():
        return SessionWriter(store).write(session)


def long_inline(store: Store) -> list[int]:
    return [seq for seq, content in store.query_all(INLINE) if len(content) > 1_000]


def test_only_closed_turns_are_compressed(store: Store) -> None:
    session = record(store, "s1", turn(1, LONG), turn(2, LONG + "more"))

    compact_session(store, session, clock=lambda: 3 * MINUTE_US)
    while_it_goes_on = long_inline(store)
    compact_session(store, session, clock=lambda: 3 * MINUTE_US + 3_600_000_000)

    assert while_it_goes_on == [6]
    assert long_inline(store) == []


def test_equal_texts_are_stored_once(store: Store) -> None:
    record(store, "s1", turn(1, LONG), turn(2, LONG))
    record(store, "s2", turn(1, LONG), turn(2, "short"))

    done = compact(store)

    assert store.query_all(BLOBS) == [(len(LONG),)]
    assert (done.messages, done.before_bytes) == (3, 3 * len(LONG))
    assert done.after_bytes < len(LONG) / 4


def test_readers_see_no_difference(store: Store) -> None:
    record(store, "s1", turn(1, LONG), turn(2, "short"), turn(3, LONG * 2))
    session = find_session(store, "s1")
    wish = Wish(scope=Scope(), budget=Budget(tokens=2_000))
    before = (
        load_messages(store, session),
        list(iterate_calls(store)),
        mine(store, wish),
    )

    compact(store)

    after = load_messages(store, session), list(iterate_calls(store)), mine(store, wish)
    assert long_inline(store) == []
    assert after == before


def test_writing_a_compressed_session_again_changes_nothing(store: Store) -> None:
    record(store, "s1", turn(1, LONG), turn(2, LONG))
    compact(store)

    again = write(store, "s1", turn(1, LONG), turn(2, LONG))

    assert (again.messages, again.changed) == (0, 0)
    assert long_inline(store) == []


def test_a_compressed_text_that_changes_is_replaced(store: Store) -> None:
    write(store, "s1", turn(1, LONG))
    compact(store)

    write(store, "s1", turn(1, "shorter"))
    compact(store)

    assert next(iterate_calls(store)).result == "shorter"
    assert store.query_all(BLOBS) == []


def test_progress_counts_sessions(store: Store) -> None:
    for name in ("s1", "s2"):
        record(store, name, turn(1, "short"))
    seen: list[int] = []

    compact(store, progress=seen.append)

    assert sum(seen) == 2


@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    storable = text.encode("utf-8", "replace").decode()

    assert content_of("", compress(storable.encode())) == storable


def test_compressing_makes_the_pages_of_messages_full() -> None:
    sqlite = open_database(":memory:")
    for number in range(30):
        turns = [turn(n, f"{number} {n} " * 300) for n in range(20)]
        record(sqlite, f"s{number}", *turns)
    before = table_bytes(sqlite, "messages")

    compact(sqlite)

    assert table_bytes(sqlite, "messages") < before / 5
    sqlite.close()


def test_what_is_indexed_and_what_waits_stay_so_when_texts_are_compressed(
    store: Store,
) -> None:
    record(store, "indexed", turn(1, LONG), turn(2, LONG))
    record(store, "grown", turn(1, LONG))
    index_pending(store)
    Recorder.resume(store, "grown").append([*turn(2, LONG), *turn(3, LONG)])
    before = store.query_all(WAITING)

    compact(store)

    assert store.query_all(WAITING) == before
    assert [row[1] & 255 for row in before] == [4]
    assert len(search_sessions(store, "log")) == 2


def test_an_import_compresses_as_it_writes_in_sqlite() -> None:
    sqlite = open_database(":memory:")

    write(sqlite, "s1", turn(1, LONG), turn(2, "é" * 600), turn(3, "short"))

    assert sqlite.query_all(BLOBS) == [(len(LONG),), (600,)]
    results = [call.result for call in iterate_calls(sqlite)]
    assert results == [LONG, "é" * 600, "short"]
    sqlite.close()


def test_a_long_session_is_compressed_in_several_transactions(store: Store) -> None:
    session = record(store, "s1", *(turn(n, f"{n} {LONG}") for n in range(1, 400)))
    before = load_messages(store, find_session(store, "s1"))

    done = compact_session(store, session)

    assert done.messages == 399
    assert long_inline(store) == []
    assert load_messages(store, find_session(store, "s1")) == before


def table_bytes(store: Store, name: str) -> int:
    return next(t.size_bytes for t in database_info(store).tables if t.name == name)


def test_equal_texts_of_an_import_share_a_blob_with_those_that_are_there() -> None:
    sqlite = open_database(":memory:")
    write(sqlite, "s1", turn(1, LONG), turn(2, LONG))

    write(sqlite, "s2", turn(1, LONG), turn(2, LONG * 2))

    assert sqlite.query_all(BLOBS) == [(len(LONG),), (len(LONG) * 2,)]
    results = [call.result for call in iterate_calls(sqlite)]
    assert results == [LONG, LONG, LONG, LONG * 2]
    sqlite.close()


def test_threads_compress_at_once() -> None:
    texts = [f"{number} {LONG}".encode() * 20 for number in range(40)]
    with ThreadPoolExecutor(4) as threads:
        bodies = list(threads.map(compress, texts))

    assert [decompress(body) for body in bodies] == texts

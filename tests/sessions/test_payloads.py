"""Long texts: compressed when their turn is closed, shared when they are equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.experience.candidates import Budget
from oldhand.experience.mine import Wish, mine
from oldhand.experience.pool import Scope
from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.payloads import compact, compact_session, content_of
from oldhand.sessions.read import find_session, iterate_calls, load_messages
from oldhand.sessions.record import SessionWriter
from oldhand.sessions.zstd import compress
from oldhand.store import Query, Store

LONG = "a line of the log\n" * 200
MINUTE_US = 60_000_000
INLINE = Query(
    "inline",
    "SELECT id & 255, content FROM messages ORDER BY id",
    "SELECT id & 255, content FROM messages ORDER BY id",
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


def write(store: Store, uid: str, *turns: list[Message]) -> int:
    session = Session(uid=uid, source="test", messages=[m for t in turns for m in t])
    with store.transaction():
        SessionWriter(store).write(session)
    return find_session(store, uid).id


def long_inline(store: Store) -> list[int]:
    return [seq for seq, content in store.query_all(INLINE) if len(content) > 1_000]


def test_only_closed_turns_are_compressed(store: Store) -> None:
    session = write(store, "s1", turn(1, LONG), turn(2, LONG + "more"))

    compact_session(store, session, clock=lambda: 3 * MINUTE_US)
    while_it_goes_on = long_inline(store)
    compact_session(store, session, clock=lambda: 3 * MINUTE_US + 3_600_000_000)

    assert while_it_goes_on == [6]
    assert long_inline(store) == []


def test_equal_texts_are_stored_once(store: Store) -> None:
    write(store, "s1", turn(1, LONG), turn(2, LONG))
    write(store, "s2", turn(1, LONG), turn(2, "short"))

    done = compact(store)

    assert store.query_all(BLOBS) == [(len(LONG),)]
    assert (done.messages, done.before_bytes) == (3, 3 * len(LONG))
    assert done.after_bytes < len(LONG) / 4


def test_readers_see_no_difference(store: Store) -> None:
    write(store, "s1", turn(1, LONG), turn(2, "short"), turn(3, LONG * 2))
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
    write(store, "s1", turn(1, LONG), turn(2, LONG))
    compact(store)

    with store.transaction():
        again = SessionWriter(store).write(
            Session(uid="s1", source="test", messages=[*turn(1, LONG), *turn(2, LONG)])
        )

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
        write(store, name, turn(1, "short"))
    seen: list[int] = []

    compact(store, progress=seen.append)

    assert sum(seen) == 2


@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    storable = text.encode("utf-8", "replace").decode()

    assert content_of("", compress(storable.encode())) == storable

"""Two processes that write the same session into PostgreSQL at the same time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from oldhand.sessions.model import Message, Session, ToolCall
from oldhand.sessions.read import find_session
from oldhand.sessions.read_calls import iterate_calls
from oldhand.sessions.record import SessionWriter, Written
from oldhand.store import Query, Store, open_database

WAITING = Query(
    "waiting",
    "",
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND wait_event_type = 'Lock'",
)


@pytest.fixture
def store(postgres_url: str) -> Iterator[Store]:
    """Open a PostgreSQL database of this test's own."""
    opened = open_database(postgres_url)
    yield opened
    opened.close()


@pytest.fixture
def other(postgres_url: str) -> Iterator[Store]:
    """Open the same database a second time, as another process would."""
    opened = open_database(postgres_url)
    yield opened
    opened.close()


def until(is_true: Callable[[], bool]) -> None:
    """Wait until something another thread does has happened."""
    end = time.monotonic() + 10
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.005)


def session(uid: str, *tools: str) -> Session:
    calls = [
        Message(
            role="assistant",
            calls=[ToolCall(f"c{number}", tool, "{}")],
            native_id=f"{uid}-{tool}",
            at_us=1,
        )
        for number, tool in enumerate(tools)
    ]
    return Session(uid=uid, source="test", messages=calls)


def write_beside(
    store: Store, other: Store, *, first: Session, second: Session
) -> list[Written]:
    """Write one session, and before its transaction ends begin to write another."""
    written: list[Written] = []

    def write() -> None:
        with other.transaction():
            written.append(SessionWriter(other).write(second))

    thread = threading.Thread(target=write)
    with store.transaction():
        written.append(SessionWriter(store).write(first))
        thread.start()
        until(lambda: store.query_one(WAITING) == (1,))
    thread.join()
    return written


@pytest.mark.postgres
def test_two_that_write_a_new_session_at_once_write_it_once(
    store: Store, other: Store
) -> None:
    written = write_beside(
        store, other, first=session("s1", "a"), second=session("s1", "a", "b")
    )

    assert [(w.is_new, w.messages, w.calls) for w in written] == [
        (True, 1, 1),
        (False, 1, 1),
    ]
    assert find_session(store, "s1").message_count == 2
    assert [c.tool for c in iterate_calls(store)] == ["a", "b"]


@pytest.mark.postgres
def test_two_that_let_a_session_grow_at_once_keep_both_parts(
    store: Store, other: Store
) -> None:
    with store.transaction():
        SessionWriter(store).write(session("s1", "a"))

    written = write_beside(
        store, other, first=session("s1", "a", "b"), second=session("s1", "a", "b", "c")
    )

    assert [w.messages for w in written] == [1, 1]
    assert [c.tool for c in iterate_calls(store)] == ["a", "b", "c"]


@pytest.mark.postgres
def test_two_that_meet_the_same_new_tools_in_another_order_wait_in_line(
    store: Store, other: Store
) -> None:
    written = write_beside(
        store, other, first=session("s1", "a", "b"), second=session("s2", "b", "a")
    )

    assert [w.calls for w in written] == [2, 2]
    tools = store.query_all(Query("tools", "", "SELECT name FROM tools ORDER BY name"))
    assert tools == [("a",), ("b",)]

"""Filling the search index: behind appends, by several at once, and forgetting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from oldhand.errors import OldhandError
from oldhand.sessions.keys import messages_of
from oldhand.sessions.model import Message, Session, ToolCall
from oldhand.sessions.record import SessionWriter
from oldhand.sessions.search.find import search_sessions
from oldhand.sessions.search.index import (
    count_pending,
    forget_messages,
    index_pending,
    optimize_index,
)
from oldhand.store import Query, Store, open_database

_APPENDS = 120


def write(store: Store, *sessions: Session) -> None:
    with store.transaction():
        writer = SessionWriter(store)
        for session in sessions:
            writer.write(session)


def said(content: str, native_id: str | None = None) -> Message:
    return Message(role="user", content=content, native_id=native_id)


def session(uid: str, *messages: Message) -> Session:
    return Session(uid=uid, source="test", messages=list(messages))


def uids(store: Store, query: str) -> list[str]:
    return sorted(found.uid for found in search_sessions(store, query))


def sql(text: str) -> Query:
    return Query("test", text, text)


def test_a_message_added_to_an_older_session_is_found(any_store: Store) -> None:
    write(
        any_store, session("old", said("one", "m1")), session("new", said("two", "n1"))
    )
    assert uids(any_store, "two") == ["new"]
    write(any_store, session("old", said("one", "m1"), said("late needle", "m2")))

    assert uids(any_store, "needle") == ["old"]
    assert count_pending(any_store) == 0


def test_a_message_that_grew_is_found_by_its_new_words_only(any_store: Store) -> None:
    write(any_store, session("s1", said("first words", "m1"), said("end", "m2")))
    assert uids(any_store, "first") == ["s1"]
    write(any_store, session("s1", said("other needle", "m1"), said("end", "m2")))

    assert uids(any_store, "needle") == ["s1"]
    assert uids(any_store, "first") == []


def test_a_call_added_to_an_indexed_message_is_found(any_store: Store) -> None:
    calls = [ToolCall("c1", "Bash", '{"command": "ls"}')]
    write(
        any_store, session("s1", Message(role="assistant", calls=calls, native_id="m1"))
    )
    assert uids(any_store, "ls") == ["s1"]
    calls = [*calls, ToolCall("c2", "Bash", '{"command": "make needle"}')]
    write(
        any_store, session("s1", Message(role="assistant", calls=calls, native_id="m1"))
    )

    assert uids(any_store, "needle") == ["s1"]


def test_filling_can_be_stopped_and_goes_on(any_store: Store) -> None:
    write(any_store, *(session(f"s{n}", *[said("needle")] * 30) for n in range(4)))
    seen: list[int] = []

    first = index_pending(any_store, limit=50, progress=seen.append)

    assert (first, sum(seen), count_pending(any_store)) == (50, 50, 70)
    assert index_pending(any_store) == 70
    assert index_pending(any_store) == 0
    assert [f.hits for f in search_sessions(any_store, "needle")] == [30] * 4


def test_a_search_on_a_filled_index_writes_nothing(tmp_path: Path) -> None:
    store = open_database(str(tmp_path / "a.db"))
    write(store, session("s1", said("needle")))
    index_pending(store)
    store.query_all(sql("PRAGMA query_only=ON"))

    assert uids(store, "needle") == ["s1"]
    store.close()


@pytest.mark.parametrize(
    "engine", ["file", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def test_two_that_search_while_a_third_appends_find_all_that_was_there(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    is_file = engine == "file"
    url = str(tmp_path / "a.db") if is_file else request.getfixturevalue("postgres_url")
    open_database(url).close()
    written, missed = [0], []
    failed: list[OldhandError] = []

    def append(store: Store) -> None:
        for n in range(_APPENDS):
            messages = [said(f"needle {i}", f"{n % 7}-{i}") for i in range(n // 7 + 1)]
            write(store, session(f"s{n % 7}", *messages))
            written[0] = n + 1

    def look(store: Store) -> None:
        while written[0] < _APPENDS and not failed:
            before = written[0]
            hits = sum(f.hits for f in search_sessions(store, "needle"))
            if hits < before:
                missed.append((before, hits))

    def alone(work: Callable[[Store], None]) -> None:
        store = open_database(url)
        try:
            work(store)
        except OldhandError as fault:
            failed.append(fault)
        finally:
            store.close()

    _run(lambda: alone(append), lambda: alone(look), lambda: alone(look))

    assert (failed, missed) == ([], [])
    alone(lambda store: written.append(len(search_sessions(store, "needle"))))
    assert written == [_APPENDS, 7]


def _run(*functions: Callable[[], None]) -> None:
    threads = [threading.Thread(target=function) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_forgotten_messages_are_not_found(any_store: Store) -> None:
    write(any_store, session("s1", said("needle")), session("s2", said("needle")))
    index_pending(any_store)
    (first_id,) = any_store.query_all(sql("SELECT id FROM sessions WHERE uid = 's1'"))[
        0
    ]
    with any_store.transaction():
        forget_messages(any_store, messages_of(first_id))
    optimize_index(any_store)

    assert uids(any_store, "needle") == ["s2"]


def test_of_an_erased_message_no_word_is_left_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    store = open_database(str(path))
    store.query_all(sql("PRAGMA secure_delete=ON"))
    write(store, session("s1", said("zyzzyvatrace")), session("s2", said("other")))
    index_pending(store)
    (first_id,) = store.query_all(sql("SELECT id FROM sessions WHERE uid = 's1'"))[0]
    with store.transaction():
        forget_messages(store, messages_of(first_id))
        store.execute(sql("DELETE FROM messages WHERE content = 'zyzzyvatrace'"))
        store.execute(sql("DELETE FROM sessions WHERE uid = 's1'"))
    store.query_all(sql("PRAGMA wal_checkpoint(TRUNCATE)"))
    assert b"zyzzyva" in path.read_bytes()  # the index keeps it until it is merged

    optimize_index(store)
    store.query_all(sql("PRAGMA wal_checkpoint(TRUNCATE)"))

    assert b"zyzzyva" not in path.read_bytes()
    assert b"zyzzyva" not in path.with_name("a.db-wal").read_bytes()
    store.close()

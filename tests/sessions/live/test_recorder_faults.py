"""Recording goes on after a lock, a read-only moment and a kill, and loses nothing."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import apsw
import pytest

from oldhand import Recorder, open_store
from oldhand.errors import StoreBusy, StoreReadOnly
from oldhand.sessions.read import find_session, load_messages, recent_sessions
from oldhand.store import Query, Store
from oldhand.store.sqlite import SqliteStore

CHECK = Query("check", "PRAGMA integrity_check", "SELECT 'ok'")
_DANGLING = (
    "SELECT count(*) FROM tool_calls c LEFT JOIN messages m ON m.id = c.id >> 10 "
    "WHERE m.id IS NULL"
)
MIN_SAID = 10  # appends by each recorder before it is killed
DANGLING = Query("dangling", _DANGLING, _DANGLING)


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Name a database with all tables that several processes can open."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    path = str(tmp_path / "a.db")
    open_store(path).close()
    return path


def user(content: str) -> dict[str, Any]:
    return {"role": "user", "content": content}


def exchange(number: int) -> list[dict[str, Any]]:
    """Return a call and its result, as two messages."""
    call_id = f"c{number}"
    function = {"name": "Bash", "arguments": json.dumps({"command": f"ls {number}"})}
    call = {"id": call_id, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "content": f"{number} " + "x" * 500},
    ]


def contents(store: Store, uid: str) -> list[str]:
    messages = load_messages(store, find_session(store, uid))
    return [message["content"] for message in messages]


@pytest.mark.parametrize("is_new", [True, False])
def test_a_locked_database_raises_and_the_next_append_goes_on(
    tmp_path: Path, *, is_new: bool
) -> None:
    path = tmp_path / "a.db"
    open_store(str(path)).close()
    store = SqliteStore(path, wait_seconds=0.05)
    recording = Recorder(store, uid="s1", source="test", principal="ada")
    if not is_new:
        recording.append([user("Go")])
    with apsw.Connection(str(path)) as other:
        other.execute("UPDATE kv SET value = value")  # a write that is not committed
        for _ in range(2):
            with pytest.raises(StoreBusy):
                recording.append(exchange(1))
        with pytest.raises(StoreBusy):
            recording.append([*exchange(1), user("Next")])
    other.close()

    recording.append([*exchange(1), user("Next")])

    kept = contents(store, "s1")
    assert len(kept) == (3 if is_new else 4)
    assert kept[-1] == "Next"
    assert store.query_one(CHECK) == ("ok",)
    store.close()


def test_a_read_only_moment_raises_and_the_next_append_goes_on(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.db")
    open_store(str(tmp_path / "a.db")).close()
    recording = Recorder(store, uid="s1", source="test", principal="ada")
    recording.append([user("Go")])
    store.query_all(Query("off", "PRAGMA query_only = 1", ""))
    with pytest.raises(StoreReadOnly):
        recording.append(exchange(1))
    with pytest.raises(StoreReadOnly):
        recording.end("done")
    store.query_all(Query("on", "PRAGMA query_only = 0", ""))

    recording.append(exchange(1))
    recording.end("done")

    assert [text[:2] for text in contents(store, "s1")] == ["Go", "", "1 "]
    assert find_session(store, "s1").end_reason == "done"
    store.close()


def _record_and_say(url: str, said: str, uid: str) -> None:
    store = open_store(url)
    recording = Recorder(store, uid=uid, source="test", principal="ada")
    with Path(said).open("a", buffering=1) as acknowledged:
        for number in range(100_000):
            seq = recording.append(exchange(number))
            acknowledged.write(f"{uid} {seq}\n")


def _start(url: str, said: Path, uid: str) -> BaseProcess:
    context = multiprocessing.get_context("spawn")
    writer = context.Process(target=_record_and_say, args=(url, str(said), uid))
    writer.start()
    return writer


def _kill_recorders(url: str, said: Path, *, rounds: int, writers: int) -> list[str]:
    """Kill writers in the middle of it; return what they had said was durable."""
    said.touch()
    for number in range(rounds):
        uids = [f"round {number} writer {writer}" for writer in range(writers)]
        running = [_start(url, said, uid) for uid in uids]
        while not all(said.read_text().count(uid) >= MIN_SAID for uid in uids):
            running[0].join(0.005)
            assert all(writer.exitcode is None for writer in running)
        for writer in running:
            os.kill(writer.pid or 0, signal.SIGKILL)
        for writer in running:
            writer.join()
    return said.read_text().splitlines()


def _check_all_is_there(url: str, acknowledged: list[str]) -> None:
    store = open_store(url)
    last: dict[str, int] = {}
    for line in acknowledged:
        uid, _, seq = line.rpartition(" ")
        last[uid] = int(seq)
    for name, durable in last.items():
        found = find_session(store, name)
        kept = contents(store, name)
        assert len(kept) >= durable
        # An exchange is one append: it is there whole or not at all, and in its place.
        assert kept[1::2] == [f"{n} " + "x" * 500 for n in range(len(kept) // 2)]
        assert found.message_count == len(kept) == 2 * found.tool_call_count
    assert store.query_one(CHECK) == ("ok",)
    assert store.query_one(DANGLING) == (0,)
    store.close()


@pytest.mark.parametrize(("writers", "rounds"), [(1, 2), (4, 1)])
def test_what_a_recorder_acknowledged_is_there_after_a_kill(
    url: str, tmp_path: Path, writers: int, rounds: int
) -> None:
    said = tmp_path / "said"

    acknowledged = _kill_recorders(url, said, rounds=rounds, writers=writers)

    assert len(acknowledged) >= rounds * MIN_SAID * writers
    _check_all_is_there(url, acknowledged)


@pytest.mark.soak
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("writers", [1, 4])
def test_what_a_recorder_acknowledged_is_there_after_three_hundred_kills(
    url: str, tmp_path: Path, writers: int
) -> None:
    acknowledged = _kill_recorders(url, tmp_path / "said", rounds=300, writers=writers)

    _check_all_is_there(url, acknowledged)


def _record_sessions(url: str, name: str, sessions: int) -> None:
    store = open_store(url)
    for index in range(sessions):
        uid = f"{name}-{index}"
        recording = Recorder(store, uid=uid, source="test", principal="ada")
        for number in range(10):
            recording.append(exchange(number))
        recording.end("done")
    store.close()


def test_two_processes_with_their_own_sessions_lose_nothing(url: str) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_record_sessions, args=(url, name, 5))
        for name in ("one", "two")
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    store = open_store(url)
    found = recent_sessions(store, limit=100)
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert len(found) == 10
    assert {(s.message_count, s.tool_call_count, s.end_reason) for s in found} == {
        (20, 10, "done")
    }
    store.close()

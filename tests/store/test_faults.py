"""What may happen to a machine, a disk or a file: what was acknowledged is kept.

The short form of each always runs; loops of minutes carry the mark `soak`.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import apsw
import pytest

from oldhand.errors import (
    OldhandError,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreMismatch,
)
from oldhand.sessions.read import find_session, load_messages, recent_sessions
from oldhand.sessions.record import SessionWriter
from oldhand.store import Query, Store, open_database
from oldhand.store.maintenance import back_up
from oldhand.testing import FakeClock

from .scribe import append_each, lost, session_of, write_sessions, write_until_killed
from .unsynced_vfs import UnsyncedVFS

SPAWN = multiprocessing.get_context("spawn")
PUT = Query("put", "INSERT INTO tools (name) VALUES (:name)", "")
CHECK = Query("check", "PRAGMA integrity_check", "")


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A database with all tables, closed."""
    made = str(tmp_path / "a.db")
    open_database(made).close()
    return made


@pytest.fixture
def said(tmp_path: Path) -> Path:
    file = tmp_path / "said"
    file.touch()
    return file


def kill_writers(path: str, said: Path, *, writers: int, name: str) -> None:
    """Start writers, let each be told something, and kill them all in the middle."""
    started = [
        SPAWN.Process(target=write_until_killed, args=(path, str(said), f"{name}-{n}"))
        for n in range(writers)
    ]
    for writer in started:
        writer.start()
    while not all(f"{name}-{n} " in said.read_text() for n in range(writers)):
        started[0].join(0.005)
        assert all(writer.exitcode is None for writer in started)
    for writer in started:
        os.kill(writer.pid or 0, signal.SIGKILL)
    for writer in started:
        writer.join()


@pytest.mark.parametrize(("writers", "rounds"), [(1, 6), (4, 2)])
def test_what_was_acknowledged_is_there_after_kills(
    path: str, said: Path, writers: int, rounds: int
) -> None:
    for number in range(rounds):
        kill_writers(path, said, writers=writers, name=f"round{number}")

    assert lost(path, said) == []


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("writers", [1, 4])
def test_what_was_acknowledged_is_there_after_three_hundred_kills(
    path: str, said: Path, writers: int
) -> None:
    for number in range(150):
        kill_writers(path, said, writers=writers, name=f"round{number}")

    assert lost(path, said) == []


def _write_and_lose_power(path: str, said: str, synchronous: str) -> None:
    vfs = UnsyncedVFS()
    store = open_database(path)
    store.query_all(Query("set", f"PRAGMA synchronous={synchronous}", ""))
    write_sessions(store, said, (f"session {n}" for n in range(8)))
    assert vfs is not None
    os._exit(0)


def cut_the_power(path: str, said: Path, synchronous: str) -> None:
    writer = SPAWN.Process(
        target=_write_and_lose_power, args=(path, str(said), synchronous)
    )
    writer.start()
    writer.join()
    assert writer.exitcode == 0
    assert len(said.read_text().splitlines()) == 48


def test_a_power_cut_loses_nothing_that_was_acknowledged(path: str, said: Path) -> None:
    cut_the_power(path, said, "FULL")

    assert lost(path, said) == []


@pytest.mark.parametrize("synchronous", ["NORMAL", "OFF"])
def test_a_power_cut_would_lose_what_is_not_synced(
    path: str, said: Path, synchronous: str
) -> None:
    cut_the_power(path, said, synchronous)

    assert len(lost(path, said)) > 40


@pytest.mark.soak
def test_twenty_power_cuts_lose_nothing(path: str, said: Path) -> None:
    for _ in range(20):
        said.write_text("")
        cut_the_power(path, said, "FULL")
        assert lost(path, said) == []


def fill(store: Store, said: Path, name: str = "session") -> StoreFull:
    """Write sessions until the disk is full; return how that was told."""
    try:
        write_sessions(store, str(said), (f"{name} {n:06}" for n in count()))
    except StoreFull as fault:
        return fault
    raise AssertionError("unreachable: it writes for ever")


def test_a_full_disk_is_named_and_writing_goes_on_when_space_returns(
    small_disk: Path, said: Path
) -> None:
    store = open_database(str(small_disk / "a.db"))
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(600_000))

    fault = fill(store, said)
    again = fill(store, said, "again")
    ballast.unlink()
    after = list(append_each(store, "after"))
    store.close()

    assert "the disk is full" in str(fault)
    assert "the disk is full" in str(again)
    assert len(after) == 6
    assert lost(str(small_disk / "a.db"), said) == []


def test_a_backup_that_meets_a_full_disk_leaves_nothing_behind(
    small_disk: Path, path: str
) -> None:
    store = open_database(path)
    store.execute(PUT, ("more than the disk takes" * 100_000,))

    with pytest.raises(StoreFull, match=r"the disk is full; nothing was written$"):
        back_up(store, small_disk / "copy.db")

    store.close()
    assert list(small_disk.iterdir()) == []


def _meet_a_limit(path: str, said: str) -> None:
    """Write under a limit on the size of files, then without; exit 7 where all is well."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = open_database(path)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    fault = fill(store, Path(said))
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    write_sessions(store, said, iter(["after"]))
    store.close()
    os._exit(7 if "the disk is full" in str(fault) else 1)


def test_a_limit_on_files_is_told_as_a_full_disk(path: str, said: Path) -> None:
    writer = SPAWN.Process(target=_meet_a_limit, args=(path, str(said)))

    writer.start()
    writer.join()

    assert writer.exitcode == 7
    assert "after 6" in said.read_text()
    assert lost(path, said) == []


def _swallow_a_fault(path: str) -> None:
    """Go on in a transaction after a full disk; exit 7 where that was refused."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = open_database(path)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    big = Query("big", "INSERT INTO tools (name) VALUES (hex(randomblob(:size)))", "")
    refused = []
    try:
        with store.transaction():
            store.execute(PUT, ("before",))
            resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
            with pytest.raises(StoreFull):
                store.execute(big, (30_000_000,))
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
            try:
                store.execute(PUT, ("after",))
            except StoreError as fault:
                refused.append(fault)
    except StoreError as fault:
        refused.append(fault)
    os._exit(7 if len(refused) == 2 else 1)


def test_a_transaction_that_a_full_disk_undid_cannot_go_on_by_halves(path: str) -> None:
    writer = SPAWN.Process(target=_swallow_a_fault, args=(path,))

    writer.start()
    writer.join()

    assert writer.exitcode == 7
    store = open_database(path)
    assert store.query_all(Query("names", "SELECT name FROM tools", "")) == []
    store.close()


def test_a_clock_that_is_set_back_changes_no_order(store: Store) -> None:
    clock = FakeClock()
    writer = SessionWriter(store, clock=clock)
    session = session_of("s", 6)
    for number in range(6):
        for message in session.messages[number:]:
            message.at_us = clock()
        grown = session_of("s", 0)
        grown.messages = session.messages[: number + 1]
        with store.transaction():
            writer.write(grown)
        clock.advance(-3_600_000_000)

    found = find_session(store, "s")
    roles = [message["role"] for message in load_messages(store, found)]
    assert roles == ["user", "assistant", "tool"] * 2
    assert found.updated_at_us >= found.started_at_us
    assert recent_sessions(store) == [found]


def test_a_session_that_starts_after_its_messages_is_not_older_than_itself(
    store: Store,
) -> None:
    session = session_of("s", 1)
    session.started_at_us, session.messages[0].at_us = 9_000_000, 1_000_000
    with store.transaction():
        SessionWriter(store, clock=FakeClock()).write(session)

    found = find_session(store, "s")

    assert found.updated_at_us >= found.started_at_us


def _directory(path: Path) -> None:
    path.mkdir()


def _of_another_program(path: Path) -> None:
    theirs = apsw.Connection(str(path))
    theirs.execute("PRAGMA application_id=7; CREATE TABLE t (x)").fetchall()
    theirs.close()


def _notes(path: Path) -> None:
    path.write_text("not a database at all, but long enough to look at " * 40)


def _newer(path: Path) -> None:
    store = open_database(str(path))
    future = "INSERT INTO migrations VALUES (9999, 'from_the_future', 0)"
    store.execute(Query("future", future, ""))
    store.close()


def _cut_short(path: Path) -> None:
    store = open_database(str(path))
    store.execute_many(PUT, [(f"{n:0100}",) for n in range(2_000)])
    store.close()
    os.truncate(path, 20_000)


REFUSED: list[tuple[Callable[[Path], None], type[OldhandError], str]] = [
    (_directory, StoreMismatch, "a directory; expected a file"),
    (_of_another_program, StoreMismatch, "another program"),
    (_notes, StoreDamaged, "not a SQLite database"),
    (_newer, StoreMismatch, "newer oldhand"),
    (_cut_short, StoreDamaged, "restore a backup"),
]


@pytest.mark.parametrize(("make", "kind", "text"), REFUSED)
def test_what_cannot_be_used_is_refused_in_one_line(
    tmp_path: Path, make: Callable[[Path], None], kind: type[OldhandError], text: str
) -> None:
    path = tmp_path / "a.db"
    make(path)

    with pytest.raises(kind, match=text) as told:
        recent_sessions(open_database(str(path)))

    assert "\n" not in str(told.value)
    assert str(path) in str(told.value)


def test_the_log_of_a_killed_process_is_taken_up(path: str, said: Path) -> None:
    kill_writers(path, said, writers=1, name="killed")
    size = Path(f"{path}-wal").stat().st_size

    assert size > 0
    assert lost(path, said) == []


def test_no_second_sqlite_comes_into_the_process() -> None:
    program = """
import sys
from oldhand import warm
from oldhand.app import starts, imports, stores
from oldhand.cli import main
store = stores.open_store(':memory:')
store.close()
sys.exit('sqlite3' in sys.modules or '_sqlite3' in sys.modules)
"""

    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )

    assert (done.returncode, done.stderr) == (0, "")

"""The SQLite engine behind the seam."""

from __future__ import annotations

import multiprocessing
import os
import stat
import threading
from pathlib import Path

import apsw
import pytest

from oldhand.errors import (
    Conflict,
    InvalidInput,
    StoreDamaged,
    StoreError,
    StoreMismatch,
    StoreReadOnly,
)
from oldhand.store import Query, Store, open_database
from oldhand.store.migrate import migrate, migrations
from oldhand.store.sqlite import SqliteStore

PUT = Query("put", "INSERT INTO kv (key, value) VALUES (:key, :value)", "")
COUNT = Query("count", "SELECT count(*) FROM kv WHERE key <> 'tombstone_salt'", "")
KEYS = Query(
    "keys", "SELECT key FROM kv WHERE key <> 'tombstone_salt' ORDER BY key", ""
)


def count(store: Store) -> int:
    row = store.query_one(COUNT)
    assert row is not None
    return int(row[0])


def test_a_new_database_is_private_to_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "new" / "oldhand.db"

    with_rows = open_database(str(path))
    with_rows.execute(PUT, {"key": "a", "value": "b"})

    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in path.parent.iterdir()}
    with_rows.close()
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert set(modes.values()) == {0o600}
    assert "oldhand.db-wal" in modes


def test_a_transaction_that_raises_leaves_nothing(store: Store) -> None:
    def write_and_fail() -> None:
        with store.transaction():
            store.execute(PUT, {"key": "a", "value": "1"})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()
    assert count(store) == 0


def test_a_transaction_inside_a_transaction_joins_it(store: Store) -> None:
    def write_and_fail() -> None:
        with store.transaction():
            with store.transaction():
                store.execute(PUT, {"key": "a", "value": "1"})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()
    assert count(store) == 0


def test_values_are_taken_by_name_and_in_order(store: Store) -> None:
    store.execute(PUT, {"value": "1", "key": "a"})
    store.execute(PUT, ("b", "2"))
    store.execute_many(PUT, [("c", "3"), ("d", "4")])

    assert store.query_all(KEYS) == [("a",), ("b",), ("c",), ("d",)]


def test_a_constraint_that_does_not_hold_is_a_conflict(store: Store) -> None:
    store.execute(PUT, ("a", "1"))

    with pytest.raises(Conflict, match="constraint"):
        store.execute(PUT, ("a", "2"))


def test_a_full_disk_is_not_needed_to_see_that_a_failed_write_frees_the_queue(
    tmp_path: Path,
) -> None:
    store = open_database(str(tmp_path / "a.db"))
    other = open_database(str(tmp_path / "a.db"))
    store.execute(PUT, ("a", "1"))
    with pytest.raises(Conflict):
        store.execute(PUT, ("a", "2"))

    other.execute(PUT, ("b", "1"))

    assert count(store) == 2


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    with apsw.Connection(str(path)) as theirs:
        theirs.execute("CREATE TABLE t (x)")
    theirs.close()

    with pytest.raises(StoreMismatch, match="another program"):
        open_database(str(path))


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all, but long enough to look at " * 40)

    with pytest.raises(StoreDamaged, match="not a SQLite database"):
        open_database(str(path))
    assert path.read_text().startswith("not a database")


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    store = open_database(str(path))
    record = "INSERT INTO migrations VALUES (9999, 'from_the_future', 0)"
    store.execute(Query("future", record, ""))
    store.close()

    with pytest.raises(StoreMismatch, match="newer oldhand"):
        open_database(str(path))


def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("in the way")

    with pytest.raises(StoreReadOnly, match="file"):
        open_database(str(blocker / "oldhand.db"))


def test_an_engine_that_is_not_known_is_refused() -> None:
    with pytest.raises(InvalidInput, match="mysql"):
        open_database("mysql://host/name")


def test_migrating_again_applies_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.db")

    first = migrate(store)
    second = migrate(store)

    assert first == migrations("sqlite")
    assert second == []


def test_all_migrations_and_their_records_are_one_transaction(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.db")
    blocker = Query("block", "CREATE TABLE templates (x)", "")
    store.execute(blocker)

    with pytest.raises(StoreError):
        migrate(store)

    assert not store.has_table("migrations")
    assert not store.has_table("sessions")
    assert not store.has_table("warm_uses")


def _write_many(path: str, name: str, times: int) -> None:
    store = open_database(path)
    for number in range(times):
        store.execute(PUT, (f"{name}-{number}", "x"))
    store.close()


def test_four_processes_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    open_database(path).close()
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_write_many, args=(path, f"w{n}", 50)) for n in range(4)
    ]

    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert [writer.exitcode for writer in writers] == [0, 0, 0, 0]
    assert count(open_database(path)) == 200


def test_threads_share_a_store(store: Store) -> None:
    def write(name: str) -> None:
        for number in range(50):
            with store.transaction():
                store.execute(PUT, (f"{name}-{number}", "x"))

    threads = [threading.Thread(target=write, args=(f"t{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert count(store) == 200


def test_a_store_that_was_opened_before_a_fork_refuses_the_child(
    tmp_path: Path,
) -> None:
    store = open_database(str(tmp_path / "a.db"))
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            store.execute(PUT, ("a", "1"))
        except StoreError as fault:
            os.write(write, str(fault).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)

    said = os.read(read, 1_000).decode()

    os.close(read)
    assert "before a fork" in said
    assert count(store) == 0


def test_a_kept_statement_is_not_prepared_anew_for_each_value(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.db")

    with store.lend() as connection:
        is_stable = connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, -1)

    store.close()
    assert is_stable

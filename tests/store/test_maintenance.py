"""Upkeep: sizes, checks, backups, and a file that is written anew."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from oldhand.errors import Conflict, StoreError, StoreReadOnly
from oldhand.store import Query, Store, open_database
from oldhand.store.maintenance import (
    back_up,
    database_info,
    empty_log,
    engine_faults,
    file_of,
    is_writer_stuck,
    rewrite,
    secure_deletes,
    used_bytes,
)
from oldhand.store.writer_queue import WriterQueue

PUT = Query("put", "INSERT INTO kv (key, value) VALUES (:key, :value)", "")
CLEAR = Query("clear", "DELETE FROM kv WHERE key <> 'tombstone_salt'", "")
COUNT = Query("count", "SELECT count(*) FROM kv", "")


@pytest.fixture
def filed(tmp_path: Path) -> Iterator[Store]:
    """Open a database on disk with a thousand rows."""
    opened = open_database(str(tmp_path / "oldhand.db"))
    opened.execute_many(PUT, [(f"k{n}", "quokka " * 50) for n in range(1_000)])
    yield opened
    opened.close()


def rows_in(path: Path) -> int:
    copy = open_database(str(path))
    row = copy.query_one(COUNT)
    copy.close()
    return int(row[0]) if row else 0


def test_info_has_sizes_rows_and_versions(filed: Store, tmp_path: Path) -> None:
    info = database_info(filed)

    tables = {table.name: table for table in info.tables}
    assert (info.engine, info.journal_mode) == ("SQLite", "wal")
    assert info.engine_version == apsw.sqlite_lib_version()
    assert info.schema_version >= 4
    assert tables["kv"].rows == 1_001
    assert tables["kv"].size_bytes > 350_000
    assert sum(table.size_bytes for table in info.tables) <= info.size_bytes
    assert info.wal_bytes == (tmp_path / "oldhand.db-wal").stat().st_size


def test_a_database_in_memory_has_no_file(store: Store) -> None:
    assert file_of(store) is None
    assert database_info(store).wal_bytes == 0


def test_a_backup_is_whole_private_and_one_file(filed: Store, tmp_path: Path) -> None:
    path = tmp_path / "copies" / "copy.db"
    path.parent.mkdir()

    size = back_up(filed, path)

    assert [p.name for p in path.parent.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert size == path.stat().st_size
    assert rows_in(path) == 1_001


def test_a_database_in_memory_is_backed_up_too(store: Store, tmp_path: Path) -> None:
    back_up(store, tmp_path / "copy.db")

    assert rows_in(tmp_path / "copy.db") == 1


def test_a_backup_holds_one_moment_while_others_write(
    filed: Store, tmp_path: Path
) -> None:
    writer = open_database(str(tmp_path / "oldhand.db"))
    filed.execute_many(PUT, [(f"l{n}", "x" * 4_000) for n in range(2_000)])
    seen: list[int] = []

    def write_meanwhile(left: int, _total: int) -> None:
        writer.execute(PUT, {"key": f"m{len(seen)}", "value": "late" * 2_000})
        seen.append(left)

    back_up(filed, tmp_path / "copy.db", progress=write_meanwhile)
    writer.close()

    assert len(seen) > 3
    assert rows_in(tmp_path / "copy.db") == 3_001


def test_a_backup_overwrites_nothing(filed: Store, tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    path.write_text("mine")

    with pytest.raises(Conflict, match=r"copy\.db: there already"):
        back_up(filed, path)
    assert path.read_text() == "mine"


def test_a_backup_that_fails_leaves_no_file(filed: Store, tmp_path: Path) -> None:
    def fail(_left: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up(filed, tmp_path / "copy.db", progress=fail)
    assert not (tmp_path / "copy.db").exists()


def test_a_place_that_is_not_there_is_named(filed: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreReadOnly, match="No such file"):
        back_up(filed, tmp_path / "nowhere" / "copy.db")


def test_rewriting_returns_what_was_freed(filed: Store, tmp_path: Path) -> None:
    with secure_deletes(filed):
        filed.execute(CLEAR)
    used = used_bytes(filed)

    done = rewrite(filed)

    page = 4096  # the tables' own descriptions may be cut into pages elsewhere
    assert done.before_bytes > used >= done.after_bytes - page
    assert done.is_log_empty
    assert (tmp_path / "oldhand.db-wal").stat().st_size == 0
    assert b"quokka" not in (tmp_path / "oldhand.db").read_bytes()


def test_a_rewrite_inside_a_transaction_is_refused(filed: Store) -> None:
    with filed.transaction(), pytest.raises(StoreError, match="inside a transaction"):
        rewrite(filed)


def test_a_log_that_somebody_reads_is_not_emptied(filed: Store, tmp_path: Path) -> None:
    reader = apsw.Connection(str(tmp_path / "oldhand.db"))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM kv").fetchall()
    filed.execute(PUT, {"key": "after", "value": "the reader began"})

    while_read = empty_log(filed)
    reader.close()

    assert not while_read
    assert empty_log(filed)


def test_a_damaged_page_is_found(filed: Store, tmp_path: Path) -> None:
    assert engine_faults(filed) == []
    filed.query_all(Query("off", "PRAGMA foreign_keys=OFF", ""))
    filed.execute(
        Query(
            "break",
            "INSERT INTO origins (session_id, source, path) VALUES (99, 'a', 'b')",
            "",
        )
    )

    assert engine_faults(filed) == ["1 rows of origins point to no row of sessions"]


def test_a_held_lock_is_noticed(filed: Store, tmp_path: Path) -> None:
    queue = WriterQueue(tmp_path / "oldhand.db")
    queue.enter()

    is_held = is_writer_stuck(tmp_path / "oldhand.db")
    queue.leave()
    queue.close()

    assert is_held
    assert not is_writer_stuck(tmp_path / "oldhand.db")

"""A SQLite database that cannot be written is read all the same, and refuses writing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from oldhand.errors import StoreMismatch, StoreReadOnly
from oldhand.store import Query, Store, open_database
from oldhand.store.maintenance import back_up, empty_log, rewrite
from oldhand.store.migrate import migrate
from oldhand.store.sqlite_read_only import ReadOnlySqliteStore
from oldhand.store.writable import unwritable, why_read_only

Told = Callable[[Path], list[str]]
USE = """
import sys
from oldhand.errors import OldhandError
from oldhand.store import Query, open_database
try:
    store = open_database(sys.argv[1])
    print([name for (name,) in store.query_all(Query("tools", "SELECT name FROM tools", ""))])
    store.execute(Query("put", "INSERT INTO tools (name) VALUES ('Write')", ""))
    print("written")
except OldhandError as fault:
    print(f"{type(fault).__name__}: {fault}")
"""
READ_TWICE = """
import sys
from oldhand.errors import StoreBusy
from oldhand.store import Query, open_database
store = open_database(sys.argv[1])
tools = Query("tools", "SELECT name FROM tools", "")
print(store.query_all(tools), flush=True)
input()
try:
    store.query_one(tools)
except StoreBusy as fault:
    print(fault)
"""
PUT = Query("put", "INSERT INTO tools (name) VALUES (:name)", "")
TOOLS = Query("tools", "SELECT name FROM tools ORDER BY name", "")
FORGET = Query("forget", "DELETE FROM migrations WHERE version > 1", "")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Make a folder, and make it writable again for whoever clears up."""
    made = tmp_path / "held"
    made.mkdir()
    yield made
    made.chmod(0o755)


@pytest.fixture
def path(folder: Path) -> Path:
    """Make a database with one tool, closed."""
    made = folder / "a.db"
    store = open_database(str(made))
    store.execute(PUT, ("Bash",))
    store.close()
    (folder / "a.db.lock").unlink()
    return made


@pytest.fixture
def told(without_rights: list[str]) -> Told:
    """Let somebody without rights read and write; return what was told, by line."""

    def use(path: Path) -> list[str]:
        command = [*without_rights, USE, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    return use


def close(folder: Path, *, files: int, directory: int) -> None:
    for file in folder.iterdir():
        file.chmod(files)
    folder.chmod(directory)


MODES = [(0o444, 0o755), (0o444, 0o555), (0o644, 0o555)]


@pytest.mark.parametrize(("files", "directory"), MODES)
def test_what_may_not_be_written_is_read_and_left_as_it_is(
    told: Told, path: Path, files: int, directory: int
) -> None:
    close(path.parent, files=files, directory=directory)

    read, refused = told(path)

    assert read == "['Bash']"
    assert refused.startswith(
        f"StoreReadOnly: {path}: cannot be written: no permission"
    )
    assert [file.name for file in path.parent.iterdir()] == ["a.db"]


@pytest.mark.parametrize(("files", "directory"), MODES)
def test_what_somebody_else_writes_meanwhile_is_read(
    told: Told, path: Path, files: int, directory: int
) -> None:
    writer = open_database(str(path))
    writer.execute(PUT, ("Read",))  # it stands in the log alone
    close(path.parent, files=files, directory=directory)

    read, refused = told(path)
    writer.close()

    assert read == "['Bash', 'Read']"
    assert refused.startswith("StoreReadOnly: ")


def test_after_reading_it_can_be_written_when_it_may_be(told: Told, path: Path) -> None:
    path.chmod(0o444)
    before = told(path)
    path.chmod(0o600)

    after = told(path)

    assert before[1].startswith("StoreReadOnly: ")
    assert after == ["['Bash']", "written"]


def leave_log(path: Path) -> None:
    """Leave a log that holds something, as a kill does when the index of it is lost."""
    writer = open_database(str(path))
    writer.execute(PUT, ("Read",))
    log = path.with_name("a.db-wal").read_bytes()
    writer.close()
    path.with_name("a.db-wal").write_bytes(log)


def test_a_log_that_cannot_be_read_without_writing_is_refused_with_what_to_do(
    told: Told, path: Path
) -> None:
    leave_log(path)
    close(path.parent, files=0o444, directory=0o555)

    (refused,) = told(path)

    assert refused.startswith(f"StoreReadOnly: {path}: a.db-wal holds changes")
    assert "copy a.db and a.db-wal together" in refused


def test_an_empty_log_is_no_hindrance(told: Told, path: Path) -> None:
    path.with_name("a.db-wal").touch()
    close(path.parent, files=0o444, directory=0o555)

    assert told(path)[0] == "['Bash']"


def test_a_database_that_cannot_be_made_is_refused_in_one_line(
    told: Told, folder: Path
) -> None:
    folder.chmod(0o555)

    (refused,) = told(folder / "new" / "b.db")

    assert refused.startswith("StoreReadOnly: ")
    assert "Permission denied" in refused


def test_a_file_that_may_not_even_be_read_is_refused_in_one_line(
    told: Told, path: Path
) -> None:
    path.chmod(0o000)

    (refused,) = told(path)

    assert refused.startswith(f"StoreReadOnly: {path}: cannot be opened")


def test_a_file_that_changes_under_a_reader_without_locks_is_noticed(
    without_rights: list[str], path: Path
) -> None:
    path.parent.chmod(0o555)
    with subprocess.Popen(
        [*without_rights, READ_TWICE, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdout is not None
        first = reader.stdout.readline()
        path.parent.chmod(0o755)
        writer = open_database(str(path))
        writer.execute_many(PUT, [(f"tool {n}",) for n in range(100)])
        empty_log(writer)
        writer.close()
        second, _ = reader.communicate("\n")

    assert first == "[('Bash',)]\n"
    assert "changed it while it was read; try again" in second


@pytest.fixture
def reading(path: Path) -> Iterator[Store]:
    store = ReadOnlySqliteStore(path)
    yield store
    store.close()


WRITES: list[Callable[[ReadOnlySqliteStore], object]] = [
    lambda store: store.execute(PUT, ("Write",)),
    lambda store: store.execute_many(PUT, [("Write",)]),
    lambda store: store.execute_script("DELETE FROM tools"),
    lambda store: store.transaction().__enter__(),
    lambda store: store.query_all(PUT, ("Write",)),
    rewrite,
]


@pytest.mark.parametrize("write", WRITES)
def test_every_way_of_writing_is_refused(
    reading: ReadOnlySqliteStore, write: Callable[[ReadOnlySqliteStore], object]
) -> None:
    with pytest.raises(StoreReadOnly):
        write(reading)

    assert reading.query_all(TOOLS) == [("Bash",)]


def test_a_backup_is_made_of_what_can_only_be_read(
    reading: Store, tmp_path: Path
) -> None:
    back_up(reading, tmp_path / "copy.db")

    copy = open_database(str(tmp_path / "copy.db"))
    assert copy.query_all(TOOLS) == [("Bash",)]
    assert copy.read_only_reason is None
    copy.close()


def test_tables_of_an_older_version_are_named_where_nothing_can_be_written(
    path: Path,
) -> None:
    older = open_database(str(path))
    older.execute(FORGET)
    older.close()
    reading = ReadOnlySqliteStore(path)

    with pytest.raises(StoreReadOnly, match=r"an older oldhand \(schema 1; this one"):
        migrate(reading)
    reading.close()


def test_a_database_without_tables_is_named_where_nothing_can_be_written(
    tmp_path: Path,
) -> None:
    path = tmp_path / "empty.db"
    made = apsw.Connection(str(path))
    made.execute("PRAGMA application_id=0x6F6C6468").fetchall()
    made.close()
    reading = ReadOnlySqliteStore(path)

    with pytest.raises(StoreReadOnly, match="holds no tables of oldhand"):
        migrate(reading)
    reading.close()


def test_another_programs_database_is_refused_for_reading_too(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    theirs = apsw.Connection(str(path))
    theirs.execute("CREATE TABLE t (x)").fetchall()
    theirs.close()

    with pytest.raises(StoreMismatch, match="not a database of oldhand"):
        ReadOnlySqliteStore(path)


@pytest.fixture
def read_only_disk(path: Path, tmp_path: Path) -> Iterator[Path]:
    """Show the folder again as a disk that is mounted read-only, where that is permitted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount") or ""
    bind = [mount, "--bind", str(path.parent), str(disk)]
    if not mount or os.getuid() or subprocess.run(bind, check=False).returncode:
        pytest.skip("mounting a disk read-only is not permitted here")
    subprocess.run([mount, "-o", "remount,ro,bind", str(disk)], check=True)
    yield disk
    subprocess.run([shutil.which("umount") or "umount", str(disk)], check=True)


def test_a_disk_that_is_mounted_read_only_is_read_and_named(
    read_only_disk: Path,
) -> None:
    path = read_only_disk / "a.db"

    store = open_database(str(path))

    assert store.query_all(TOOLS) == [("Bash",)]
    assert store.read_only_reason == f"{path} lies on a disk that is mounted read-only"
    store.close()


def test_what_may_be_written_has_no_reason_not_to_be(path: Path) -> None:
    store = open_database(str(path))

    assert store.read_only_reason is None
    assert unwritable(path) is None
    assert unwritable(path.with_name("none.db")) is None
    assert why_read_only(path).startswith("no permission")
    store.close()

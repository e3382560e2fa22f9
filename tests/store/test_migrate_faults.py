"""Migrations that are killed, or that several processes begin at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from oldhand.store import Query, open_database
from oldhand.store.migrate import Migration, migrate, migrations
from oldhand.store.sqlite import SqliteStore

SPAWN = multiprocessing.get_context("spawn")
APPLIED = Query("applied", "SELECT version FROM migrations ORDER BY version", "")
TABLES = Query("tables", "SELECT name FROM sqlite_master WHERE type = 'table'", "")
CHECK = Query("check", "PRAGMA integrity_check", "")

# Later Pythons warn of a fork beside threads; here the child does one thing and ends.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


class Suicidal(SqliteStore):
    """Dies by kill -9 inside a migration, after its script and before its record."""

    def __init__(self, path: str, *, at_version: int) -> None:
        """Die in the migration of that number."""
        super().__init__(path)
        self._scripts_left = at_version

    def execute_script(self, script: str) -> None:
        """Run the script, and die if it is the one."""
        super().execute_script(script)
        self._scripts_left -= 1
        if not self._scripts_left:
            # Some of it is in the log already, as after a large migration.
            self._connection.cache_flush()
            os.kill(os.getpid(), signal.SIGKILL)


def _migrate_and_die(path: str, at_version: int) -> None:
    migrate(Suicidal(path, at_version=at_version))


@pytest.mark.parametrize("version", [one.version for one in migrations("sqlite")])
def test_a_migration_that_is_killed_has_not_happened_nor_those_before_it(
    tmp_path: Path, version: int
) -> None:
    path = str(tmp_path / "a.db")
    migrating = SPAWN.Process(target=_migrate_and_die, args=(path, version))
    migrating.start()
    migrating.join()
    assert migrating.exitcode == -signal.SIGKILL

    store = SqliteStore(path)
    tables = store.query_all(TABLES)
    after = migrate(store)

    assert tables == []
    assert after == migrations("sqlite")
    assert store.query_all(CHECK) == [("ok",)]
    store.close()


def open_at_once(path: Path, *, processes: int) -> list[int | None]:
    """Let processes open one file at the same moment; return their exit codes."""
    forked = multiprocessing.get_context("fork")
    barrier = forked.Barrier(processes)

    def open_one() -> None:
        barrier.wait(10)
        open_database(str(path)).close()

    started = [forked.Process(target=open_one) for _ in range(processes)]
    for process in started:
        process.start()
    for process in started:
        process.join()
    return [process.exitcode for process in started]


def applied_to(path: Path) -> list[int]:
    store = SqliteStore(path)
    found = [row[0] for row in store.query_all(APPLIED)]
    store.close()
    return found


@pytest.mark.parametrize("number", range(4))
def test_processes_that_make_a_database_at_the_same_moment_all_succeed(
    tmp_path: Path, number: int
) -> None:
    path = tmp_path / f"new {number}" / "a.db"

    codes = open_at_once(path, processes=6)

    assert codes == [0] * 6
    assert applied_to(path) == [one.version for one in migrations("sqlite")]


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_hundred_databases_made_by_six_at_once_are_all_well(tmp_path: Path) -> None:
    for number in range(100):
        path = tmp_path / f"new {number}" / "a.db"

        assert open_at_once(path, processes=6) == [0] * 6


def test_two_stores_that_both_saw_the_old_tables_migrate_once(tmp_path: Path) -> None:
    first, second = (SqliteStore(tmp_path / "a.db") for _ in range(2))
    assert not first.has_table("migrations")
    assert not second.has_table("migrations")

    by_first = migrate(first)
    by_second: list[Migration] = migrate(second)

    assert by_first == migrations("sqlite")
    assert by_second == []
    first.close()
    second.close()

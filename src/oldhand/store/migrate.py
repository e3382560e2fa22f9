"""Bring a database to the tables that this version of oldhand uses.

Numbered files, `schema/NNNN_name.DIALECT.sql`, all that are missing applied in one
transaction together with their records: after a kill at any moment a database is as it was
or up to date. A released file never changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from oldhand.clock import Clock, system_clock
from oldhand.errors import StoreMismatch, StoreReadOnly
from oldhand.named_tuple import NamedTuple
from oldhand.store.connector import Store
from oldhand.store.queries import Queries, read_beside

_SQL = Queries(__package__)


class Migration(NamedTuple):
    """One numbered file of `schema/`."""

    version: int
    name: str
    filename: str


class Migratable(Store, Protocol):
    """What migrating needs of an engine beyond the seam."""

    @property
    def dialect(self) -> str:
        """The word for the engine in the names of the schema's files."""

    def has_table(self, name: str) -> bool:
        """Say whether a table is there."""

    def execute_script(self, script: str) -> None:
        """Run several statements that take no parameters."""


def migrations(dialect: str) -> list[Migration]:
    """Return the migrations of a dialect in the order of their numbers."""
    suffix = f".{dialect}.sql"
    found = []
    for entry in Path(__file__).with_name("schema").iterdir():
        if entry.name.endswith(suffix):
            number, _, name = entry.name.removesuffix(suffix).partition("_")
            found.append(Migration(int(number), name, entry.name))
    return sorted(found)


def check_numbers(known: Sequence[Migration]) -> None:
    """Refuse migrations whose numbers are not 1, 2, 3 and so on.

    A database remembers the highest number that it has: of two files with one number the
    second would never be applied where the first was, nor one that fills a gap.

    Args:
        known: Of one dialect, in the order of their numbers.

    Raises:
        StoreMismatch: There is none, two have one number, or a number is left out.
    """
    if not known:
        raise StoreMismatch("this oldhand is installed without the files of its tables")
    for expected, migration in enumerate(known, 1):
        if migration.version != expected:
            raise StoreMismatch(
                f"this oldhand is not whole: the file of tables {migration.filename} "
                f"stands where number {expected:04} is expected; each number stands "
                "once, and none is left out; install it anew"
            )


def migrate(store: Migratable, *, clock: Clock = system_clock) -> list[Migration]:
    """Apply what is missing; return what was applied.

    Raises:
        StoreMismatch: The database was made by a newer version of oldhand, or the
            migrations that came with this one are not whole.
        StoreReadOnly: It was made by an older one, and cannot be written.
    """
    known = migrations(store.dialect)
    check_numbers(known)
    applied = _applied_version(store)
    latest = known[-1].version
    if applied > latest:
        raise StoreMismatch(
            f"{store.url}: made by a newer oldhand (schema {applied}; this one knows "
            f"{latest}): upgrade oldhand"
        )
    missing = [migration for migration in known if migration.version > applied]
    if not missing:
        return []
    try:
        with store.transaction():  # one commit: to be durable costs the same for all
            return [each for each in missing if _apply(store, each, clock=clock)]
    except StoreReadOnly as fault:
        raise _cannot_migrate(store.url, applied, latest) from fault


def _cannot_migrate(url: str, applied: int, latest: int) -> StoreReadOnly:
    if not applied:
        return StoreReadOnly(
            f"{url}: holds no tables of oldhand, and none can be made, as it cannot be "
            "written"
        )
    return StoreReadOnly(
        f"{url}: its tables are those of an older oldhand (schema {applied}; this one "
        f"needs {latest}) and cannot be brought up to date, as it cannot be written; open "
        "it once where it can, or read it with the oldhand that made it"
    )


def _applied_version(store: Migratable) -> int:
    if not store.has_table("migrations"):
        return 0
    rows = store.query_all(_SQL["applied_migrations"])
    return int(rows[-1][0]) if rows else 0


def _apply(store: Migratable, migration: Migration, *, clock: Clock) -> bool:
    """Apply one, inside a transaction; False where another process was quicker."""
    script = read_beside(__package__, f"schema/{migration.filename}")
    store.query_all(_SQL["lock_migrations"])
    if not store.has_table("migrations"):
        store.execute(_SQL["create_migrations"])
    if _applied_version(store) >= migration.version:
        return False
    store.execute_script(script)
    store.execute(
        _SQL["record_migration"], (migration.version, migration.name, clock())
    )
    return True

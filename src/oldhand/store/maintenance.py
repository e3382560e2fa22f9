"""What only the engine knows: how large things are, whether they are sound, and upkeep.

Everything here may be slow. Nothing of it is needed to read or to write sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from oldhand.errors import InvalidInput
from oldhand.store.connector import Store
from oldhand.store.queries import Queries, Query
from oldhand.store.sqlite import SqliteStore
from oldhand.store.sqlite_open import MEMORY
from oldhand.store.writer_queue import WriterQueue

_SQL = Queries(__package__)
_PREFIX = "sqlite:///"
_IN_MEMORY_BYTES = (
    256 * 1024 * 1024
)  # a larger database is rewritten by way of the disk
_READER_WAIT_MS = 2_000
_BUSY_TIMEOUT_MS = 10_000
_STUCK_SECONDS = 1.0


class TableInfo(NamedTuple):
    """One table: its rows, and its size with its indexes."""

    name: str
    rows: int
    size_bytes: int


class DatabaseInfo(NamedTuple):
    """A database's vital figures; None where the engine has no such thing.

    Attributes:
        url: Where it is, without a password.
        engine: `SQLite` or `PostgreSQL`.
        engine_version: As `3.54.1`.
        schema_version: The number of the last migration.
        size_bytes: Of the database, without its write-ahead log.
        page_bytes: Of a page.
        page_count: All pages.
        free_pages: Those that hold nothing; `oldhand db compact` returns them.
        wal_bytes: Of the write-ahead log.
        journal_mode: As SQLite calls it.
        tables: The largest first.
    """

    url: str
    engine: str
    engine_version: str
    schema_version: int
    size_bytes: int
    page_bytes: int | None
    page_count: int | None
    free_pages: int | None
    wal_bytes: int | None
    journal_mode: str | None
    tables: list[TableInfo]


class Rewritten(NamedTuple):
    """What rewriting a database did.

    Attributes:
        before_bytes: Its size before.
        after_bytes: Its size now.
        is_log_empty: False where another process was reading, so that old pages are
            still in the write-ahead log.
    """

    before_bytes: int
    after_bytes: int
    is_log_empty: bool


def file_of(store: Store) -> Path | None:
    """Return the database's file; None where it has none of its own."""
    if not isinstance(store, SqliteStore):
        return None
    path = store.url.removeprefix(_PREFIX)
    return None if path == MEMORY else Path(path)


def database_info(store: Store) -> DatabaseInfo:
    """Count rows and measure tables; it reads the whole database."""
    tables = [
        TableInfo(name, _count(store, name), int(size))
        for name, size in store.query_all(_SQL["table_sizes"])
    ]
    common: dict[str, Any] = {
        "url": store.url,
        "engine_version": engine_version(store),
        "schema_version": store.query_all(_SQL["applied_migrations"])[-1][0],
        "tables": tables,
    }
    if not isinstance(store, SqliteStore):
        return DatabaseInfo(
            engine="PostgreSQL",
            size_bytes=int(_value(store, "database_size")),
            page_bytes=None,
            page_count=None,
            free_pages=None,
            wal_bytes=None,
            journal_mode=None,
            **common,
        )
    page_bytes, page_count, free_pages, journal_mode = store.query_all(
        _SQL["page_facts"]
    )[0]
    return DatabaseInfo(
        engine="SQLite",
        size_bytes=page_bytes * page_count,
        page_bytes=page_bytes,
        page_count=page_count,
        free_pages=free_pages,
        wal_bytes=_wal_bytes(store),
        journal_mode=journal_mode,
        **common,
    )


def engine_version(store: Store) -> str:
    """Return the version of the engine, as `3.54.1`."""
    return str(_value(store, "engine_version"))


def is_writer_stuck(database: Path) -> bool:
    """Say whether one process has held the writers' lock for a second."""
    queue = WriterQueue(database, limit_seconds=_STUCK_SECONDS)
    try:
        queue.enter()
    except TimeoutError:
        return True
    finally:
        queue.leave()
        queue.close()
    return False


def used_bytes(store: Store) -> int:
    """Return how much room the rows take, without free pages."""
    if not isinstance(store, SqliteStore):
        return int(_value(store, "database_size"))
    page_bytes, page_count, free_pages, _ = store.query_all(_SQL["page_facts"])[0]
    return int(page_bytes * (page_count - free_pages))


def engine_faults(store: Store) -> list[str]:
    """Return what the engine finds wrong with its own pages and references.

    PostgreSQL checks itself; for it the list is empty.
    """
    if not isinstance(store, SqliteStore):
        return []
    faults = [str(row[0]) for row in store.query_all(_SQL["integrity_faults"])]
    for table, parent, count in store.query_all(_SQL["foreign_key_faults"]):
        faults.append(f"{count} rows of {table} point to no row of {parent}")
    return faults


@contextmanager
def secure_deletes(store: Store) -> Iterator[None]:
    """Overwrite with zeros what is deleted inside the block."""
    if not isinstance(store, SqliteStore):
        yield
        return
    store.query_all(_SQL["secure_delete_on"])
    try:
        yield
    finally:
        store.query_all(_SQL["secure_delete_off"])


def rewrite(store: Store) -> Rewritten:
    """Write the whole database anew, so that nothing deleted is left in it.

    Pages that were freed, and the unused ends of pages that rows moved away from, still
    hold old text. It needs as much free room as the database takes, and writers wait.

    Raises:
        StoreFull: There is not so much room; nothing has changed.
    """
    before = used_bytes(store)
    if not isinstance(store, SqliteStore):
        store.query_all(_vacuum(store))
        return Rewritten(before, used_bytes(store), is_log_empty=True)
    before = database_bytes(store)
    with store.lend() as connection:
        if connection.table_exists(None, "sqlite_stat4"):
            connection.execute("ANALYZE")  # its samples are values of rows
        if before <= _IN_MEMORY_BYTES:
            connection.execute("PRAGMA temp_store=MEMORY")
        try:
            connection.execute("VACUUM")
        finally:
            connection.execute("PRAGMA temp_store=DEFAULT")
    is_log_empty = empty_log(store)
    return Rewritten(before, database_bytes(store), is_log_empty)


def _vacuum(store: Store) -> Query:
    """Return the statement for our tables: the database may hold others, too."""
    names = ", ".join(f'"{name}"' for name, _ in store.query_all(_SQL["table_sizes"]))
    return Query("vacuum", "", f"{_SQL['vacuum'].postgres} {names}")


def empty_log(store: Store) -> bool:
    """Move the write-ahead log into the database and cut it to nothing.

    Returns:
        False where another process was reading all the while.
    """
    if not isinstance(store, SqliteStore):
        return True
    import apsw  # noqa: PLC0415 - the engine is there, as the store is

    with store.lend() as connection:
        connection.set_busy_timeout(_READER_WAIT_MS)
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except (apsw.BusyError, apsw.LockedError):
            return False
        finally:
            connection.set_busy_timeout(_BUSY_TIMEOUT_MS)
    return not _wal_bytes(store)


def leaves_holes(store: Store) -> bool:
    """Say whether rows that shrink leave room that no later row takes.

    SQLite keeps rows in the order of their keys, and ours grow; PostgreSQL puts a row
    wherever there is room.
    """
    return isinstance(store, SqliteStore)


def database_bytes(store: Store) -> int:
    """Return the size of the database, free pages included."""
    if not isinstance(store, SqliteStore):
        return int(_value(store, "database_size"))
    page_bytes, page_count, *_ = store.query_all(_SQL["page_facts"])[0]
    return int(page_bytes * page_count)


def back_up(
    store: Store, path: Path, *, progress: Callable[[int, int], None] | None = None
) -> int:
    """Copy the database as it is now, while others go on reading and writing.

    Args:
        store: What to copy.
        path: A file that is not there yet; it is made with mode 0600 and checked.
        progress: Called with the pages that are left and with all pages.

    Returns:
        The copy's size in bytes.

    Raises:
        InvalidInput: The database is PostgreSQL's, which has `pg_dump`.
        Conflict: The file is there already.
        StoreError: It cannot be written, or the copy is not sound.
    """
    if not isinstance(store, SqliteStore):
        raise InvalidInput(
            f"{store.url}: back it up with PostgreSQL's own pg_dump, as in "
            "pg_dump --format=custom --file=oldhand.dump"
        )
    from oldhand.store.backup import copy_database  # noqa: PLC0415 - one command's

    return copy_database(store, file_of(store), path, progress=progress)


def _value(store: Store, name: str) -> Any:  # noqa: ANN401 - as the query says
    row = store.query_one(_SQL[name])
    return None if row is None else row[0]


def _count(store: Store, table: str) -> int:
    text = f'SELECT count(*) FROM "{table}"'  # noqa: S608 - a name from the catalogue
    row = store.query_one(Query("count", text, text))
    return int(row[0]) if row else 0


def _wal_bytes(store: Store) -> int:
    path = file_of(store)
    if path is None:
        return 0
    try:
        return path.with_name(path.name + "-wal").stat().st_size
    except OSError:
        return 0

"""Read another program's SQLite file without being able to harm it.

The file is only ever opened by SQLite, with `mode=ro`, while its owner may be writing to
it. It is never opened, hashed or copied by file I/O: closing any descriptor of a file
drops all POSIX locks that the process holds on it, which has corrupted databases. Nor is
it opened as immutable, which reads pages while they change. A database in WAL mode gets
its `-wal` and `-shm` files from SQLite even when it is only read, where they are not
there; the database's own bytes stay as they are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import apsw

from oldhand.errors import UnreadableSource

BUSY_TIMEOUT_MS = 5_000
_RETRIES = 3
_RETRY_AFTER_SECONDS = 0.05
_PROGRESS_STEPS = 20_000  # without a progress handler Ctrl-C waits for a long query

# Beside a writer in WAL mode a reader can meet these for a moment.
_PASSING = (apsw.IOError, apsw.BusyError, apsw.LockedError)

_MEANINGS: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.NotADBError, "not a SQLite database, or an encrypted one"),
    (apsw.CorruptError, "a damaged SQLite database, or one cut short"),
    (apsw.BusyError, "locked by another program for too long; try again"),
    (apsw.LockedError, "locked by another program for too long; try again"),
    (apsw.CantOpenError, "cannot be opened; its directory may have to be writable"),
    (
        apsw.ReadOnlyError,
        "in WAL mode, in which SQLite makes files beside it even to read it, and its "
        "directory cannot be written; copy it, with its -wal if there is one, to a "
        "directory of your own",
    ),
    (apsw.PermissionsError, "not permitted"),
)

T = TypeVar("T")


class ForeignDatabase:
    """A read-only connection to a file that belongs to another program.

    `open_foreign` makes it; one thread uses it, as a context manager.
    """

    def __init__(
        self, path: Path, *, busy_timeout_ms: int, sleep: Callable[[float], None]
    ) -> None:
        self._path = path
        self._sleep = sleep
        self._connection = self._try(lambda: _connect(path, busy_timeout_ms))

    def columns(self, table: str) -> frozenset[str]:
        """Return the names of a table's columns; none where there is no such table.

        Raises:
            UnreadableSource: The schema cannot be read.
        """
        found = self.rows("SELECT name FROM pragma_table_info(?)", (table,))
        return frozenset(name for (name,) in found)

    def rows(
        self, sql: str, parameters: Sequence[Any] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Run one query and return its rows.

        All rows are fetched before the first is handed out: no transaction stays open
        while the caller works, and a passing fault is tried again. Where there may be
        many, ask for a page at a time, by key and `LIMIT`.

        Args:
            sql: One SELECT.
            parameters: Values for its question marks.

        Raises:
            UnreadableSource: Pages are damaged, a text is not UTF-8, the file is locked
                for too long, or the query names what is not there.
        """
        values = tuple(parameters)
        return iter(self._try(lambda: self._connection.execute(sql, values).fetchall()))

    def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _try(self, action: Callable[[], T]) -> T:
        """Act, and again after a passing fault; its errors become ours."""
        retries = _RETRIES
        while True:
            try:
                return action()
            except UnicodeDecodeError as fault:
                raise UnreadableSource(
                    f"{self._path}: holds text that is not UTF-8"
                ) from fault
            except apsw.Error as fault:
                if not retries or not isinstance(fault, _PASSING):
                    raise _translated(fault, self._path) from fault
            retries -= 1
            self._sleep(_RETRY_AFTER_SECONDS)


def open_foreign(
    path: Path,
    *,
    busy_timeout_ms: int = BUSY_TIMEOUT_MS,
    sleep: Callable[[float], None] = time.sleep,
) -> ForeignDatabase:
    """Open another program's SQLite file for reading, also while it is written to.

    Args:
        path: The database file.
        busy_timeout_ms: How long one attempt waits for a lock, in milliseconds. There
            are four attempts.
        sleep: Waits the given number of seconds between attempts.

    Raises:
        UnreadableSource: The file is missing or empty, or no SQLite database.
    """
    try:
        size = path.stat().st_size if path.is_file() else None
    except OSError as fault:
        raise UnreadableSource(f"{path}: {fault.strerror or fault}") from fault
    if not size:
        found = "there is no such file" if size is None else "the file is empty"
        raise UnreadableSource(f"{path}: {found}; expected a SQLite database")
    return ForeignDatabase(path, busy_timeout_ms=busy_timeout_ms, sleep=sleep)


def _connect(path: Path, busy_timeout_ms: int) -> apsw.Connection:
    """Connect and read the header, which SQLite itself leaves for the first query."""
    # as_uri quotes: a ? or a # in a path would otherwise cut it there.
    connection = apsw.Connection(
        path.resolve().as_uri() + "?mode=ro",
        flags=apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READONLY,
    )
    try:
        connection.set_busy_timeout(busy_timeout_ms)
        connection.set_progress_handler(lambda: False, _PROGRESS_STEPS)
        # A view in somebody else's schema may not call functions with side effects.
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except apsw.Error:
        connection.close()
        raise
    return connection


def _translated(fault: apsw.Error, path: Path) -> UnreadableSource:
    meanings = (text for theirs, text in _MEANINGS if isinstance(fault, theirs))
    meaning = next(meanings, "cannot be read as a SQLite database")
    return UnreadableSource(f"{path}: {meaning} ({fault})")

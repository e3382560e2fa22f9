"""Open the database that a URL names."""

from __future__ import annotations

from pathlib import Path

from oldhand.errors import InvalidInput, StoreMismatch
from oldhand.store.connector import Store
from oldhand.store.migrate import Migratable, migrate
from oldhand.store.sqlite import SqliteStore
from oldhand.store.sqlite_open import MEMORY
from oldhand.store.writable import unwritable

_POSTGRES = frozenset(("postgresql", "postgres"))


def open_database(url: str) -> Store:
    """Open a database and bring its tables up to date.

    A SQLite file that may not be written is opened for reading, and so is a PostgreSQL
    database where the server lets nobody write: `read_only_reason` says why, and writing
    raises `StoreReadOnly`.

    Args:
        url: A path, `sqlite:///PATH`, `:memory:`, or
            `postgresql://USER:PASSWORD@HOST:PORT/NAME`.

    Raises:
        InvalidInput: The URL names an engine that oldhand does not know, or one whose
            driver is not installed.
        StoreError: The database cannot be used; the subclass says why.
    """
    store = _connect(url)
    try:
        migrate(store)
    except BaseException:
        store.close()
        raise
    return store


def is_postgres(url: str) -> bool:
    """Say whether a URL names a PostgreSQL database."""
    scheme, separator, _ = url.partition("://")
    return bool(separator) and scheme in _POSTGRES


def file_named_by(url: str) -> Path | None:
    """Return the file that a URL names; None where it names none: `:memory:`, PostgreSQL.

    Raises:
        InvalidInput: The URL is empty, or names an engine that oldhand does not know.

    Example:
        >>> str(file_named_by("sqlite:////srv/oldhand.db"))
        '/srv/oldhand.db'
    """
    if is_postgres(url):
        return None
    scheme, separator, rest = url.partition("://")
    path = rest.removeprefix("/") if separator else url
    if (separator and scheme != "sqlite") or not path:
        raise InvalidInput(
            f"{f'{scheme}://…' if separator else url!r}: not a database that this version "
            "opens; expected a path, sqlite:///PATH or postgresql://…"
        )
    return None if path == MEMORY else _expanded(path)


def _expanded(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError as fault:  # ~somebody who has no home here
        raise InvalidInput(f"{path}: {fault}") from fault


def _connect(url: str) -> Migratable:
    if is_postgres(url):
        return _postgres(url)
    path = file_named_by(url)
    if path is not None:
        _refuse_directory(path)
    if path is None or unwritable(path) is None:
        return SqliteStore(path or MEMORY)
    from oldhand.store.sqlite_read_only import ReadOnlySqliteStore  # noqa: PLC0415 - rare

    return ReadOnlySqliteStore(path)


def _refuse_directory(path: Path) -> None:
    try:
        is_directory = path.is_dir()
    except PermissionError:  # of a directory above it, for SQLite to name
        return
    if is_directory:
        raise StoreMismatch(
            f"{path}: a directory; expected a file, as {path}/oldhand.db"
        )


def _postgres(url: str) -> Migratable:
    try:
        # A tenth of a second, and a driver that only those who use PostgreSQL have.
        from oldhand.store.postgres import PostgresStore  # noqa: PLC0415
    except ImportError as fault:
        from oldhand.extras import install_command  # noqa: PLC0415 - no hook needs it

        raise InvalidInput(
            "postgresql://… needs the driver psycopg: "
            f"{install_command('postgres')} ({fault})"
        ) from fault
    return PostgresStore(url)

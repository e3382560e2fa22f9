"""Open the database that a URL names."""

from __future__ import annotations

from pathlib import Path

from oldhand.errors import InvalidInput
from oldhand.store.connector import Store
from oldhand.store.migrate import Migratable, migrate
from oldhand.store.sqlite import SqliteStore
from oldhand.store.sqlite_open import MEMORY

_POSTGRES = frozenset(("postgresql", "postgres"))


def open_database(url: str) -> Store:
    """Open a database and bring its tables up to date.

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


def _connect(url: str) -> Migratable:
    scheme, separator, rest = url.partition("://")
    if separator and scheme in _POSTGRES:
        return _postgres(url)
    if separator and scheme != "sqlite":
        raise InvalidInput(
            f"{scheme}://…: not a database that this version opens; expected a path, "
            "sqlite:///PATH or postgresql://…"
        )
    path = rest.removeprefix("/") if separator else url
    return SqliteStore(MEMORY if path == MEMORY else Path(path).expanduser())


def _postgres(url: str) -> Migratable:
    try:
        # A tenth of a second, and a driver that only those who use PostgreSQL have.
        from oldhand.store.postgres import PostgresStore  # noqa: PLC0415
    except ImportError as fault:
        raise InvalidInput(
            "postgresql://… needs the driver psycopg: pip install 'oldhand[postgres]' "
            f"({fault})"
        ) from fault
    return PostgresStore(url)

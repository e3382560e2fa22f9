"""Open the database that a URL names."""

from __future__ import annotations

from pathlib import Path

from oldhand.errors import InvalidInput
from oldhand.store.connector import Store
from oldhand.store.migrate import migrate
from oldhand.store.sqlite import MEMORY, SqliteStore


def open_database(url: str) -> Store:
    """Open a database and bring its tables up to date.

    Args:
        url: A path, `sqlite:///PATH`, or `:memory:`.

    Raises:
        InvalidInput: The URL names an engine that oldhand does not know.
        StoreError: The database cannot be used; the subclass says why.
    """
    scheme, separator, rest = url.partition("://")
    if separator and scheme != "sqlite":
        raise InvalidInput(
            f"{scheme}://…: not a database that this version opens; expected a path or "
            "sqlite:///PATH"
        )
    path = rest.removeprefix("/") if separator else url
    store = SqliteStore(MEMORY if path == MEMORY else Path(path).expanduser())
    try:
        migrate(store)
    except BaseException:
        store.close()
        raise
    return store

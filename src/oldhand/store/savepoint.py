"""A part of a transaction that can be undone alone, in the words that both engines know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from oldhand.errors import StoreError
from oldhand.store.connector import Store
from oldhand.store.queries import Queries

_SQL = Queries(__package__)


@contextmanager
def savepoint(store: Store) -> Iterator[None]:
    """Undo what the block wrote when it raises, and nothing of what was written before.

    It joins the transaction that this thread has open, or opens one. A fault for which
    the engine undoes the whole transaction, as on a full disk, undoes it here too: then
    the end of the transaction raises.

    Example:
        >>> from oldhand.store import Query, open_database
        >>> store = open_database(":memory:")
        >>> put = Query("put", "INSERT INTO kv VALUES (:key, :value)", "")
        >>> with store.transaction():
        ...     _ = store.execute(put, ("a", "kept"))
        ...     try:
        ...         with savepoint(store):
        ...             _ = store.execute(put, ("b", "undone"))
        ...             raise LookupError
        ...     except LookupError:
        ...         pass
        >>> store.query_all(Query("all", "SELECT key FROM kv WHERE key < 'c'", ""))
        [('a',)]
        >>> store.close()
    """
    with store.transaction():
        store.execute(_SQL["savepoint"])
        try:
            yield
        except BaseException:
            with suppress(StoreError):  # the block's own fault says more
                store.execute(_SQL["undo_savepoint"])
                store.execute(_SQL["release_savepoint"])
            raise
        store.execute(_SQL["release_savepoint"])

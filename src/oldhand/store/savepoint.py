"""A part of a transaction that can be undone alone, in the words that both engines know."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from types import TracebackType

from oldhand.errors import StoreError
from oldhand.store.connector import Store
from oldhand.store.queries import Queries

_SQL = Queries(__package__)
_NOTHING = nullcontext()


def savepoint(store: Store) -> AbstractContextManager[None]:
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
    return _Savepoint(store)


def one_statement(store: Store) -> AbstractContextManager[None]:
    """Undo what the block's one statement wrote when it raises, as `savepoint` does.

    SQLite does so by itself: there nothing is set, which saves two statements.
    """
    return _NOTHING if store.dialect == "sqlite" else savepoint(store)


class _Savepoint:
    """The block; a generator took as long as the two statements of the savepoint."""

    __slots__ = ("_store", "_transaction")

    def __init__(self, store: Store) -> None:
        self._store = store

    def __enter__(self) -> None:
        self._transaction = self._store.transaction()  # PostgreSQL's serves once
        self._transaction.__enter__()
        try:
            self._store.execute(_SQL["savepoint"])
        except BaseException:
            self._transaction.__exit__(*sys.exc_info())
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._store.execute(_SQL["release_savepoint"])
            else:
                with suppress(StoreError):  # the block's own fault says more
                    self._store.execute(_SQL["undo_savepoint"])
                    self._store.execute(_SQL["release_savepoint"])
        except BaseException:
            self._transaction.__exit__(*sys.exc_info())
            raise
        self._transaction.__exit__(kind, fault, trace)

"""The seam: all that the rest of oldhand knows of a database.

An engine implements `Store`. Domain packages hand it named queries and plain values, and
get plain tuples back; engine errors have become ours when they leave here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from oldhand.store.queries import Query
from oldhand.store.watch import Watch

Row = tuple[Any, ...]
Parameters = Mapping[str, Any] | Sequence[Any]
"""By name, or in the order in which the names first stand in the query."""


class Store(Protocol):
    """An open database with oldhand's tables.

    Every method may raise `StoreBusy`, `StoreReadOnly`, `StoreFull`, `StoreDamaged`, or
    `Conflict` where a constraint does not hold.
    """

    @property
    def dialect(self) -> str:
        """Whose SQL it takes: `sqlite` or `postgres`."""

    @property
    def url(self) -> str:
        """Where it is, without a password."""

    @property
    def read_only_reason(self) -> str | None:
        """Why it can only be read, so that writing raises `StoreReadOnly`.

        None where it can be written, as far as was seen on opening.
        """

    def query_one(self, query: Query, parameters: Parameters = ()) -> Row | None:
        """Return the first row, or None."""

    def query_all(self, query: Query, parameters: Parameters = ()) -> list[Row]:
        """Return all rows."""

    def execute(self, query: Query, parameters: Parameters = ()) -> int:
        """Run a statement; return how many rows it changed."""

    def execute_many(self, query: Query, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row, values in the order of its parameters."""

    def transaction(self) -> AbstractContextManager[None]:
        """Open a writing transaction, or join the one that this thread has open.

        It is durable when the block has ended, and undone when the block raises.
        """

    def another(self) -> Store:
        """Open the same database once more, for who reads while this one writes.

        A database in memory has one connection: it returns itself, and closing one closes
        both.
        """

    def watch(self, channel: str) -> Watch:
        """Notice what other connections write.

        Args:
            channel: With PostgreSQL, by which triggers notify of what matters; SQLite
                tells of every commit.
        """

    def close(self) -> None:
        """Close it; closing twice is harmless."""

"""PostgreSQL behind the seam, through psycopg 3, for more than one machine.

Statements outside a transaction commit by themselves. Writers do not queue: a row's lock
is the queue, and where two must not do the same thing at once, a query takes a lock of its
own (`store/queries.postgres.sql`, `sessions/queries.postgres.sql`). A lock is waited for
at most a minute.

Unlike SQLite, a statement that fails ends its transaction: nothing more can be done in it,
and leaving its block without the error is an error too.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import psycopg
from psycopg.pq import TransactionStatus

from oldhand.errors import StoreError, StoreMismatch
from oldhand.store.connector import Parameters, Row
from oldhand.store.placeholders import NumberedQuery, number_parameters
from oldhand.store.postgres_errors import translate
from oldhand.store.postgres_url import read_url
from oldhand.store.postgres_values import adapt
from oldhand.store.postgres_watch import NotifyWatch
from oldhand.store.queries import Query
from oldhand.store.watch import Watch

_LOCK_TIMEOUT_SECONDS = 60
_OLDEST_VERSION = 13
_READ_ONLY = {
    "in_hot_standby": "the server is a standby",
    "default_transaction_read_only": "default_transaction_read_only is on",
}
# Not to_regclass: inside a transaction it may answer from before another's commit.
_HAS_TABLE = Query(
    "has_table",
    "",
    "SELECT 1 FROM pg_class WHERE relname = :name AND pg_table_is_visible(oid)",
)

Connection = psycopg.Connection[Row]


class PostgresStore:
    """One connection to one PostgreSQL database, safe to share between threads.

    A connection that was lost is made anew by the first call after the one that failed.

    Args:
        url: `postgresql://USER:PASSWORD@HOST:PORT/NAME`, with what libpq takes after `?`;
            tables lie in the first schema of the search path.

    Raises:
        InvalidInput: The URL is not one that PostgreSQL takes.
        StoreError: The server is not there, or lets nobody in.
        StoreMismatch: The server is too old, or the database does not hold UTF-8.
    """

    dialect = "postgres"

    def __init__(self, url: str) -> None:
        """Connect."""
        self._given_url = url
        self._target = read_url(url)
        self._lock = threading.RLock()
        self._is_in_transaction = False
        self._is_closed = False
        self._read_only_reason: str | None = None
        self._process = os.getpid()
        self._connection = self._connect()

    @property
    def url(self) -> str:
        """Where it is, without a password."""
        return self._target.shown

    @property
    def read_only_reason(self) -> str | None:
        """Why it can only be read, as the server said on connecting.

        Before version 14 none says so. A right that is missing shows when it is needed.
        """
        return self._read_only_reason

    def query_one(self, query: Query, parameters: Parameters = ()) -> Row | None:
        """Return the first row, or None."""
        rows = self.query_all(query, parameters)
        return rows[0] if rows else None

    def query_all(self, query: Query, parameters: Parameters = ()) -> list[Row]:
        """Return all rows."""
        with self._open() as connection:
            cursor = _run(connection, query, parameters)
            return cursor.fetchall() if cursor.description else []

    def execute(self, query: Query, parameters: Parameters = ()) -> int:
        """Run a statement; return how many rows it changed."""
        with self._open() as connection:
            return max(0, _run(connection, query, parameters).rowcount)

    def execute_many(self, query: Query, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row, values in the order of its parameters."""
        numbered = _numbered(query)
        with self.transaction(), self._open() as connection:
            connection.cursor().executemany(numbered.text, map(numbered.values, rows))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Open a writing transaction, or join the one that this thread has open."""
        with self._lock:
            if self._is_in_transaction:
                yield
                return
            with self._open() as connection, connection.transaction():
                self._is_in_transaction = True
                try:
                    yield
                    self._check_unbroken(connection)
                finally:
                    self._is_in_transaction = False

    def has_table(self, name: str) -> bool:
        """Say whether a table is there."""
        return self.query_one(_HAS_TABLE, (name,)) is not None

    def execute_script(self, script: str) -> None:
        """Run several statements that take no parameters."""
        with self.transaction(), self._open() as connection:
            connection.execute(script)

    def another(self) -> Self:
        """Connect to the same database once more."""
        return type(self)(self._given_url)

    def watch(self, channel: str) -> Watch:
        """Hear what triggers notify of on a channel."""
        return NotifyWatch(self._connect(), channel, self.url)

    def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        with self._lock:
            self._is_closed = True
            if self._process == os.getpid():  # a fork's copy is the parent's to close
                self._connection.close()

    @contextmanager
    def _open(self) -> Iterator[Connection]:
        """Lend the connection to this thread; the driver's errors become ours."""
        if os.getpid() != self._process:
            raise StoreError(
                f"{self.url}: opened before a fork; open the store anew in the child"
            )
        with self._lock:
            if self._is_closed:
                raise StoreError(f"{self.url}: closed")
            if self._connection.closed and not self._is_in_transaction:
                self._connection = self._connect()
            try:
                yield self._connection
            except psycopg.Error as fault:
                raise translate(fault, self.url) from fault

    def _connect(self) -> Connection:
        try:
            connection = psycopg.connect(
                self._target.conninfo,
                autocommit=True,
                cursor_factory=psycopg.RawCursor,
                client_encoding="utf8",
            )
        except psycopg.Error as fault:
            said = "; ".join(str(fault).split("\n"))
            raise StoreError(f"{self.url}: cannot connect ({said})") from fault
        try:
            self._check_server(connection)
            connection.execute(f"SET lock_timeout = '{_LOCK_TIMEOUT_SECONDS}s'")
        except BaseException:
            connection.close()
            raise
        adapt(connection)
        self._read_only_reason = _read_only_reason(connection)
        return connection

    def _check_server(self, connection: Connection) -> None:
        version = connection.info.server_version // 10_000
        if version < _OLDEST_VERSION:
            raise StoreMismatch(
                f"{self.url}: PostgreSQL {version}; expected {_OLDEST_VERSION} or newer"
            )
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise StoreMismatch(
                f"{self.url}: holds text as {encoding}; expected a database made with "
                "ENCODING 'UTF8'"
            )

    def _check_unbroken(self, connection: Connection) -> None:
        """Refuse to end a failed transaction as if it were well: it would be undone."""
        if connection.info.transaction_status == TransactionStatus.INERROR:
            raise StoreError(
                f"{self.url}: a statement of this transaction failed; nothing of it "
                "was written"
            )


def _read_only_reason(connection: Connection) -> str | None:
    status = connection.info.parameter_status
    return next((why for name, why in _READ_ONLY.items() if status(name) == "on"), None)


def _numbered(query: Query) -> NumberedQuery:
    if not query.postgres:
        raise StoreError(f"the query {query.name!r} has no text for PostgreSQL")
    return number_parameters(query.postgres)


def _run(
    connection: Connection, query: Query, parameters: Parameters
) -> psycopg.Cursor[Row]:
    numbered = _numbered(query)
    return connection.execute(numbered.text, numbered.values(parameters))

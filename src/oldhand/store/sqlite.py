"""SQLite behind the seam, through APSW.

APSW's wheels carry a SQLite of our choosing; the ones that Python and most systems ship
have a bug that can corrupt a write-ahead log. WAL with `synchronous=FULL`: what was
acknowledged survives a power cut, and readers never wait for a writer.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Self

import apsw

from oldhand.errors import (
    OldhandError,
    StoreBusy,
    StoreError,
)
from oldhand.store.connector import Parameters, Row
from oldhand.store.queries import Query
from oldhand.store.sqlite_errors import translate
from oldhand.store.sqlite_open import MEMORY, connect
from oldhand.store.watch import NumberWatch, Watch
from oldhand.store.writer_queue import LIMIT_SECONDS, WriterQueue

_HAS_TABLE = Query(
    "has_table", "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = :name", ""
)
_DATA_VERSION = Query("data_version", "PRAGMA data_version", "")


class _Process:
    """Which process this is: asked of the system once, and not by each statement."""

    number = os.getpid()

    @classmethod
    def look(cls) -> None:
        cls.number = os.getpid()


os.register_at_fork(after_in_child=_Process.look)


class _Block:
    """A transaction's `with` block.

    One object serves all of a store's blocks: a generator for each would take a third of
    the time of an append.
    """

    __slots__ = ("_enter", "_leave")

    def __init__(
        self, enter: Callable[[], None], leave: Callable[[bool], None]
    ) -> None:
        self._enter = enter
        self._leave = leave

    def __enter__(self) -> None:
        self._enter()

    def __exit__(self, kind: object, _fault: object, _trace: object) -> None:
        self._leave(kind is None)


class SqliteStore:
    """One connection to one SQLite file, safe to share between threads.

    Args:
        path: The file, made with mode 0600 in a directory of mode 0700 where it is not
            there; `:memory:` for a database that ends with the process.
        wait_seconds: How long a writer waits for another one.

    Raises:
        StoreMismatch: The file is a database of another program.
        StoreDamaged: The file is no SQLite database.
        StoreReadOnly: The file or its directory cannot be made or opened.
    """

    dialect = "sqlite"
    read_only_reason: str | None = None

    def __init__(
        self, path: Path | str, *, wait_seconds: float = LIMIT_SECONDS
    ) -> None:
        """Open the file, or make it."""
        self._path = str(path)
        self._wait_seconds = wait_seconds
        self._lock = threading.RLock()
        self._depth = 0
        self._block = _Block(self._enter, self._leave)
        self._process = _Process.number
        self._queue = None
        if self._path != MEMORY:
            self._queue = WriterQueue(Path(self._path), limit_seconds=wait_seconds)
        try:
            self._connection = self._connect(wait_seconds)
        except apsw.Error as fault:
            raise translate(fault, self._path) from fault
        # A cursor for each statement took a tenth of an append, half of a short query.
        self._cursor = self._connection.cursor()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"sqlite:///{self._path}"

    def query_one(self, query: Query, parameters: Parameters = ()) -> Row | None:
        """Return the first row, or None."""
        rows = self.query_all(query, parameters)
        return rows[0] if rows else None

    def query_all(self, query: Query, parameters: Parameters = ()) -> list[Row]:
        """Return all rows."""
        if _Process.number != self._process:  # here, as it is asked for each statement
            self._check_process()
        with self._lock:
            try:
                return self._cursor.execute(query.sqlite, parameters).fetchall()
            except apsw.Error as fault:
                raise self._translated(fault) from fault

    def execute(self, query: Query, parameters: Parameters = ()) -> int:
        """Run a statement; return how many rows it changed."""
        with self._lock:
            if not self._depth:
                with self._block:
                    return self.execute(query, parameters)
            if _Process.number != self._process:
                self._check_process()
            if not self._connection.in_transaction:
                self._check_transaction()
            try:
                self._cursor.execute(query.sqlite, parameters).fetchall()
            except apsw.Error as fault:
                raise self._translated(fault) from fault
            return self._connection.changes()

    def execute_many(self, query: Query, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row, values in the order of its parameters."""
        with self._block:
            try:
                # Of a statement that returns rows only the first would run unfetched.
                self._connection.executemany(query.sqlite, rows).fetchall()
            except apsw.Error as fault:
                raise self._translated(fault) from fault

    def transaction(self) -> AbstractContextManager[None]:
        """Open a writing transaction, or join the one that this thread has open."""
        return self._block

    @contextmanager
    def lend(self) -> Iterator[apsw.Connection]:
        """Lend the connection to upkeep that no transaction can hold, as `VACUUM`.

        Other threads and other writers wait meanwhile.

        Raises:
            StoreError: A transaction is open.
        """
        self._check_process()
        with self._lock:
            if self._depth:
                raise StoreError(f"{self._path}: upkeep inside a transaction")
            try:
                if self._queue is not None:
                    self._queue.enter()
                yield self._connection
            except TimeoutError as fault:
                raise StoreBusy(
                    f"{self._path}: another process is writing; try again ({fault})"
                ) from fault
            except apsw.Error as fault:
                raise self._translated(fault) from fault
            finally:
                self._leave_queue()

    def has_table(self, name: str) -> bool:
        """Say whether a table is there."""
        # APSW's own answer is from before the last change by another process.
        return self.query_one(_HAS_TABLE, (name,)) is not None

    def execute_script(self, script: str) -> None:
        """Run several statements that take no parameters."""
        self.execute(Query("script", script, ""))

    def another(self) -> Self:
        """Open the same file once more; in memory there is only this one."""
        if self._path == MEMORY:
            return self
        return type(self)(self._path, wait_seconds=self._wait_seconds)

    def watch(self, channel: str) -> Watch:
        """Notice what other connections write; asking 20 times a second is 0.01 % of a core."""
        return NumberWatch(lambda: self.query_one(_DATA_VERSION))

    def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        with self._lock:
            is_ours = self._process == _Process.number
            if is_ours:  # a fork's copy is the parent's to close
                self._connection.close()
            if self._queue is not None:
                self._queue.close()

    def _connect(self, wait_seconds: float) -> apsw.Connection:
        return connect(self._path, wait_seconds=wait_seconds)

    def _check_process(self) -> None:
        if _Process.number != self._process:
            raise StoreError(
                f"{self._path}: opened before a fork; open the store anew in the child"
            )

    def _enter(self) -> None:
        self._check_process()
        self._lock.acquire()
        try:
            if self._depth:
                self._check_transaction()
            else:
                self._begin()
            self._depth += 1
        except BaseException:
            if not self._depth:
                self._end("ROLLBACK")
            self._lock.release()
            raise

    def _leave(self, is_well: bool) -> None:
        try:
            if is_well:
                self._check_process()
            # A forked child that leaves its copy of the block ends nothing.
            if self._depth == 1 and self._process == _Process.number:
                self._end("COMMIT" if is_well else "ROLLBACK")
        finally:
            self._depth -= 1
            self._lock.release()

    def _begin(self) -> None:
        try:
            if self._queue is not None:
                self._queue.enter()
            self._cursor.execute("BEGIN IMMEDIATE")
        except TimeoutError as fault:
            raise StoreBusy(
                f"{self._path}: another process is writing; try again ({fault})"
            ) from fault
        except apsw.Error as fault:
            raise self._translated(fault) from fault

    def _check_transaction(self) -> None:
        """Refuse to go on in a transaction that SQLite has ended, as on a full disk.

        A statement would otherwise be committed on its own.
        """
        if not self._connection.in_transaction:
            raise StoreError(
                f"{self._path}: the transaction was undone by an earlier fault; nothing "
                "was written"
            )

    def _end(self, statement: str) -> None:
        """Commit or roll back; a commit that fails is rolled back."""
        try:
            if statement == "COMMIT":
                self._check_transaction()
            if self._connection.in_transaction:
                self._cursor.execute(statement)
        except apsw.Error as fault:
            if self._connection.in_transaction:
                self._cursor.execute("ROLLBACK")
            raise self._translated(fault) from fault
        finally:
            self._leave_queue()

    def _translated(self, fault: apsw.Error) -> OldhandError:
        # A closed connection has no errno to ask.
        is_io = isinstance(fault, apsw.IOError)
        errno = self._connection.system_errno if is_io else 0
        return translate(fault, self._path, errno=errno)

    def _leave_queue(self) -> None:
        if self._queue is not None:
            self._queue.leave()

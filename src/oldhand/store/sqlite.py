"""SQLite behind the seam, through APSW.

APSW's wheels carry a SQLite of our choosing; the ones that Python and most systems ship
have a bug that can corrupt a write-ahead log. WAL with `synchronous=FULL`: what was
acknowledged survives a power cut, and readers never wait for a writer.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from oldhand.errors import StoreError, StoreMismatch, StoreReadOnly
from oldhand.store.connector import Parameters, Row
from oldhand.store.queries import Query
from oldhand.store.sqlite_errors import translate
from oldhand.store.writer_queue import WriterQueue

APPLICATION_ID = 0x6F6C6468  # "oldh"
MEMORY = ":memory:"
_BUSY_TIMEOUT_MS = 10_000
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA cache_size=-16000",  # 16 MB
    "PRAGMA temp_store=MEMORY",
)


class SqliteStore:
    """One connection to one SQLite file, safe to share between threads.

    Args:
        path: The file, made with mode 0600 in a directory of mode 0700 where it is not
            there; `:memory:` for a database that ends with the process.

    Raises:
        StoreMismatch: The file is a database of another program.
        StoreDamaged: The file is no SQLite database.
        StoreReadOnly: The file or its directory cannot be made or opened.
    """

    dialect = "sqlite"

    def __init__(self, path: Path | str) -> None:
        """Open the file, or make it."""
        self._path = str(path)
        self._lock = threading.RLock()
        self._depth = 0
        self._process = os.getpid()
        self._queue = None if self._path == MEMORY else WriterQueue(Path(self._path))
        if self._queue is not None:
            _make_file(Path(self._path))
        try:
            self._connection = apsw.Connection(self._path, statementcachesize=200)
            self._prepare()
        except apsw.Error as fault:
            raise translate(fault, self._path) from fault

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
        self._check_process()
        with self._lock:
            try:
                return self._connection.execute(query.sqlite, parameters).fetchall()
            except apsw.Error as fault:
                raise translate(fault, self._path) from fault

    def execute(self, query: Query, parameters: Parameters = ()) -> int:
        """Run a statement; return how many rows it changed."""
        with self.transaction():
            try:
                self._connection.execute(query.sqlite, parameters).fetchall()
            except apsw.Error as fault:
                raise translate(fault, self._path) from fault
            return self._connection.changes()

    def execute_many(self, query: Query, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row, values in the order of its parameters."""
        with self.transaction():
            try:
                self._connection.executemany(query.sqlite, rows)
            except apsw.Error as fault:
                raise translate(fault, self._path) from fault

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Open a writing transaction, or join the one that this thread has open."""
        self._check_process()
        with self._lock:
            if self._depth:
                yield
                return
            self._begin()
            self._depth = 1
            try:
                yield
            except BaseException:
                self._end("ROLLBACK")
                raise
            self._end("COMMIT")

    def has_table(self, name: str) -> bool:
        """Say whether a table is there."""
        with self._lock:
            return bool(self._connection.table_exists(None, name))

    def execute_script(self, script: str) -> None:
        """Run several statements that take no parameters."""
        self.execute(Query("script", script, ""))

    def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        with self._lock:
            if self._process == os.getpid():  # a fork's copy is the parent's to close
                self._connection.close()
            if self._queue is not None:
                self._queue.close()

    def _prepare(self) -> None:
        self._connection.set_busy_timeout(_BUSY_TIMEOUT_MS)
        # Without a progress handler Ctrl-C waits for the end of a long query.
        self._connection.set_progress_handler(lambda: False, 20_000)
        owner = self._connection.pragma("application_id")
        if (
            owner == 0
            and not self._connection.execute(
                "SELECT 1 FROM sqlite_master LIMIT 1"
            ).fetchall()
        ):
            self._connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            self._connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        elif owner != APPLICATION_ID:
            self._connection.close()
            raise StoreMismatch(
                f"{self._path}: a database of another program; oldhand keeps its own "
                "(set --database or OLDHAND_DATABASE)"
            )
        for pragma in _PRAGMAS:
            self._connection.execute(pragma).fetchall()

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise StoreError(
                f"{self._path}: opened before a fork; open the store anew in the child"
            )

    def _begin(self) -> None:
        try:
            if self._queue is not None:
                self._queue.enter()
            self._connection.execute("BEGIN IMMEDIATE")
        except OSError as fault:
            raise StoreReadOnly(f"{self._path}.lock: {fault.strerror}") from fault
        except apsw.Error as fault:
            self._leave_queue()
            raise translate(fault, self._path) from fault

    def _end(self, statement: str) -> None:
        """Commit or roll back; a commit that fails is rolled back."""
        try:
            if self._connection.in_transaction:  # a full disk may have rolled back
                self._connection.execute(statement)
        except apsw.Error as fault:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise translate(fault, self._path) from fault
        finally:
            self._depth = 0
            self._leave_queue()

    def _leave_queue(self) -> None:
        if self._queue is not None:
            self._queue.leave()


def _make_file(path: Path) -> None:
    """Make the file with a private mode, before SQLite makes it with a public one."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    except OSError as fault:
        raise StoreReadOnly(f"{path}: {fault.strerror}: cannot make it") from fault

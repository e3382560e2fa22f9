"""A database that can be read and not written: on a read-only disk, or somebody else's.

SQLite in WAL mode wants to write even when it only reads: the index of the log, `-shm`, is
made by the first reader. Where that is refused, SQLite can still read a file that it is told
is `immutable`. It then looks at no log and takes no lock, so that is done only where no log
holds anything, and each answer is followed by a look at whether the file has changed.

A file without the right to write is not opened in the ordinary way even where its
directory would let SQLite make `-wal` and `-shm`: they would get the file's mode, stay, and
keep its owner from writing once the file may be written again.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import apsw

from oldhand.errors import StoreBusy, StoreMismatch, StoreReadOnly
from oldhand.store.connector import Parameters, Row
from oldhand.store.queries import Query
from oldhand.store.search_rank import offer_ranking
from oldhand.store.sqlite import SqliteStore
from oldhand.store.sqlite_open import APPLICATION_ID, furnish
from oldhand.store.writable import unwritable, why_read_only

_OWNER = "PRAGMA application_id"
_PRAGMAS = (
    "PRAGMA query_only=ON",
    "PRAGMA cache_size=-16000",  # 16 MB
)


class _Stamp(NamedTuple):
    """What changes with a file: which one it is, its size and its time."""

    inode: int
    size_bytes: int
    changed_ns: int


class ReadOnlySqliteStore(SqliteStore):
    """A connection that reads one SQLite file; writing raises `StoreReadOnly`.

    Raises:
        StoreReadOnly: Its log holds what cannot be read without writing.
        StoreMismatch: The file is a database of another program.
        StoreBusy: The file was changed while it was read as immutable.
    """

    def query_all(self, query: Query, parameters: Parameters = ()) -> list[Row]:
        """Return all rows."""
        rows = super().query_all(query, parameters)
        if self._stamp is not None and self._stamp != _stamp(Path(self._path)):
            raise StoreBusy(
                f"{self._path}: another process changed it while it was read; try again"
            )
        return rows

    def _connect(self, wait_seconds: float) -> apsw.Connection:
        path = Path(self._path).resolve()  # beside it, SQLite looks for the log
        self.read_only_reason = why_read_only(path)
        self._stamp = _stamp(path) if _must_be_immutable(path) else None
        connection = apsw.Connection(
            # as_uri quotes: a ? or a # in a path would otherwise cut it there.
            path.as_uri()
            + ("?mode=ro" if self._stamp is None else "?mode=ro&immutable=1"),
            flags=apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READONLY,
            statementcachesize=200,
        )
        furnish(connection, wait_seconds=wait_seconds)
        ((owner,),) = connection.execute(_OWNER).fetchall()
        if owner != APPLICATION_ID:
            connection.close()
            raise StoreMismatch(
                f"{path}: not a database of oldhand, and it cannot be made one, as it "
                "cannot be written"
            )
        for pragma in _PRAGMAS:
            connection.execute(pragma).fetchall()
        offer_ranking(connection)
        return connection

    def _begin(self) -> None:
        raise StoreReadOnly(f"{self._path}: cannot be written: {self.read_only_reason}")


def _must_be_immutable(path: Path) -> bool:
    """Say whether SQLite can read a file only as one that nobody writes.

    Raises:
        StoreReadOnly: It cannot be read so either, as its log holds what the file does not.
    """
    if unwritable(path) is None:
        return False
    log = path.with_name(path.name + "-wal")
    index = path.with_name(path.name + "-shm")
    if not log.exists():
        return True
    if index.exists() and os.access(log, os.R_OK) and os.access(index, os.R_OK):
        return False
    if not log.stat().st_size:
        return True
    raise StoreReadOnly(
        f"{path}: {log.name} holds changes that cannot be read without writing; copy "
        f"{path.name} and {log.name} together to a directory that you may write and open "
        "the copy, or have somebody who may write there run `oldhand db info` once"
    )


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except OSError:  # as good as another file
        return None
    return _Stamp(found.st_ino, found.st_size, found.st_mtime_ns)

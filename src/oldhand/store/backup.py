"""A copy of a SQLite database that is in use, as one file that is whole and sound.

SQLite's backup interface copies pages from one moment's view, held open by a read
transaction of its own connection: writers go on, and the copy never starts over.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from oldhand.errors import Conflict, StoreDamaged, StoreReadOnly
from oldhand.store.sqlite import SqliteStore
from oldhand.store.sqlite_errors import translate

_PAGES_PER_STEP = 256  # 1 MB


def copy_database(
    store: SqliteStore,
    source: Path | None,
    path: Path,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Copy a database into a new file; see `maintenance.back_up`."""
    _reserve(path)
    try:
        with _view(store, source) as view:
            _copy(view, path, progress=progress)
    except BaseException as fault:
        for name in (path.name, f"{path.name}-journal"):
            path.with_name(name).unlink(missing_ok=True)
        if isinstance(fault, apsw.Error):
            raise translate(fault, str(path)) from fault
        raise
    return path.stat().st_size


def _reserve(path: Path) -> None:
    """Make the file with a private mode, so that nobody else makes it meanwhile."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError as fault:
        raise Conflict(f"{path}: there already; name a new file") from fault
    except OSError as fault:
        raise StoreReadOnly(f"{path}: {fault.strerror}: cannot make it") from fault


@contextmanager
def _view(store: SqliteStore, source: Path | None) -> Iterator[apsw.Connection]:
    """Hold one moment's view of the database open."""
    if source is None or store.read_only_reason is not None:
        with store.lend() as connection:
            yield connection
        return
    flags = apsw.SQLITE_OPEN_READONLY
    with closing(apsw.Connection(str(source), flags=flags)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
        yield connection
        connection.execute("COMMIT")


def _copy(
    view: apsw.Connection,
    path: Path,
    *,
    progress: Callable[[int, int], None] | None,
) -> None:
    with closing(apsw.Connection(str(path))) as target:
        with target.backup("main", view, "main") as run:
            while not run.done:
                run.step(_PAGES_PER_STEP)
                if progress is not None:
                    progress(run.remaining, run.page_count)
        # One file that needs no companion; oldhand turns the log on when it opens it.
        target.execute("PRAGMA journal_mode=DELETE").fetchall()
        found = target.execute("PRAGMA integrity_check").fetchall()
        if found != [("ok",)]:
            raise StoreDamaged(f"{path}: the copy is not sound: {found[0][0]}")

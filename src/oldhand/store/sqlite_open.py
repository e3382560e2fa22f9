"""Open a SQLite file as ours: private, in WAL, durable, and nobody else's."""

from __future__ import annotations

import os
import time
from pathlib import Path

import apsw

from oldhand.errors import StoreMismatch, StoreReadOnly
from oldhand.store.search_rank import offer_ranking

APPLICATION_ID = 0x6F6C6468  # "oldh"
MEMORY = ":memory:"
_OWNER = """SELECT application_id, NOT EXISTS (SELECT 1 FROM sqlite_master)
FROM pragma_application_id"""
_ASK_AGAIN_SECONDS = 0.002
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    # 16 MB. No temp_store=MEMORY: with it, rows that are sorted lie all over the memory,
    # and sorting 400,000 takes twice as long; without it, only what is larger takes a file.
    "PRAGMA cache_size=-16000",
)


def connect(path: str, *, wait_seconds: float) -> apsw.Connection:
    """Open a file, or make it with mode 0600 in a directory of mode 0700.

    Args:
        path: The file, or `:memory:`.
        wait_seconds: How long to wait for another process.

    Raises:
        StoreMismatch: It is a database of another program.
        StoreReadOnly: It cannot be made.
        apsw.Error: SQLite refused; to be translated by the caller.
    """
    if path != MEMORY:
        _make_file(Path(path))
    connection = apsw.Connection(path, statementcachesize=200)
    furnish(connection, wait_seconds=wait_seconds)
    _claim(connection, path, wait_seconds=wait_seconds)
    for pragma in _PRAGMAS:
        _set_patiently(connection, pragma, wait_seconds=wait_seconds)
    offer_ranking(connection)
    return connection


def furnish(connection: apsw.Connection, *, wait_seconds: float) -> None:
    """Give a connection what each of ours has, whether or not it may write."""
    connection.set_busy_timeout(round(wait_seconds * 1_000))
    # Plans that do not depend on bound values: else SQLite, built with STAT4, prepares many
    # a kept statement anew at each run, 20 to 40 us where running it takes 2.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    # Without a progress handler Ctrl-C waits for the end of a long query.
    connection.set_progress_handler(lambda: False, 20_000)


def _claim(connection: apsw.Connection, path: str, *, wait_seconds: float) -> None:
    """Make an empty database ours; refuse one of another program."""
    # One statement sees one state: between two, another process may make its tables.
    owner, is_empty = connection.execute(_OWNER).fetchall()[0]
    if owner == 0 and is_empty:
        mark = f"PRAGMA application_id={APPLICATION_ID}"
        _set_patiently(connection, mark, wait_seconds=wait_seconds)
    elif owner != APPLICATION_ID:
        connection.close()
        raise StoreMismatch(
            f"{path}: a database of another program; oldhand keeps its own "
            "(set --database or OLDHAND_DATABASE)"
        )


def _set_patiently(
    connection: apsw.Connection, pragma: str, *, wait_seconds: float
) -> None:
    """Set a pragma, again where SQLite says busy at once.

    It does so, whatever the timeout, while another process makes the same database.
    """
    give_up_at = time.monotonic() + wait_seconds
    while True:
        try:
            connection.execute(pragma).fetchall()
        except apsw.BusyError:
            if time.monotonic() > give_up_at:
                raise
            time.sleep(_ASK_AGAIN_SECONDS)
        else:
            return


def _make_file(path: Path) -> None:
    """Make the file with a private mode, before SQLite makes it with a public one."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    except OSError as fault:
        raise StoreReadOnly(f"{path}: {fault.strerror}: cannot make it") from fault

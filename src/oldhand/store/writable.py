"""Whether a database's file may be written, asked before SQLite tries: each open asks."""

from __future__ import annotations

import os
from pathlib import Path


def unwritable(database: Path) -> Path | None:
    """Return what keeps a database from being written; None where nothing does.

    SQLite writes to the file, to its `-wal` and `-shm`, and makes these in its directory.
    A file that is not there yet is for SQLite to make, or to refuse.
    """
    # Following the whole path would take twice as long, for each command.
    path = database.resolve() if database.is_symlink() else database
    if not os.access(path, os.F_OK):
        return None
    needed = (path, path.parent, f"{path}-wal", f"{path}-shm")
    closed = (each for each in needed if not os.access(each, os.W_OK))
    return next((Path(each) for each in closed if os.access(each, os.F_OK)), None)


def why_read_only(database: Path) -> str:
    """Say to a person what keeps a database from being written."""
    blocked = unwritable(database) or database
    if os.statvfs(blocked).f_flag & os.ST_RDONLY:
        return f"{blocked} lies on a disk that is mounted read-only"
    return f"no permission to write {blocked}"

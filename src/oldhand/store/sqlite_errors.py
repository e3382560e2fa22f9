"""APSW's errors, as ours."""

from __future__ import annotations

from errno import EDQUOT, EFBIG, ENOSPC

import apsw

from oldhand.errors import (
    Conflict,
    OldhandError,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
)

_OURS: tuple[tuple[type[apsw.Error], type[OldhandError], str], ...] = (
    (apsw.BusyError, StoreBusy, "another process is writing; try again"),
    (apsw.LockedError, StoreBusy, "another process is writing; try again"),
    (apsw.ReadOnlyError, StoreReadOnly, "cannot be written"),
    (apsw.CantOpenError, StoreReadOnly, "cannot be opened"),
    (apsw.PermissionsError, StoreReadOnly, "not permitted"),
    (apsw.AuthError, StoreReadOnly, "not permitted"),
    (apsw.FullError, StoreFull, "the disk is full; nothing was written"),
    (apsw.NotADBError, StoreDamaged, "not a SQLite database"),
    (apsw.CorruptError, StoreDamaged, "damaged; restore a backup"),
    (apsw.ConstraintError, Conflict, "a constraint does not hold"),
)


# What a limit on a file or on a user's share of the disk says; SQLite knows only ENOSPC.
_NO_SPACE = frozenset((ENOSPC, EDQUOT, EFBIG))


def translate(fault: apsw.Error, path: str, *, errno: int = 0) -> OldhandError:
    """Return the error of ours that says what an APSW error means, with the file's path.

    Args:
        fault: What APSW raised.
        path: The database file.
        errno: The operating system's last error on it; 0 where unknown.
    """
    # A backup's errors have a class and no text.
    said = "" if str(fault) == "not an error" else f" ({fault})"
    if isinstance(fault, apsw.IOError) and errno in _NO_SPACE:
        return StoreFull(f"{path}: the disk is full; nothing was written{said}")
    for theirs, ours, meaning in _OURS:
        if isinstance(fault, theirs):
            return ours(f"{path}: {meaning}{said}")
    return StoreError(f"{path}: {fault}")

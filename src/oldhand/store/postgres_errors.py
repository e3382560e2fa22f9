"""psycopg's errors, as ours.

Only the first line of what PostgreSQL said is kept: the lines after it show values of the
row, which are not for a terminal or a log.
"""

from __future__ import annotations

import psycopg
from psycopg import errors as theirs

from oldhand.errors import (
    Conflict,
    OldhandError,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreMismatch,
    StoreReadOnly,
)

_AGAIN = "another session of the database is in the way; try again"
_NOT_OURS = (
    "its tables are not those of this version of oldhand; give oldhand a database, or a "
    "schema, of its own"
)

_OURS: tuple[tuple[type[psycopg.Error], type[OldhandError], str], ...] = (
    (theirs.IntegrityError, Conflict, "a constraint does not hold"),
    (theirs.SerializationFailure, StoreBusy, _AGAIN),
    (theirs.DeadlockDetected, StoreBusy, _AGAIN),
    (theirs.LockNotAvailable, StoreBusy, _AGAIN),
    (theirs.TooManyConnections, StoreBusy, "no connection is free; try again"),
    (theirs.CannotConnectNow, StoreBusy, "starting up or shutting down; try again"),
    (theirs.AdminShutdown, StoreBusy, "the server shut down; try again"),
    (theirs.CrashShutdown, StoreBusy, "the server shut down; try again"),
    (theirs.ReadOnlySqlTransaction, StoreReadOnly, "cannot be written"),
    (theirs.InsufficientPrivilege, StoreReadOnly, "not permitted"),
    (theirs.InvalidAuthorizationSpecification, StoreReadOnly, "not permitted"),
    (theirs.DiskFull, StoreFull, "the disk is full; nothing was written"),
    (theirs.DataCorrupted, StoreDamaged, "damaged; restore a backup"),
    (theirs.IndexCorrupted, StoreDamaged, "damaged; restore a backup"),
    (theirs.DuplicateTable, StoreMismatch, _NOT_OURS),
    (theirs.UndefinedTable, StoreMismatch, _NOT_OURS),
    (theirs.UndefinedColumn, StoreMismatch, _NOT_OURS),
)


def translate(fault: psycopg.Error, url: str) -> OldhandError:
    """Return the error of ours that says what an error of psycopg means.

    Args:
        fault: What psycopg raised.
        url: Where the database is, without a password.
    """
    said = _said(fault)
    for their_class, ours, meaning in _OURS:
        if isinstance(fault, their_class):
            return ours(f"{url}: {meaning} ({said})")
    if fault.sqlstate is None and isinstance(fault, psycopg.OperationalError):
        return StoreBusy(
            f"{url}: the connection was lost; what was not acknowledged may or may not "
            f"be there; try again ({said})"
        )
    return StoreError(f"{url}: {said}")


def _said(fault: psycopg.Error) -> str:
    lines = (fault.diag.message_primary or str(fault)).strip().splitlines()
    return lines[0] if lines else type(fault).__name__

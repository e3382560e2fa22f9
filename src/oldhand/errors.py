"""Every error that oldhand raises, as one tree.

    OldhandError                 internal            exit 1   HTTP 500
    ├── InvalidInput (ValueError)  invalid_input     exit 2   HTTP 400
    │   └── NothingToLearn       nothing_to_learn    exit 8   HTTP 422
    ├── NotFound (LookupError)   not_found           exit 3   HTTP 404
    ├── Conflict                 conflict            exit 4   HTTP 409
    ├── UnreadableSource         unreadable_source   exit 5   HTTP 422
    ├── NeedsAttention           needs_attention     exit 9   HTTP 503
    └── StoreError               store               exit 6   HTTP 500
        ├── StoreBusy            store_busy          exit 7   HTTP 503
        ├── StoreReadOnly        store_read_only     exit 6   HTTP 500
        ├── StoreFull            store_full          exit 6   HTTP 507
        ├── StoreDamaged         store_damaged       exit 6   HTTP 500
        └── StoreMismatch        store_mismatch      exit 6   HTTP 500

A class carries its `code`, its exit status and its HTTP status, so that a face looks
nothing up and a new error cannot be forgotten in a table. A message says what was
wrong, with the value, and what was expected; it never holds a secret.
"""

from __future__ import annotations


class OldhandError(Exception):
    """Anything that oldhand raises on purpose."""

    code = "internal"
    exit_status = 1
    http_status = 500


class InvalidInput(OldhandError, ValueError):
    """A caller's value is not one that the function takes."""

    code = "invalid_input"
    exit_status = 2
    http_status = 400


class NothingToLearn(InvalidInput):
    """The sessions at hand hold no call that could be shown."""

    code = "nothing_to_learn"
    exit_status = 8
    http_status = 422


class NotFound(OldhandError, LookupError):
    """The named session, call, template or file does not exist."""

    code = "not_found"
    exit_status = 3
    http_status = 404


class Conflict(OldhandError):
    """The thing exists already, or somebody else changed it meanwhile."""

    code = "conflict"
    exit_status = 4
    http_status = 409


class UnreadableSource(OldhandError):
    """A file to import is not readable, or not of the format that it was given as."""

    code = "unreadable_source"
    exit_status = 5
    http_status = 422


class NeedsAttention(OldhandError):
    """A check found something that a person should see to."""

    code = "needs_attention"
    exit_status = 9
    http_status = 503


class StoreError(OldhandError):
    """The database refused, for a reason none of the subclasses names."""

    code = "store"
    exit_status = 6
    http_status = 500


class StoreBusy(StoreError):
    """Another process held the database for longer than the wait allows; try again."""

    code = "store_busy"
    exit_status = 7
    http_status = 503


class StoreReadOnly(StoreError):
    """The database file or its directory cannot be written."""

    code = "store_read_only"


class StoreFull(StoreError):
    """The disk is full; nothing was written, and writing goes on when space returns."""

    code = "store_full"
    http_status = 507


class StoreDamaged(StoreError):
    """The file is not a database, or its pages are damaged."""

    code = "store_damaged"


class StoreMismatch(StoreError):
    """The database is not one of ours, or was made by a newer version of oldhand."""

    code = "store_mismatch"

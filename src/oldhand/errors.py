"""Every error that oldhand raises, as one tree.

    OldhandError                 internal            exit 1   HTTP 500
    ├── InvalidInput (ValueError)  invalid_input     exit 2   HTTP 400
    │   └── NothingToLearn       nothing_to_learn    exit 8   HTTP 422
    ├── NotFound (LookupError)   not_found           exit 3   HTTP 404
    ├── Conflict                 conflict            exit 4   HTTP 409
    │   └── RequestConflict      request_conflict    exit 4   HTTP 409
    ├── Unauthenticated          unauthenticated     exit 10  HTTP 401
    ├── Forbidden                forbidden           exit 11  HTTP 403
    │   └── ConfirmationDenied   denied              exit 11  HTTP 403
    ├── Unreachable              unreachable         exit 13  HTTP 503
    ├── TooMany                  too_many            exit 12  HTTP 429
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
    """Anything that oldhand raises on purpose.

    Attributes:
        advice: What a person at a command line may type next, or "". Only the command line
            shows it: a caller, a hook and a model have no use for flags.
    """

    code = "internal"
    exit_status = 1
    http_status = 500

    def __init__(self, *args: object, advice: str = "") -> None:
        """Keep the message, and apart from it what to type."""
        super().__init__(*args)
        self.advice = advice


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


class RequestConflict(Conflict):
    """A request is not, or no longer, what the caller takes it for."""

    code = "request_conflict"

    def __init__(self, message: str, why: str) -> None:
        """Say it, with one word for programs.

        Args:
            message: One sentence for a person or a model.
            why: As `expired`, `already_consumed` or `details_mismatch`; the whole list is
                `oldhand.confirm.requests.states.WHYS`.
        """
        super().__init__(message)
        self.why = why


class Unauthenticated(OldhandError):
    """Nobody is named by the token, the password or the cookie that was given."""

    code = "unauthenticated"
    exit_status = 10
    http_status = 401


class Forbidden(OldhandError):
    """The caller is known, and may not do this."""

    code = "forbidden"
    exit_status = 11
    http_status = 403


class ConfirmationDenied(Forbidden):
    """What was asked may not be done: denied, blocked, expired, or taken back.

    Attributes:
        request_id: Which request.
        state: What became of it, as `denied` or `expired`.
        message_for_model: What to tell the model, in a sentence or two.
    """

    code = "denied"

    def __init__(
        self, message: str, *, request_id: str, state: str, message_for_model: str
    ) -> None:
        """Say it, and what to tell a model."""
        super().__init__(message)
        self.request_id = request_id
        self.state = state
        self.message_for_model = message_for_model


class Unreachable(OldhandError):
    """The daemon does not answer, or answers what is none of its answers."""

    code = "unreachable"
    exit_status = 13
    http_status = 503


class TooMany(OldhandError):
    """A limit is reached; later it goes on."""

    code = "too_many"
    exit_status = 12
    http_status = 429

    def __init__(
        self, message: str, *, window_seconds: int, retry_after_seconds: int
    ) -> None:
        """Say it, and when to come again.

        Args:
            message: One sentence for a person or a model.
            window_seconds: The limit counts what was in so many.
            retry_after_seconds: From now, at least 1.
        """
        super().__init__(message, advice=f"it goes on in {retry_after_seconds} s")
        self.window_seconds = window_seconds
        self.retry_after_seconds = retry_after_seconds


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

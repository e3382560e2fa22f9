"""Where a message and a call lie: their ids hold the session's, so that rows cluster.

A message's id is session << 22 | seq, a call's is message << 10 | pos. A session has room
for 4,194,303 messages and a message for 1,024 calls.
"""

from __future__ import annotations

from oldhand.named_tuple import NamedTuple

MAX_SEQ = (1 << 22) - 1
MAX_CALLS = 1 << 10


class IdRange(NamedTuple):
    """Ids from `first` up to, and without, `after`."""

    first: int
    after: int


def message_id(session_id: int, seq: int) -> int:
    """Return the id of the message that is `seq`-th in its session, from 1."""
    return session_id << 22 | seq


def call_id(message: int, pos: int) -> int:
    """Return the id of the call that is `pos`-th in its message, from 0."""
    return message << 10 | pos


def messages_of(session_id: int) -> IdRange:
    """Return the range in which the ids of a session's messages lie."""
    return IdRange(session_id << 22, session_id + 1 << 22)


def calls_of(session_id: int) -> IdRange:
    """Return the range in which the ids of a session's calls lie."""
    return IdRange(session_id << 32, session_id + 1 << 32)


def message_of_call(call: int) -> int:
    """Return the id of the message that made a call."""
    return call >> 10


def session_of_message(message: int) -> int:
    """Return the id of the session that a message is part of."""
    return message >> 22


def session_of_call(call: int) -> int:
    """Return the id of the session in which a call was made."""
    return call >> 32

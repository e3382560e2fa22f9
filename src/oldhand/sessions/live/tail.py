"""Where a session ends: all that an append must know of what is recorded."""

from __future__ import annotations

from typing import NamedTuple

from oldhand.sessions.keys import MAX_CALLS, MAX_SEQ, calls_of, messages_of
from oldhand.sessions.model import ToolCall
from oldhand.sessions.native_ids import is_real_id
from oldhand.sessions.open_calls import OpenCall
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")


class Tail(NamedTuple):
    """Where a session ends.

    Attributes:
        session_id: Its key; None before its first message.
        seq: Of its last message; 0 before the first.
        message_count: As on its row.
        updated_at_us: The latest time of a message so far.
        open_calls: Calls without a result, by call id, the oldest first.
        native_ids: The ids of messages that are left out from now on: those that callers
            gave, and those found to be erased. One set that grows, for a copy by each
            append would cost more than the append.
    """

    session_id: int | None
    seq: int
    message_count: int
    updated_at_us: int
    open_calls: dict[str, OpenCall]
    native_ids: set[str]


def no_tail() -> Tail:
    """Return the tail of a session that has no message yet."""
    return Tail(None, 0, 0, 0, {}, set())


def read_tail(store: Store, uid: str) -> Tail | None:
    """Read where a session ends, with its open calls; None where there is no session."""
    found = store.query_one(_SQL["tail_of_session"], {"uid": uid})
    if found is None:
        return None
    session_id, message_count, updated_at_us = found
    rows = store.query_all(
        _SQL["native_ids_of_session"], messages_of(session_id)._asdict()
    )
    return Tail(
        session_id=session_id,
        seq=rows[-1][0] & MAX_SEQ if rows else 0,
        message_count=message_count,
        updated_at_us=updated_at_us,
        open_calls=_open_calls(store, session_id),
        native_ids={name for _, name in rows if name is not None and is_real_id(name)},
    )


def end_session(store: Store, tail: Tail, *, at_us: int, reason: str | None) -> None:
    """Note when and why a session ended."""
    store.execute(
        _SQL["end_session"],
        {
            "ended_at_us": max(at_us, tail.updated_at_us),
            "end_reason": reason,
            "id": tail.session_id,
        },
    )


def _open_calls(store: Store, session_id: int) -> dict[str, OpenCall]:
    open_calls: dict[str, OpenCall] = {}
    rows = store.query_all(_SQL["calls_to_answer"], calls_of(session_id)._asdict())
    for key, name, tool, arguments, active, at_us in rows:
        open_calls.pop(name, None)
        if arguments is not None:
            open_calls[name] = OpenCall.made(
                ToolCall(name, tool, arguments),
                seq=key >> 10 & MAX_SEQ,
                pos=key & (MAX_CALLS - 1),
                active=bool(active),
                at_us=at_us,
            )
    return open_calls

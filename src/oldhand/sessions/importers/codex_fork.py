"""Which records of a forked rollout are copies of another session's.

A fork begins with its own `session_meta`, then repeats the parent's `session_meta` and
records, most often with new times, and nothing marks where the copy ends. What tells is
the turns: a turn's id is a UUID of version 7 and holds the moment at which the turn began,
and a copied turn began before the fork was born. The rules, from record to record, so that
reading a grown file decides the same again:

- behind an ancestor's `session_meta`, or from a turn older than the session on, records
  are copies;
- until the session's own `session_meta` comes again, or a turn that is not older, or a
  turn whose id tells no time (rather a call twice than a call lost), or, where the copies
  kept their old times, a record that is not older than the session.

A subagent's file holds its parent's `session_meta` too, but no copies: its first turn is
its own.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from oldhand.sessions.loose_values import text_in, time_us_of

_UUID_WITH_TIME = 7


class ForkGate:
    """Tells a session's own records from those copied from another session."""

    def __init__(self) -> None:
        """Begin before the first record."""
        self._own_id: str | None = None
        self._born_us: int | None = None
        self._has_meta = False
        self._may_hold_copies = False
        self._keeps_times = False
        self._is_in_copy = False

    def is_copy(self, kind: str, payload: dict[str, Any], at_us: int | None) -> bool:
        """Say whether a record belongs to another session; call once, in order.

        Args:
            kind: The record's type; of an event, that of the event.
            payload: Its content.
            at_us: When it was written, in microseconds since 1970-01-01 UTC.
        """
        if kind == "session_meta":
            return self._meet_session(payload, at_us)
        if not self._may_hold_copies:
            return False
        if kind in {"turn_context", "task_started", "turn_started"}:
            self._meet_turn(text_in(payload, "turn_id"), at_us)
        elif self._is_in_copy and self._keeps_times and not self._is_older(at_us):
            self._is_in_copy = False
        return self._is_in_copy

    def _meet_session(self, meta: dict[str, Any], at_us: int | None) -> bool:
        session_id = text_in(meta, "id")
        if not self._has_meta:
            self._has_meta = True
            self._own_id = session_id
            written_us = time_us_of(meta.get("timestamp")) or at_us
            self._born_us = minted_us(session_id) or written_us
            self._may_hold_copies = text_in(meta, "forked_from_id") is not None
            return False
        self._may_hold_copies = True
        self._is_in_copy = session_id != self._own_id
        self._keeps_times = self._is_in_copy and self._is_older(at_us)
        return True

    def _meet_turn(self, turn_id: str | None, at_us: int | None) -> None:
        began_us = minted_us(turn_id)
        self._is_in_copy = self._is_older(at_us if began_us is None else began_us)

    def _is_older(self, at_us: int | None) -> bool:
        """Say whether a moment lies before the session; False where that is unknown."""
        return at_us is not None and self._born_us is not None and at_us < self._born_us


def minted_us(identifier: str | None) -> int | None:
    """Return the moment at which a UUID of version 7 was made.

    Returns:
        Whole milliseconds, as microseconds since 1970-01-01 UTC; None for any other id.

    Example:
        >>> minted_us("019b76da-a800-7000-8000-000000000000")
        1767225600000000
        >>> minted_us("a8098c1a-f86e-11da-bd1a-00112444be1e") is None
        True
    """
    try:
        value = UUID(identifier or "")
    except ValueError:
        return None
    return (value.int >> 80) * 1000 if value.version == _UUID_WITH_TIME else None

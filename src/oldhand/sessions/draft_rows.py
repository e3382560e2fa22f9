"""A session's rows before they have a key in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oldhand.sessions.model import Evidence, Message, ToolCall

if TYPE_CHECKING:
    from oldhand.sessions.outcome import Judgement
    from oldhand.sessions.shape import Shape

_FAILED = frozenset(("error", "negative"))


class DraftMessage(NamedTuple):
    """One message with its place in the session, from 1."""

    seq: int
    native_id: str
    message: Message


class DraftCall(NamedTuple):
    """One judged call: made in message `seq` at `pos`, answered by `result_seq`.

    `active` is False where the user rewound behind it, or where it is no part of the
    conversation. `later` is what came after it that moved its confidence.
    """

    seq: int
    pos: int
    call: ToolCall
    active: bool
    at_us: int | None
    result_seq: int | None
    result_chars: int | None
    duration_us: int | None
    judgement: Judgement
    shape: Shape
    example_tokens: int
    evidence: Evidence
    later: str | None


class Draft:
    """All rows of one session, and what did not become one.

    Attributes:
        messages: In the order of `seq`.
        calls: In the order in which they were made.
        duplicates: Messages left out, because the session it came from holds them.
        orphans: Results that answer no call.
        lost_calls: Calls beyond the 1,024th of a message.
    """

    def __init__(self) -> None:
        self.messages: list[DraftMessage] = []
        self.calls: list[DraftCall] = []
        self.duplicates = 0
        self.orphans = 0
        self.lost_calls = 0

    @property
    def failed_calls(self) -> int:
        """How many calls went wrong, by the caller's fault or as a finding."""
        return sum(1 for call in self.calls if call.judgement.outcome in _FAILED)

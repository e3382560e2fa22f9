"""A session as rows, judged, before it has a key in the database.

Every call meets its result here and gets its outcome and its shape. A call's result is the
next message of role `tool` that names its id; ids that an agent uses twice are answered in
order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from oldhand.sessions.call_view import CallView
from oldhand.sessions.keys import MAX_CALLS
from oldhand.sessions.model import NO_EVIDENCE, Evidence, Message, Session, ToolCall
from oldhand.sessions.outcome import Judgement, judge_view
from oldhand.sessions.shape import Shape, shape_of_view

MAX_TASK_CHARS = 2_000
_SHOWN_RESULT_CHARS = 230
_CONVERSATION = frozenset(("turn", "summary"))
_FAILED = frozenset(("error", "negative"))


class DraftMessage(NamedTuple):
    """One message with its place in the session, from 1."""

    seq: int
    native_id: str
    message: Message


class DraftCall(NamedTuple):
    """One judged call: made in message `seq` at `pos`, answered by `result_seq`.

    `active` is False where the user rewound behind it, or where it is no part of the
    conversation.
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


@dataclass(slots=True)
class Draft:
    """All rows of one session, and what did not become one.

    Attributes:
        messages: In the order of `seq`.
        calls: In the order in which they were made.
        duplicates: Messages left out, because the session it came from holds them.
        orphans: Results that answer no call.
        lost_calls: Calls beyond the 1,024th of a message.
    """

    messages: list[DraftMessage] = field(default_factory=list)
    calls: list[DraftCall] = field(default_factory=list)
    duplicates: int = 0
    orphans: int = 0
    lost_calls: int = 0

    @property
    def failed_calls(self) -> int:
        """How many calls went wrong, by the caller's fault or as a finding."""
        return sum(1 for call in self.calls if call.judgement.outcome in _FAILED)


def is_real_id(native_id: str) -> bool:
    """Say whether an agent gave this id; readers number entries without one as `#12`."""
    return not native_id.startswith("#")


def draft(
    session: Session, *, known: Mapping[str, int], inherited: Collection[str]
) -> Draft:
    """Turn a session into judged rows.

    Args:
        session: Whole, in order.
        known: The seq of each message that is stored already, by native id.
        inherited: Native ids of messages that another session of this lineage holds.
    """
    result = Draft()
    open_calls: dict[str, OpenCall] = {}
    next_seq = max(known.values(), default=0) + 1
    seen: set[str] = set()
    for index, message in enumerate(session.messages):
        native_id = message.native_id or f"#{index}"
        if native_id in seen or native_id in inherited:
            result.duplicates += 1
            continue
        seen.add(native_id)
        seq = known.get(native_id)
        if seq is None:
            seq, next_seq = next_seq, next_seq + 1
        result.messages.append(DraftMessage(seq, native_id, message))
        meet(open_calls, result, message, seq)
    result.calls.extend(call.judged(None, None) for call in open_calls.values())
    result.calls.sort(key=lambda call: (call.seq, call.pos))
    return result


def task_of(messages: Iterable[Message]) -> str | None:
    """Return the first thing that the user asked, cut to 2,000 characters."""
    for message in messages:
        if (
            message.role == "user"
            and message.type == "turn"
            and message.content.strip()
        ):
            return message.content.strip()[:MAX_TASK_CHARS]
    return None


class OpenCall(NamedTuple):
    """A call whose result has not come yet."""

    seq: int
    pos: int
    call: ToolCall
    active: bool
    at_us: int | None
    view: CallView

    @classmethod
    def made(
        cls, call: ToolCall, *, seq: int, pos: int, active: bool, at_us: int | None
    ) -> OpenCall:
        """Look at a call, made in message `seq` at `pos`."""
        view = CallView(call.tool, _parsed(call.arguments))
        return cls(seq, pos, call, active, at_us, view)

    def judged(self, answer: Message | None, result_seq: int | None) -> DraftCall:
        """Judge it by its result; by None it is pending."""
        content = None if answer is None else answer.content
        evidence = NO_EVIDENCE if answer is None else answer.evidence
        duration_us = evidence.duration_us
        if duration_us is None and answer is not None:
            duration_us = _between(self.at_us, answer.at_us)
        return DraftCall(
            self.seq,
            self.pos,
            self.call,
            self.active,
            self.at_us,
            result_seq,
            self._result_chars(content),
            None if duration_us is None or duration_us < 0 else duration_us,
            self._judgement(content, evidence),
            shape_of_view(self.view),
            _example_tokens(len(self.call.arguments), self._result_chars(content) or 0),
        )

    def _judgement(self, content: str | None, evidence: Evidence) -> Judgement:
        known = self.call.verdict
        if known is not None:
            return Judgement(*known[:-1])
        return judge_view(self.view, content, evidence)

    def _result_chars(self, content: str | None) -> int | None:
        known = self.call.verdict
        if known is not None and content is not None:
            return known.result_chars
        return None if content is None else len(content)


def meet(
    open_calls: dict[str, OpenCall], result: Draft, message: Message, seq: int
) -> None:
    """Let a message open the calls that it makes, or close the one that it answers.

    Args:
        open_calls: By call id; changed in place.
        result: Gains the call that is closed, and what did not become a row.
        message: The next one of the session.
        seq: Its place, from 1.
    """
    if message.calls:
        _open(open_calls, result, message, seq)
    elif message.role == "tool":
        _close(open_calls, result, message, seq)


def _open(
    open_calls: dict[str, OpenCall], result: Draft, message: Message, seq: int
) -> None:
    active = message.active and message.type in _CONVERSATION
    for pos, call in enumerate(message.calls):
        if pos >= MAX_CALLS:
            result.lost_calls += len(message.calls) - MAX_CALLS
            return
        unanswered = open_calls.pop(call.call_id, None)
        if unanswered is not None:
            result.calls.append(unanswered.judged(None, None))
        open_calls[call.call_id] = OpenCall.made(
            call, seq=seq, pos=pos, active=active, at_us=message.at_us
        )


def _close(
    open_calls: dict[str, OpenCall], result: Draft, message: Message, seq: int
) -> None:
    call = open_calls.pop(message.call_id or "", None)
    if call is None:
        result.orphans += 1
    else:
        result.calls.append(call.judged(message, seq))


def _parsed(arguments: str) -> Mapping[str, Any]:
    """Return the arguments as an object; a call whose arguments are none has no keys."""
    try:
        value = orjson.loads(arguments)
    except orjson.JSONDecodeError:
        return {}
    return value if type(value) is dict else {}


def _between(start_us: int | None, end_us: int | None) -> int | None:
    if start_us is None or end_us is None or end_us < start_us:
        return None
    return end_us - start_us


def _example_tokens(arguments_chars: int, result_chars: int) -> int:
    """Price a call by its lengths: exact counting waits until it is really shown.

    The weights are a least-squares fit to rendered examples, off by 18 tokens of 216 in
    the mean.
    """
    shown = min(result_chars, _SHOWN_RESULT_CHARS)
    return 30 + arguments_chars * 3 // 8 + shown // 2

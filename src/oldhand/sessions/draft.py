"""A session as rows, judged, before it has a key in the database.

Every call meets its result here and gets its outcome and its shape. A call's result is the
next message of role `tool` that names its id; ids that an agent uses twice are answered in
order.

What judges and shapes is imported with the first call: it takes 25 ms, a quarter of the
time to a recorder's first message.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from oldhand.sessions.keys import MAX_CALLS
from oldhand.sessions.model import NO_EVIDENCE, Evidence, Message, Session, ToolCall

if TYPE_CHECKING:
    from oldhand.sessions.call_view import CallView
    from oldhand.sessions.outcome import Judgement
    from oldhand.sessions.outcome.hindsight import PastCall, Reconsidered
    from oldhand.sessions.shape import Shape

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
    _look_back(result)
    return result


def _look_back(rows: Draft) -> None:
    """Let what came later in the session move the confidence of judgements."""
    if not rows.calls:
        return
    judging = _judging()
    places = [
        place
        for place, call in enumerate(rows.calls)
        if call.active and call.call.verdict is None
    ]
    past = [_past(rows.calls[place]) for place in places]
    said = [
        row.seq
        for row in rows.messages
        if row.message.role == "user"
        and row.message.type == "turn"
        and judging.is_correction(row.message.content)
    ]
    for number, found in judging.reconsider(past, said).items():
        call = rows.calls[places[number]]
        rows.calls[places[number]] = call._replace(
            judgement=call.judgement._replace(confidence=found.confidence),
            later=found.later,
        )


def _past(call: DraftCall) -> PastCall:
    judgement = call.judgement
    return _judging().past(
        call.seq,
        call.call.tool,
        call.shape.flags,
        call.call.arguments,
        judgement.outcome,
        judgement.confidence,
    )


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
    shape: Shape

    @classmethod
    def made(
        cls, call: ToolCall, *, seq: int, pos: int, active: bool, at_us: int | None
    ) -> OpenCall:
        """Look at a call, made in message `seq` at `pos`."""
        judging = _judging()
        view = judging.view(call.tool, judging.arguments_in(call.arguments))
        return cls(seq, pos, call, active, at_us, view, judging.shape(view))

    def judged(self, answer: Message | None, result_seq: int | None) -> DraftCall:
        """Judge it by its result; by None it is pending."""
        content = None if answer is None else answer.content
        evidence = NO_EVIDENCE if answer is None else answer.evidence
        duration_us = evidence.duration_us
        if duration_us is None and answer is not None:
            duration_us = _between(self.at_us, answer.at_us)
        result_chars = self._result_chars(content)
        return DraftCall(
            self.seq,
            self.pos,
            self.call,
            self.active,
            self.at_us,
            result_seq,
            result_chars,
            None if duration_us is None or duration_us < 0 else duration_us,
            self._judgement(content, evidence),
            self.shape,
            _example_tokens(len(self.call.arguments), result_chars or 0),
            evidence,
            None if self.call.verdict is None else self.call.verdict.later,
        )

    def _judgement(self, content: str | None, evidence: Evidence) -> Judgement:
        known = self.call.verdict
        if known is not None:
            return _judging().judgement(*known[:4])
        return _judging().judge(self.view, content, evidence)

    def _result_chars(self, content: str | None) -> int | None:
        known = self.call.verdict
        if known is not None and content is not None:
            return known.result_chars
        return None if content is None else len(content)


class _Judging(NamedTuple):
    """What judging and shaping takes."""

    view: type[CallView]
    judge: Callable[[CallView, str | None, Evidence], Judgement]
    judgement: type[Judgement]
    shape: Callable[[CallView], Shape]
    arguments_in: Callable[[str], Mapping[str, Any]]
    past: type[PastCall]
    is_correction: Callable[[str], bool]
    reconsider: Callable[[Sequence[PastCall], Collection[int]], dict[int, Reconsidered]]


@cache
def _judging() -> _Judging:
    """Import it, once: an import statement in each function took a tenth of an append."""
    from oldhand.sessions.arguments import arguments_in  # noqa: PLC0415
    from oldhand.sessions.call_view import CallView  # noqa: PLC0415
    from oldhand.sessions.outcome import Judgement, judge_view  # noqa: PLC0415
    from oldhand.sessions.outcome.hindsight import (  # noqa: PLC0415
        PastCall,
        is_correction,
        reconsider,
    )
    from oldhand.sessions.shape import shape_of_view  # noqa: PLC0415

    return _Judging(
        CallView,
        judge_view,
        Judgement,
        shape_of_view,
        arguments_in,
        PastCall,
        is_correction,
        reconsider,
    )


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

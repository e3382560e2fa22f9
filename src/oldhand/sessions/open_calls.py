"""Calls meet their results, and get outcome and shape.

A call's result is the next message of role `tool` that names its id; ids that an agent uses
twice are answered in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oldhand.sessions.draft_rows import Draft, DraftCall
from oldhand.sessions.judging import judging
from oldhand.sessions.keys import MAX_CALLS
from oldhand.sessions.model import NO_EVIDENCE, Evidence, Message, ToolCall

if TYPE_CHECKING:
    from oldhand.sessions.call_view import CallView
    from oldhand.sessions.outcome import Judgement
    from oldhand.sessions.shape import Shape

_SHOWN_RESULT_CHARS = 230
_CONVERSATION = frozenset(("turn", "summary"))


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
        tools = judging()
        view = tools.view(call.tool, tools.arguments_in(call.arguments))
        return cls(seq, pos, call, active, at_us, view, tools.shape(view))

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
            return judging().judgement(*known[:4])
        return judging().judge(self.view, content, evidence)

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

"""Judge calls on record anew: by the rules of today, and in the light of what came later.

What a judgement needs stands in the database: the call, its result, and what the agent's
record said. A result that was pruned is gone, and the judgement of its call stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.call_view import CallView
from oldhand.sessions.keys import calls_of, messages_of
from oldhand.sessions.marks import evidence_of
from oldhand.sessions.outcome import Judgement, judge_view
from oldhand.sessions.outcome.explain import Explanation, explain
from oldhand.sessions.outcome.hindsight import (
    PastCall,
    Reconsidered,
    is_correction,
    reconsider,
)
from oldhand.sessions.payloads import content_of
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)
_SEQ_BITS = 22
_POS_BITS = 10

Progress = Callable[[int, int], None]


class Rejudged(NamedTuple):
    """What judging anew changed.

    Attributes:
        calls: How many were judged.
        outcomes: How many changed from one outcome to another.
        reasons: How many kept their outcome, and have another rule, error kind or
            confidence.
    """

    calls: int
    outcomes: Counter[tuple[str, str]]
    reasons: int


class CallExplained(NamedTuple):
    """Why a call is judged as it is.

    Attributes:
        explanation: The evidence in order, by the rules of today.
        recorded: What is on record; another oldhand may have judged it.
        later: What came after it that moved the confidence.
    """

    explanation: Explanation
    recorded: Judgement
    later: str | None


def rejudge_all(
    store: Store,
    *,
    keeps: bool = True,
    progress: Progress = lambda _done, _total: None,
) -> Rejudged:
    """Judge every call on record anew, session by session.

    Args:
        store: Where they are.
        keeps: Whether what changes is written down.
        progress: Told how many sessions are done, of how many.
    """
    sessions = store.query_all(_SQL["session_ids"])
    calls, reasons = 0, 0
    outcomes: Counter[tuple[str, str]] = Counter()
    for number, (session_id,) in enumerate(sessions, 1):
        with store.transaction():
            found = _rejudge_session(store, session_id, keeps=keeps)
        calls += found.calls
        outcomes += found.outcomes
        reasons += found.reasons
        progress(number, len(sessions))
    return Rejudged(calls, outcomes, reasons)


def look_back(store: Store, session_id: int) -> int:
    """Let what came later move the confidence of a session's judgements.

    An import does that as it reads; a session that was recorded live has it done when it
    ends.

    Returns:
        How many judgements it moved.
    """
    rows = store.query_all(_SQL["calls_to_reconsider"], calls_of(session_id))
    open_to = [row for row in rows if row[-1] is None]
    found = _hindsight(store, session_id, [_past(row[:-1]) for row in open_to])
    moved = [
        (value.confidence, value.later, open_to[number][0])
        for number, value in found.items()
    ]
    store.execute_many(_SQL["move_confidence"], moved)
    return len(moved)


def explain_call(store: Store, call: int) -> CallExplained:
    """Say why a call is judged as it is.

    Args:
        store: Where it is.
        call: Its key, which is there.
    """
    row = store.query_all(_SQL["calls_to_judge"], (call, call + 1))[0]
    judged = _judged(row)
    view = CallView(judged.tool, arguments_in(judged.arguments))
    explanation = explain(
        view, judged.result, evidence_of(judged.marks, judged.exit_code)
    )
    return CallExplained(explanation, judged.recorded, judged.later)


class _Call(NamedTuple):
    """A call on record, with all that judging looks at."""

    id: int
    tool: str
    shape: str
    arguments: str
    result: str | None
    is_pruned: bool
    marks: int | None
    exit_code: int | None
    active: bool
    recorded: Judgement
    later: str | None


def _judged(row: Row) -> _Call:
    call_id, tool, shape, arguments, result, body, dropped = row[:7]
    return _Call(
        call_id,
        tool,
        shape,
        arguments,
        None if result is None else content_of(result, body),
        dropped is not None,
        row[7],
        row[8],
        bool(row[9]),
        Judgement(*row[10:14]),
        row[14],
    )


def _rejudge_session(store: Store, session_id: int, *, keeps: bool) -> Rejudged:
    rows = store.query_all(_SQL["calls_to_judge"], calls_of(session_id))
    calls = [_judged(row) for row in rows]
    judgements = [_judgement(call) for call in calls]
    kept = [place for place, call in enumerate(calls) if call.active]
    past = [
        PastCall(
            _seq_of(calls[place].id),
            calls[place].tool,
            calls[place].shape,
            calls[place].arguments,
            judgements[place].outcome,
            judgements[place].confidence,
        )
        for place in kept
    ]
    hindsight = {
        kept[at]: found for at, found in _hindsight(store, session_id, past).items()
    }
    outcomes: Counter[tuple[str, str]] = Counter()
    changed = []
    for place, (call, judgement) in enumerate(zip(calls, judgements, strict=True)):
        later = hindsight.get(place)
        confidence = judgement.confidence if later is None else later.confidence
        new = judgement._replace(confidence=confidence)
        reason = None if later is None else later.later
        if (new, reason) != (call.recorded, call.later):
            changed.append((*new, reason, call.id))
            if new.outcome != call.recorded.outcome:
                outcomes[call.recorded.outcome, new.outcome] += 1
    if keeps and changed:
        store.execute_many(_SQL["rejudge_call"], changed)
        counted = {"id": session_id, **calls_of(session_id)._asdict()}
        store.execute(_SQL["recount_failed_calls"], counted)
    return Rejudged(len(calls), outcomes, len(changed) - outcomes.total())


def _judgement(call: _Call) -> Judgement:
    """Judge a call; where its result was pruned, as it was judged with it."""
    if call.is_pruned:
        return call.recorded
    view = CallView(call.tool, arguments_in(call.arguments))
    return judge_view(view, call.result, evidence_of(call.marks, call.exit_code))


def _hindsight(
    store: Store, session_id: int, past: list[PastCall]
) -> dict[int, Reconsidered]:
    said = store.query_all(_SQL["user_turns"], messages_of(session_id))
    corrections = [
        message & (1 << _SEQ_BITS) - 1
        for message, content, body in said
        if is_correction(content_of(content, body))
    ]
    return reconsider(past, corrections)


def _past(row: Row) -> PastCall:
    return PastCall(_seq_of(row[0]), *row[1:])


def _seq_of(call: int) -> int:
    return call >> _POS_BITS & (1 << _SEQ_BITS) - 1

"""A whole session as judged rows, matched with the rows that are there already."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from oldhand.sessions.draft_rows import Draft, DraftCall, DraftMessage
from oldhand.sessions.judging import judging
from oldhand.sessions.model import Message, Session
from oldhand.sessions.open_calls import OpenCall, meet

if TYPE_CHECKING:
    from oldhand.sessions.outcome.hindsight import PastCall

MAX_TASK_CHARS = 2_000


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
    tools = judging()
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
        and tools.is_correction(row.message.content)
    ]
    for number, found in tools.reconsider(past, said).items():
        call = rows.calls[places[number]]
        rows.calls[places[number]] = call._replace(
            judgement=call.judgement._replace(confidence=found.confidence),
            later=found.later,
        )


def _past(call: DraftCall) -> PastCall:
    judgement = call.judgement
    return judging().past(
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

"""Drafted sessions, messages and calls as the values of their tables' columns.

The order of a tuple's values is the order of the columns in `put_message` and `put_call`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from oldhand.sessions.draft import task_of
from oldhand.sessions.draft_rows import Draft, DraftCall, DraftMessage
from oldhand.sessions.keys import call_id, message_id
from oldhand.sessions.marks import marks_of
from oldhand.sessions.model import Message, Session, Usage
from oldhand.sessions.native_ids import is_real_id
from oldhand.sessions.storable_text import storable
from oldhand.sessions.vocabulary import Vocabulary
from oldhand.store import Row

_MICROSECONDS_PER_MINUTE = 60_000_000


class Spent(NamedTuple):
    """What some messages cost, as far as it is known; None is unknown."""

    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int | None
    cache_write_tokens: int | None
    cost_microusd: int | None


NOTHING_KNOWN = Spent(None, None, None, None, None)


def spent_on(messages: Iterable[Message]) -> Spent:
    """Add up what is known of the cost of some messages."""
    telling = [m for m in messages if m.usage is not None or m.cost_usd is not None]
    if not telling:
        return NOTHING_KNOWN
    usages = [message.usage for message in telling if message.usage is not None]
    return Spent(
        _sum(usage.input_tokens for usage in usages),
        _sum(usage.output_tokens for usage in usages),
        _sum(usage.cache_read_tokens for usage in usages),
        _sum(usage.cache_write_tokens for usage in usages),
        _sum(microusd_of(message.cost_usd) for message in telling),
    )


def microusd_of(cost_usd: float | None) -> int | None:
    """Return dollars as whole millionths of one."""
    return None if cost_usd is None else round(cost_usd * 1_000_000)


def minute_of(at_us: int) -> int:
    """Return the minute of a time, by which recent sessions are found."""
    return at_us // _MICROSECONDS_PER_MINUTE


def session_values(
    session: Session, rows: Draft, *, started_at_us: int, updated_at_us: int
) -> dict[str, Any]:
    """Return the values of a session's row by column, without its id."""
    spent = _spent_in(session, rows)
    return {
        "uid": session.uid,
        "source": session.source,
        "agent": session.agent,
        "model": session.model,
        "model_config": session.model_config,
        "principal": session.principal,
        "project": session.project,
        "cwd": session.cwd,
        "git_branch": session.git_branch,
        "parent": session.parent,
        "relation": session.relation,
        "title": session.title,
        "task": _task_of(session),
        "started_at_us": started_at_us,
        "updated_at_us": updated_at_us,
        "updated_minute": minute_of(updated_at_us),
        "ended_at_us": session.ended_at_us,
        "end_reason": session.end_reason,
        "message_count": len(rows.messages),
        "tool_call_count": len(rows.calls),
        "failed_call_count": rows.failed_calls,
        **spent._asdict(),
        "root_native_id": root_of(session),
        "revision": session.revision,
    }


def message_row(session_id: int, row: DraftMessage) -> Row:
    """Return the values of a message's row."""
    message = row.message
    usage = message.usage or _NO_USAGE
    return (
        message_id(session_id, row.seq),
        message.role,
        message.type,
        int(message.active),
        message.at_us,
        row.native_id,
        message.model,
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
        storable(message.content) if "\0" in message.content else message.content,
    )


def call_row(session_id: int, call: DraftCall, vocabulary: Vocabulary) -> Row:
    """Return the values of a call's row; inside a transaction, as its tool may be new."""
    judgement = call.judgement
    result_seq = call.result_seq
    return (
        call_id(message_id(session_id, call.seq), call.pos),
        vocabulary.tool_id(call.call.tool),
        vocabulary.shape_id(call.call.tool, call.shape),
        None if result_seq is None else message_id(session_id, result_seq),
        int(call.active),
        judgement.outcome,
        judgement.rule,
        judgement.confidence,
        judgement.error_kind,
        call.at_us,
        call.duration_us,
        call.result_chars,
        call.example_tokens,
        marks_of(call.evidence),
        call.evidence.exit_code,
        call.later,
        call.call.call_id,
        call.call.arguments,
    )


def root_of(session: Session) -> str | None:
    """Return the native id of the first message, by which copies are known."""
    if session.root_native_id is not None:
        return session.root_native_id
    first = session.messages[0].native_id if session.messages else None
    return first if first is not None and is_real_id(first) else None


_NO_USAGE = Usage()


def _task_of(session: Session) -> str | None:
    known = session.on_record
    return task_of(session.messages) if known is None else known.task


def _spent_in(session: Session, rows: Draft) -> Spent:
    """Return what a session cost: the agent's own totals go before sums."""
    spent = spent_on(row.message for row in rows.messages)
    if session.usage is not None:
        usage = session.usage
        spent = Spent(
            usage.input_tokens,
            usage.output_tokens,
            usage.cache_read_tokens,
            usage.cache_write_tokens,
            spent.cost_microusd,
        )
    if session.cost_usd is not None:
        spent = spent._replace(cost_microusd=microusd_of(session.cost_usd))
    return spent


def _sum(values: Iterable[int | None]) -> int | None:
    """Add what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None

"""Write a session, whole or grown, so that writing it twice changes nothing.

The source's copy is the truth: a session is drafted anew from it each time, matched by
native ids with the rows that are there, and only what is new or different is written.
That is what makes rewinds, late results and merged lines come out right, and it costs a
known session one read of its rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.sessions.draft import Draft, DraftCall, DraftMessage, draft, is_real_id
from oldhand.sessions.draft import task_of as _task_of
from oldhand.sessions.keys import call_id, calls_of, message_id, messages_of
from oldhand.sessions.model import Session, Usage
from oldhand.sessions.vocabulary import Vocabulary
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)
_SEQ_MASK = (1 << 22) - 1


class Written(NamedTuple):
    """What writing one session did.

    Attributes:
        is_new: The session was not there before.
        messages: Messages added.
        calls: Calls added.
        changed: Rows that were there and are different now.
        duplicates: Messages left out, held by the session that this one came from.
        orphans: Results that answer no call.
        is_empty: There was no message, so nothing was written.
    """

    is_new: bool = False
    messages: int = 0
    calls: int = 0
    changed: int = 0
    duplicates: int = 0
    orphans: int = 0
    is_empty: bool = False


class SessionWriter:
    """Writes sessions into one store; keeps the ids of tools and shapes at hand.

    After a transaction that was rolled back, make a new one: what it remembers may not be
    in the database.
    """

    def __init__(self, store: Store, *, clock: Clock = system_clock) -> None:
        """Read the tools and shapes that are known."""
        self._store = store
        self._clock = clock
        self._vocabulary = Vocabulary(store)

    def write(self, session: Session) -> Written:
        """Write a session inside the caller's transaction.

        A session without a message leaves no row.
        """
        stored = self._store.query_one(_SQL["session_by_uid"], {"uid": session.uid})
        known = {} if stored is None else self._known(stored[0])
        inherited = self._inherited(session) - known.keys()
        rows = draft(session, known=known, inherited=inherited)
        if not rows.messages:
            return Written(
                is_empty=not rows.duplicates,
                duplicates=rows.duplicates,
                orphans=rows.orphans,
            )
        session_id = self._put_session(session, rows)
        messages = [_message_row(session_id, row) for row in rows.messages]
        calls = [self._call_row(session_id, call) for call in rows.calls]
        is_new = stored is None
        new_messages, changed_messages = self._put(
            "message", session_id, messages, is_new=is_new
        )
        new_calls, changed_calls = self._put("call", session_id, calls, is_new=is_new)
        return Written(
            is_new=is_new,
            messages=new_messages,
            calls=new_calls,
            changed=changed_messages + changed_calls,
            duplicates=rows.duplicates,
            orphans=rows.orphans,
        )

    def _known(self, session_id: int) -> dict[str, int]:
        """Return the seq of each stored message by its native id."""
        span = messages_of(session_id)._asdict()
        rows = self._store.query_all(_SQL["native_ids_of_session"], span)
        return {native_id: row_id & _SEQ_MASK for row_id, native_id in rows}

    def _inherited(self, session: Session) -> set[str]:
        """Return native ids of messages that other sessions of the lineage hold."""
        root = _root_of(session)
        owners = []
        if root is not None:
            owners = self._store.query_all(
                _SQL["sessions_with_root"],
                {"root": root, "source": session.source, "uid": session.uid},
            )
        if owners and session.parent is None:
            session.parent, session.relation = owners[0][1], "fork"
        ids = {owner[0] for owner in owners}
        if session.parent is not None:
            parent = self._store.query_one(
                _SQL["session_by_uid"], {"uid": session.parent}
            )
            if parent is not None:
                ids.add(parent[0])
        return {key for owner in ids for key in self._known(owner) if is_real_id(key)}

    def _put_session(self, session: Session, rows: Draft) -> int:
        times = [m.at_us for m in session.messages if m.at_us is not None]
        started_at_us = session.started_at_us or (times[0] if times else self._clock())
        usage = session.usage or _total_usage(rows.messages)
        cost = session.cost_usd
        row = self._store.query_one(
            _SQL["put_session"],
            {
                "uid": session.uid,
                "source": session.source,
                "agent": session.agent,
                "model": session.model,
                "principal": session.principal,
                "project": session.project,
                "cwd": session.cwd,
                "git_branch": session.git_branch,
                "parent": session.parent,
                "relation": session.relation,
                "title": session.title,
                "task": _task_of(session),
                "started_at_us": started_at_us,
                "updated_at_us": max(times, default=started_at_us),
                "ended_at_us": session.ended_at_us,
                "end_reason": session.end_reason,
                "message_count": len(rows.messages),
                "tool_call_count": len(rows.calls),
                "failed_call_count": rows.failed_calls,
                "input_tokens": usage.input_tokens,
                "output_tokens": usage.output_tokens,
                "cache_read_tokens": usage.cache_read_tokens,
                "cache_write_tokens": usage.cache_write_tokens,
                "cost_microusd": None if cost is None else round(cost * 1_000_000),
                "root_native_id": _root_of(session),
                "revision": session.revision,
            },
        )
        assert row is not None  # noqa: S101 - an upsert that returns its id
        return int(row[0])

    def _call_row(self, session_id: int, call: DraftCall) -> Row:
        judgement = call.judgement
        result_seq = call.result_seq
        return (
            call_id(message_id(session_id, call.seq), call.pos),
            self._vocabulary.tool_id(call.call.tool),
            self._vocabulary.shape_id(call.call.tool, call.shape),
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
            call.call.call_id,
            call.call.arguments,
        )

    def _put(
        self, noun: str, session_id: int, rows: list[Row], *, is_new: bool
    ) -> tuple[int, int]:
        """Insert the new rows, replace the different ones; return how many of each."""
        if is_new:
            self._store.execute_many(_SQL[f"put_{noun}"], rows)
            return len(rows), 0
        span = messages_of(session_id) if noun == "message" else calls_of(session_id)
        stored = {
            row[0]: row
            for row in self._store.query_all(
                _SQL[f"{noun}_rows_of_session"], span._asdict()
            )
        }
        new = [row for row in rows if row[0] not in stored]
        changed = [row for row in rows if stored.get(row[0], row) != row]
        self._store.execute_many(_SQL[f"put_{noun}"], new)
        replacements = [(*row[1:], row[0]) for row in changed]
        self._store.execute_many(_SQL[f"replace_{noun}"], replacements)
        return len(new), len(changed)


def _message_row(session_id: int, row: DraftMessage) -> Row:
    message = row.message
    usage = message.usage or Usage()
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
        message.content,
    )


def _root_of(session: Session) -> str | None:
    """Return the native id of the first message, by which copies are known."""
    first = session.messages[0].native_id if session.messages else None
    return first if first is not None and is_real_id(first) else None


def _total_usage(messages: Iterable[DraftMessage]) -> Usage:
    usages = [row.message.usage for row in messages if row.message.usage is not None]
    return Usage(
        _sum(usage.input_tokens for usage in usages),
        _sum(usage.output_tokens for usage in usages),
        _sum(usage.cache_read_tokens for usage in usages),
        _sum(usage.cache_write_tokens for usage in usages),
    )


def _sum(values: Iterable[Any]) -> int | None:
    """Add what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None

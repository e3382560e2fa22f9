"""Add messages to the end of a session, in one transaction and without reading it again.

What an append must know of a session is its `Tail`: where it ends, and which calls wait
for their results. A batch of messages is drafted on it, judged, and written with as few
statements as there are rows; then its tail takes the place of the old one. The session's
row holds the number of messages, and an append goes through only where that number is the
one it counts on: so a second writer that came between is found out at no cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from oldhand.clock import Clock
from oldhand.errors import Conflict
from oldhand.sessions.draft import (
    Draft,
    DraftCall,
    DraftMessage,
    OpenCall,
    is_real_id,
    meet,
    task_of,
)
from oldhand.sessions.intake import Entry, Intake
from oldhand.sessions.keys import (
    MAX_SEQ,
    call_id,
    calls_of,
    message_id,
    messages_of,
)
from oldhand.sessions.model import Message, Session, ToolCall
from oldhand.sessions.payloads import stored_messages
from oldhand.sessions.rows import (
    call_row,
    message_row,
    minute_of,
    session_values,
    spent_on,
)
from oldhand.sessions.vocabulary import Vocabulary
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)


@dataclass(slots=True, kw_only=True)
class Tail:
    """Where a session ends.

    Attributes:
        session_id: Its key; None before its first message.
        seq: Of its last message; 0 before the first.
        message_count: As on its row.
        updated_at_us: The latest time of a message so far.
        open_calls: Calls without a result, by call id, the oldest first.
        native_ids: The ids that callers gave their messages; one set that grows, for a
            copy by each append would cost more than the append.
    """

    session_id: int | None = None
    seq: int = 0
    message_count: int = 0
    updated_at_us: int = 0
    open_calls: dict[str, OpenCall] = field(default_factory=dict)
    native_ids: set[str] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class Batch:
    """Messages drafted at the end of a session, before they are written.

    Attributes:
        before: The tail that they were drafted on.
        messages: The messages alone.
        rows: The messages, the calls they make, and the older calls that they answer.
        open_calls: Those that are open after them.
        updated_at_us: The session's latest time after them.
    """

    before: Tail
    messages: list[Message]
    rows: Draft
    open_calls: dict[str, OpenCall]
    updated_at_us: int

    def after(self, session_id: int) -> Tail:
        """Return the tail of a session in which this batch is written."""
        before, count = self.before, len(self.messages)
        for message in self.messages:
            if message.native_id is not None:
                before.native_ids.add(message.native_id)
        return Tail(
            session_id=session_id,
            seq=before.seq + count,
            message_count=before.message_count + count,
            updated_at_us=self.updated_at_us,
            open_calls=self.open_calls,
            native_ids=before.native_ids,
        )


def draft_batch(tail: Tail, entries: Iterable[Entry], *, clock: Clock) -> Batch:
    """Draft and judge messages at the end of a session; writes nothing.

    Raises:
        InvalidInput: One of them is no message.
        Conflict: The session has no room for more.
    """
    intake = Intake(
        seq=tail.seq,
        open_calls=tail.open_calls,
        native_ids=tail.native_ids,
        at_us=clock(),
    )
    for entry in entries:
        intake.take(entry)
    if tail.seq + len(intake.messages) > MAX_SEQ:
        raise Conflict(f"a session holds {MAX_SEQ} messages; go on in a new one")
    rows = Draft()
    open_calls = dict(tail.open_calls)
    for seq, message in enumerate(intake.messages, tail.seq + 1):
        rows.messages.append(
            DraftMessage(seq, message.native_id or f"#{seq - 1}", message)
        )
        meet(open_calls, rows, message, seq)
    rows.calls.extend(
        call.judged(None, None) for call in open_calls.values() if call.seq > tail.seq
    )
    rows.calls.sort(key=lambda call: (call.seq, call.pos))
    times = (m.at_us for m in intake.messages if m.at_us is not None)
    return Batch(
        before=tail,
        messages=intake.messages,
        rows=rows,
        open_calls=open_calls,
        updated_at_us=max((tail.updated_at_us, *times)),
    )


def write_batch(
    store: Store, session: Session, batch: Batch, *, vocabulary: Vocabulary
) -> Tail:
    """Write a batch that has a message, and the session's row before its first.

    Args:
        store: Where to.
        session: What is known of the session; its messages are not looked at.
        batch: Drafted on the session's tail.
        vocabulary: Of the store. When this raises, make a new one.

    Returns:
        The session's tail now. It is durable.

    Raises:
        Conflict: Another writer came between; nothing was written.
    """
    seq = batch.before.seq
    with store.transaction():
        session_id = batch.before.session_id
        if session_id is None:
            session_id = _add_session(store, session, batch)
        else:
            _count_in(store, session_id, session.uid, batch)
        for row in batch.rows.messages:
            store.execute(_SQL["put_message"], message_row(session_id, row))
        for call in batch.rows.calls:
            if call.seq > seq:
                values = call_row(session_id, call, vocabulary)
                store.execute(_SQL["put_call"], values)
            elif call.result_seq is not None:
                store.execute(_SQL["answer_call"], _answer_row(session_id, call))
    return batch.after(session_id)


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


def is_written(store: Store, batch: Batch, tail: Tail) -> bool:
    """Say whether a session ends with a batch whose commit nobody saw."""
    if tail.session_id is None or tail.seq != batch.before.seq + len(batch.messages):
        return False
    stored = stored_messages(store, tail.session_id, after_seq=batch.before.seq)
    expected = [message_row(tail.session_id, row) for row in batch.rows.messages]
    return [message.row for message in stored] == expected


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


def _add_session(store: Store, session: Session, batch: Batch) -> int:
    messages = batch.messages
    started = replace(
        session, model=_last_model(messages) or session.model, messages=messages
    )
    values = session_values(
        started,
        batch.rows,
        started_at_us=messages[0].at_us or batch.updated_at_us,
        updated_at_us=batch.updated_at_us,
    )
    row = store.query_one(_SQL["add_session"], values)
    if row is None:
        raise Conflict(
            f"a session {session.uid!r} is there already; Recorder.resume goes on with it"
        )
    return int(row[0])


def _count_in(store: Store, session_id: int, uid: str, batch: Batch) -> None:
    """Bring the session's row up to date, if nobody else has."""
    rows, before = batch.rows, batch.before
    new_calls = sum(1 for call in rows.calls if call.seq > before.seq)
    changed = store.execute(
        _SQL["count_in"],
        {
            "id": session_id,
            "uid": uid,  # an erased session's id may be another's now
            "message_count": before.message_count,
            "messages": len(rows.messages),
            "calls": new_calls,
            "failed_calls": rows.failed_calls,
            "model": _last_model(batch.messages),
            "task": task_of(batch.messages),
            "updated_at_us": batch.updated_at_us,
            **spent_on(batch.messages)._asdict(),
        },
    )
    if not changed:
        raise Conflict(
            f"session {uid!r} no longer has {before.message_count} messages: another "
            "writer came between; nothing was written"
        )
    minute = minute_of(batch.updated_at_us)
    if minute != minute_of(before.updated_at_us):
        store.execute(
            _SQL["move_session"], {"updated_minute": minute, "id": session_id}
        )


def _answer_row(session_id: int, call: DraftCall) -> Row:
    judgement = call.judgement
    return (
        message_id(session_id, call.result_seq or 0),
        judgement.outcome,
        judgement.rule,
        judgement.confidence,
        judgement.error_kind,
        call.duration_us,
        call.result_chars,
        call.example_tokens,
        call_id(message_id(session_id, call.seq), call.pos),
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
                pos=key & (1 << 10) - 1,
                active=bool(active),
                at_us=at_us,
            )
    return open_calls


def _last_model(messages: Sequence[Message]) -> str | None:
    models = (message.model for message in reversed(messages) if message.model)
    return next(models, None)

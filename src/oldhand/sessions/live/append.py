"""Add messages to the end of a session, in one transaction and without reading it again.

A batch of messages is drafted on the session's tail, judged, and written with as few
statements as there are rows; then its tail takes the place of the old one. The session's
row holds the number of messages, and an append goes through only where that number is the
one it counts on: so a second writer that came between is found out at no cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from oldhand.clock import Clock
from oldhand.errors import Conflict
from oldhand.sessions.draft import task_of
from oldhand.sessions.draft_rows import Draft, DraftCall, DraftMessage
from oldhand.sessions.keys import MAX_SEQ, call_id, message_id
from oldhand.sessions.live.erased import (
    check_not_erased,
    has_tombstones,
    note_erased,
)
from oldhand.sessions.live.intake import Entry, messages_in
from oldhand.sessions.live.tail import Tail
from oldhand.sessions.marks import marks_of
from oldhand.sessions.model import Message, Session
from oldhand.sessions.open_calls import OpenCall, meet
from oldhand.sessions.rows import (
    call_row,
    message_row,
    minute_of,
    root_of,
    session_values,
    spent_on,
)
from oldhand.sessions.vocabulary import Vocabulary
from oldhand.store import Queries, Row, Store

_SQL = Queries("oldhand.sessions")


class Batch(NamedTuple):
    """Messages drafted at the end of a session, before they are written.

    Attributes:
        before: The tail that they were drafted on.
        rows: The messages, the calls they make, and the older calls that they answer.
        open_calls: Those that are open after them.
        native_ids: Those of the messages that callers gave.
        updated_at_us: The session's latest time after them.
    """

    before: Tail
    rows: Draft
    open_calls: dict[str, OpenCall]
    native_ids: set[str]
    updated_at_us: int

    def after(self, session_id: int) -> Tail:
        """Return the tail of a session in which this batch is written."""
        before, count = self.before, len(self.rows.messages)
        before.native_ids.update(self.native_ids)
        return Tail(
            session_id,
            before.seq + count,
            before.message_count + count,
            self.updated_at_us,
            self.open_calls,
            before.native_ids,
        )


def draft_batch(tail: Tail, entries: Iterable[Entry], *, clock: Clock) -> Batch:
    """Draft and judge messages at the end of a session; writes nothing.

    Raises:
        InvalidInput: One of them is no message.
        Conflict: The session has no room for more.
    """
    at_us = clock()
    seq, updated_at_us = tail.seq, tail.updated_at_us
    rows, open_calls = Draft(), tail.open_calls.copy()
    native_ids: set[str] = set()
    for entry in entries:
        for message in messages_in(entry, seq=seq, open_calls=open_calls, at_us=at_us):
            native_id = message.native_id
            if native_id is not None:
                if native_id in tail.native_ids or native_id in native_ids:
                    continue
                native_ids.add(native_id)
            seq += 1
            row = DraftMessage(seq, native_id or f"#{seq - 1}", message)
            rows.messages.append(row)
            meet(open_calls, rows, message, seq)
            updated_at_us = max(updated_at_us, message.at_us or 0)
    if seq > MAX_SEQ:
        raise Conflict(f"a session holds {MAX_SEQ} messages; go on in a new one")
    for call in open_calls.values():
        if call.seq > tail.seq:
            rows.calls.append(call.judged(None, None))
    rows.calls.sort(key=_place_of)
    return Batch(tail, rows, open_calls, native_ids, updated_at_us)


def write_batch(
    store: Store, session: Session, batch: Batch, *, vocabulary: Vocabulary
) -> Tail | None:
    """Write a batch that has a message, and the session's row before its first.

    Args:
        store: Where to.
        session: What is known of the session; its messages are not looked at.
        batch: Drafted on the session's tail.
        vocabulary: Of the store. When this raises, make a new one.

    Returns:
        The session's tail now. It is durable. None where messages of the batch were
        erased, in whatever session: then nothing was written, and the tail that it was
        drafted on names them, so that it can be drafted again without them.

    Raises:
        Conflict: Another writer came between, or the session was erased; nothing was
            written.
    """
    before, rows = batch.before, batch.rows
    with store.transaction():
        session_id = before.session_id
        if session_id is None:
            session_id = _add_session(store, session, batch)
        elif not _count_in(store, session_id, session.uid, batch):
            session_id = None
        if session_id is None:
            return None
        for row in rows.messages:
            store.execute(_SQL["put_message"], message_row(session_id, row))
        for call in rows.calls:
            if call.seq > before.seq:
                values = call_row(session_id, call, vocabulary)
                store.execute(_SQL["put_call"], values)
            elif call.result_seq is not None:
                store.execute(_SQL["answer_call"], _answer_row(session_id, call))
    return batch.after(session_id)


def is_written(store: Store, batch: Batch, tail: Tail) -> bool:
    """Say whether a session ends with a batch whose commit nobody saw."""
    before, messages = batch.before, batch.rows.messages
    if tail.session_id is None or tail.seq != before.seq + len(messages):
        return False
    from oldhand.sessions.payloads import stored_messages  # noqa: PLC0415 - rare

    stored = stored_messages(store, tail.session_id, after_seq=before.seq)
    expected = [message_row(tail.session_id, row) for row in messages]
    return [message.row for message in stored] == expected


def _add_session(store: Store, session: Session, batch: Batch) -> int | None:
    messages = [row.message for row in batch.rows.messages]
    started = session.but(
        model=_last_model(messages) or session.model, messages=messages
    )
    if has_tombstones(store):
        check_not_erased(store, started)
        if note_erased(store, batch.native_ids, before=batch.before):
            session.root_native_id = root_of(started)  # copies are known by it
            return None
    values = session_values(
        started,
        batch.rows,
        started_at_us=messages[0].at_us or batch.updated_at_us,
        updated_at_us=batch.updated_at_us,
    )
    row = store.query_one(_SQL["put_session"], values | {"replaces": 0})
    if row is None:
        raise Conflict(
            f"a session {session.uid!r} is there already; Recorder.resume goes on with it"
        )
    return int(row[0])


def _count_in(store: Store, session_id: int, uid: str, batch: Batch) -> bool:
    """Bring the session's row up to date, if nobody else has.

    Returns:
        Whether the batch can be written: nothing in it was erased.
    """
    before, rows, updated_at_us = batch.before, batch.rows, batch.updated_at_us
    messages = [row.message for row in rows.messages]
    new_calls = sum([call.seq > before.seq for call in rows.calls])
    values = (
        len(messages),
        new_calls,
        rows.failed_calls,
        *spent_on(messages),
        _last_model(messages),
        task_of(messages),
        updated_at_us,
        session_id,
        uid,  # an erased session's id may be another's now
        before.message_count,
    )
    # That nothing was erased, ever, is looked up by the statement that is needed anyway.
    counted = store.execute(_SQL["count_in"], (*values, len(batch.native_ids)))
    if not counted and batch.native_ids:
        if note_erased(store, batch.native_ids, before=before):
            return False
        counted = store.execute(_SQL["count_in"], (*values, 0))
    if not counted:
        raise Conflict(
            f"session {uid!r} no longer has {before.message_count} messages: another "
            "writer came between; nothing was written"
        )
    minute = minute_of(updated_at_us)
    if minute != minute_of(before.updated_at_us):
        store.execute(_SQL["move_session"], (minute, session_id))
    return True


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
        marks_of(call.evidence),
        call.evidence.exit_code,
        call_id(message_id(session_id, call.seq), call.pos),
    )


def _last_model(messages: Sequence[Message]) -> str | None:
    for message in reversed(messages):
        if message.model:
            return message.model
    return None


def _place_of(call: DraftCall) -> tuple[int, int]:
    return call.seq, call.pos

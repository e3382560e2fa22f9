"""Write a session, whole or grown, so that writing it twice changes nothing.

The source's copy is the truth: a session is drafted anew from it each time, matched by
native ids with the rows that are there, and only what is new or different is written.
That is what makes rewinds, late results and merged lines come out right, and it costs a
known session one read of its rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.sessions.draft import draft
from oldhand.sessions.draft_rows import Draft
from oldhand.sessions.keep.keeping import Keeping
from oldhand.sessions.keep.tombstones import Reason
from oldhand.sessions.keys import calls_of, message_id, messages_of
from oldhand.sessions.model import Session
from oldhand.sessions.native_ids import is_real_id
from oldhand.sessions.payloads import StoredMessage, put_messages, stored_messages
from oldhand.sessions.rows import call_row, message_row, root_of, session_values
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
        kept_out: Why nothing was written of a session that was taken out before.
    """

    is_new: bool = False
    messages: int = 0
    calls: int = 0
    changed: int = 0
    duplicates: int = 0
    orphans: int = 0
    is_empty: bool = False
    kept_out: Reason | None = None


class SessionWriter:
    """Writes sessions into one store; keeps the ids of tools and shapes at hand.

    After a transaction that was rolled back, make a new one: what it remembers may not be
    in the database.
    """

    def __init__(
        self,
        store: Store,
        *,
        restores_pruned: bool = False,
        clock: Clock = system_clock,
    ) -> None:
        """Remember no tool and no shape yet."""
        self._store = store
        self._clock = clock
        self._vocabulary = Vocabulary(store)
        self._keeping = Keeping(store, restores_pruned=restores_pruned)

    def write(self, session: Session) -> Written:
        """Write a session inside the caller's transaction.

        A session without a message leaves no row; one that was erased or pruned is not
        written again.
        """
        kept_out = self._keeping.keeps_out(session)
        if kept_out is not None:
            return Written(kept_out=kept_out)
        return self._write(
            self._keeping.with_stored_words(self._keeping.without_erased(session))
        )

    def _write(self, session: Session) -> Written:
        stored = self._store.query_one(_SQL["session_to_write"], {"uid": session.uid})
        known = {} if stored is None else self._known(stored[0])
        inherited = self._inherited(session) - known.keys()
        rows = draft(session, known=known, inherited=inherited)
        if not rows.messages:
            return Written(
                is_empty=not rows.duplicates,
                duplicates=rows.duplicates,
                orphans=rows.orphans,
            )
        session_id = self._put_session(session, rows, stored)
        if stored is None and self._known(session_id):
            return self.write(session)  # another process was quicker: draft it anew
        is_new = stored is None
        new_messages, changed_messages = self._put_messages(
            session, session_id, rows=rows, is_new=is_new
        )
        new_calls, changed_calls = self._put_calls(
            session, session_id, rows=rows, is_new=is_new
        )
        if known.keys() - {row.native_id for row in rows.messages}:
            self._recount(session_id)  # the source has lost what stays on record
        return Written(
            is_new=is_new,
            messages=new_messages,
            calls=new_calls,
            changed=changed_messages + changed_calls,
            duplicates=rows.duplicates,
            orphans=rows.orphans,
        )

    def _recount(self, session_id: int) -> None:
        messages, calls = messages_of(session_id), calls_of(session_id)
        self._store.execute(
            _SQL["recount_session"],
            {
                "id": session_id,
                "first_message": messages.first,
                "after_message": messages.after,
                "first_call": calls.first,
                "after_call": calls.after,
            },
        )

    def _known(self, session_id: int) -> dict[str, int]:
        """Return the seq of each stored message by its native id."""
        span = messages_of(session_id)._asdict()
        rows = self._store.query_all(_SQL["native_ids_of_session"], span)
        return {native_id: row_id & _SEQ_MASK for row_id, native_id in rows}

    def _inherited(self, session: Session) -> set[str]:
        """Return native ids of messages that other sessions of the lineage hold."""
        root = root_of(session)
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

    def _put_session(self, session: Session, rows: Draft, stored: Row | None) -> int:
        times = [m.at_us for m in session.messages if m.at_us is not None]
        started_at_us = session.started_at_us or (times[0] if times else self._clock())
        updated_at_us = max([started_at_us, *times])
        if session.on_record is not None:
            updated_at_us = session.on_record.updated_at_us
        elif stored is not None and not times and len(rows.messages) <= stored[2]:
            updated_at_us = stored[3]  # nothing says that anything has changed
        values = session_values(
            session, rows, started_at_us=started_at_us, updated_at_us=updated_at_us
        )
        row = self._store.query_one(_SQL["put_session"], values | {"replaces": 1})
        assert row is not None  # noqa: S101 - an upsert that returns its id
        return int(row[0])

    def _put_messages(
        self, session: Session, session_id: int, *, rows: Draft, is_new: bool
    ) -> tuple[int, int]:
        drafted = [message_row(session_id, row) for row in rows.messages]
        dropped = {
            message_id(session_id, row.seq): row.message.dropped_chars
            for row in rows.messages
            if row.message.dropped_chars is not None
        }
        if is_new:
            put_messages(self._store, drafted)
            counts = len(drafted), 0
        else:
            found = stored_messages(self._store, session_id)
            stored = {message.row[0]: message for message in found}
            counts = self._put(
                "message",
                [
                    self._keeping.reconciled(
                        row, stored.get(row[0]), session=session, dropped=dropped
                    )
                    for row in drafted
                ],
                {key: message.row for key, message in stored.items()},
            )
        self._store.execute_many(
            _SQL["mark_dropped"], [(chars, key) for key, chars in dropped.items()]
        )
        return counts

    def _put_calls(
        self, session: Session, session_id: int, *, rows: Draft, is_new: bool
    ) -> tuple[int, int]:
        drafted = [call_row(session_id, call, self._vocabulary) for call in rows.calls]
        if is_new:
            self._store.execute_many(_SQL["put_call"], drafted)
            return len(drafted), 0
        span = calls_of(session_id)._asdict()
        found = self._store.query_all(_SQL["call_rows_of_session"], span)
        stored = {row[0]: StoredMessage(row, None) for row in found}
        return self._put(
            "call",
            [
                self._keeping.reconciled(row, stored.get(row[0]), session=session)
                for row in drafted
            ],
            {key: call.row for key, call in stored.items()},
        )

    def _put(
        self, noun: str, rows: list[Row], stored: Mapping[int, Row]
    ) -> tuple[int, int]:
        """Insert the new rows, replace the different ones; return how many of each."""
        new = [row for row in rows if row[0] not in stored]
        changed = [row for row in rows if stored.get(row[0], row) != row]
        if noun == "message":
            put_messages(self._store, new)
        else:
            self._store.execute_many(_SQL["put_call"], new)
        replacements = [(*row[1:], row[0]) for row in changed]
        self._store.execute_many(_SQL[f"replace_{noun}"], replacements)
        return len(new), len(changed)

"""What writing a session again must not undo.

An erased session stays away, and so do copies of its messages in the files of others. A
pruned text stays pruned. A redacted export that is read back does not take the place of
the text that it was made from.
"""

from __future__ import annotations

from collections.abc import Mapping

from oldhand.redact import redact
from oldhand.sessions.keep.tombstones import Reason, Tombstones
from oldhand.sessions.model import OnRecord, Session
from oldhand.sessions.native_ids import is_real_id
from oldhand.sessions.payloads import StoredMessage
from oldhand.sessions.rows import root_of
from oldhand.store import Queries, Row, Store

_SQL = Queries("oldhand.sessions")
NOTHING_DROPPED: Mapping[int, int] = {}


class Keeping:
    """Stands between the copies that sources have and the rows that are there.

    Args:
        store: Where the rows are.
        restores_pruned: What was pruned may come back; what was erased never does.
    """

    def __init__(self, store: Store, *, restores_pruned: bool = False) -> None:
        """Read nothing yet."""
        self._store = store
        self._restores_pruned = restores_pruned
        self._tombstones = Tombstones(store)

    def keeps_out(self, session: Session) -> Reason | None:
        """Say why a session must not be written; None where it may be."""
        reason = self._tombstones.keeps_out(session)
        if reason == "pruned" and self._restores_pruned:
            self._tombstones.lift(session.uid)
            return None
        return reason

    def without_erased(self, session: Session) -> Session:
        """Return a session without the copies of erased messages that it holds."""
        names = [m.native_id for m in session.messages if m.native_id]
        erased = self._tombstones.erased_among(filter(is_real_id, names))
        if not erased:
            return session
        numbered = [
            message.but(native_id=message.native_id or f"#{index}")
            for index, message in enumerate(session.messages)
        ]
        return session.but(
            messages=[m for m in numbered if m.native_id not in erased],
            root_native_id=root_of(session),
        )

    def with_stored_words(self, session: Session) -> Session:
        """Return a redacted copy with the title and task that are on record, if any."""
        known = session.on_record
        if known is None or not known.is_redacted:
            return session
        row = self._store.query_one(_SQL["session_words"], {"uid": session.uid})
        title, task = row or (None, None)
        return session.but(
            title=_unredacted(session.title, title),
            on_record=OnRecord(_unredacted(known.task, task), *known[1:]),
        )

    def reconciled(
        self,
        row: Row,
        stored: StoredMessage | None,
        *,
        session: Session,
        dropped: Mapping[int, int] = NOTHING_DROPPED,
    ) -> Row:
        """Return a row as it is to be written over the one that is there.

        Args:
            row: Drafted from the source's copy; its text comes last.
            stored: What is there; None where it is new.
            session: Whose row it is.
            dropped: Ids of messages whose text the source's copy has lost.
        """
        if stored is None:
            return row
        text = stored.row[-1]
        is_redacted = session.on_record is not None and session.on_record.is_redacted
        if stored.dropped_chars is not None and not self._restores_pruned:
            return (*row[:-1], "")
        if row[0] in dropped or (is_redacted and redact(text) == row[-1]):
            return (*row[:-1], text)
        return row


def _unredacted(given: str | None, stored: str | None) -> str | None:
    if given is not None and stored is not None and redact(stored) == given:
        return stored
    return given

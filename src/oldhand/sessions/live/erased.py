"""What was erased is not recorded again, as it is not imported again.

Few databases have a tombstone: digests, and the 3 ms that importing them takes at the start
of a process, are for those that have.
"""

from __future__ import annotations

from collections.abc import Iterable

from oldhand.errors import Conflict
from oldhand.sessions.live.tail import Tail
from oldhand.sessions.model import Session
from oldhand.sessions.native_ids import is_real_id
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")


def has_tombstones(store: Store) -> bool:
    """Say whether anything was ever taken out."""
    return store.query_one(_SQL["any_tombstone"]) is not None


def check_not_erased(store: Store, session: Session) -> None:
    """Refuse a session that was erased; one that was pruned may begin anew.

    The name of a parent that was erased is taken out.

    Raises:
        Conflict: The session was erased, or the one that it is a part of.
    """
    from oldhand.sessions.keep.tombstones import Tombstones  # noqa: PLC0415

    if Tombstones(store).keeps_out(session) == "erased":
        raise Conflict(
            f"session {session.uid!r}, or the one that it is a part of, was erased and "
            "stays so; record under another uid"
        )


def note_erased(store: Store, native_ids: Iterable[str], *, before: Tail) -> bool:
    """Say whether ids name erased messages; the tail names those from now on."""
    from oldhand.sessions.keep.tombstones import Tombstones  # noqa: PLC0415

    erased = Tombstones(store).erased_among(filter(is_real_id, native_ids))
    before.native_ids.update(erased)
    return bool(erased)

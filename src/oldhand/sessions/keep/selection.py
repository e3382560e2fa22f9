"""Which sessions are meant: one set of wishes for exporting, erasing and pruning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from oldhand.sessions.read import find_session
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")
_PAGE_ROWS = 500
_END_OF_TIME = (1 << 63) - 1


class Selection(NamedTuple):
    """Which sessions; all that is said must hold, and nothing said means all.

    Attributes:
        uids: Only these; the beginning of a uid will do.
        principal: Only those of one principal.
        project: Only those of one project.
        source: Only those of one agent.
        before_us: Only those whose last message came earlier, in microseconds since
            1970-01-01 UTC.
    """

    uids: tuple[str, ...] = ()
    principal: str | None = None
    project: str | None = None
    source: str | None = None
    before_us: int | None = None

    @property
    def is_all(self) -> bool:
        """Say whether it narrows nothing."""
        return self == Selection()


class Selected(NamedTuple):
    """One session that is meant, with what is needed to find its rows and traces."""

    id: int
    uid: str
    relation: str | None
    updated_at_us: int
    message_count: int
    tool_call_count: int
    root_native_id: str | None


def select_sessions(store: Store, selection: Selection) -> Iterator[Selected]:
    """Yield the sessions that are meant, in the order in which they were recorded.

    Raises:
        NotFound: No session begins with one of the uids.
        InvalidInput: One of them fits several.
    """
    wanted = {find_session(store, uid).id for uid in selection.uids}
    after_id = 0
    while True:
        rows = store.query_all(
            _SQL["selected_sessions"],
            {
                "after_id": after_id,
                "principal": selection.principal,
                "project": selection.project,
                "source": selection.source,
                "before_us": _END_OF_TIME
                if selection.before_us is None
                else selection.before_us,
                "limit": _PAGE_ROWS,
            },
        )
        for row in rows:
            if not wanted or row[0] in wanted:
                yield Selected(*row)
        if len(rows) < _PAGE_ROWS:
            return
        after_id = rows[-1][0]

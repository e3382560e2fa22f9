"""What an append and an import leave for later: long texts and the search index.

Which sessions have changed is known from the search index, which they wait for. A session
whose last turn was open when its texts were looked at, and that stayed silent since, is
found among those that changed within a day.
"""

from __future__ import annotations

from oldhand.clock import Clock, system_clock
from oldhand.sessions.payloads import LONG_TEXT_BYTES, compact_session
from oldhand.sessions.rows import minute_of
from oldhand.sessions.search.index import index_pending
from oldhand.store import Queries, Store

_SQL = Queries(__package__)
_DAY_US = 86_400_000_000


def compress_changed(store: Store, *, clock: Clock = system_clock) -> None:
    """Compress the long texts of closed turns in the sessions that have changed.

    Args:
        store: Where sessions have changed.
        clock: Says which turns are closed.
    """
    wanted = {"minute": minute_of(clock() - _DAY_US), "bytes": LONG_TEXT_BYTES}
    for (session_id,) in store.query_all(_SQL["changed_with_long_texts"], wanted):
        compact_session(store, session_id, clock=clock)


def catch_up(store: Store, *, clock: Clock = system_clock) -> int:
    """Compress what has changed, then index it: for a process that nobody waits for.

    Indexing takes several times as long as importing, most of it to find secrets. Where a
    person waits, it is left to the first search.

    Args:
        store: Where sessions have changed.
        clock: Says which turns are closed.

    Returns:
        How many messages were indexed.
    """
    compress_changed(store, clock=clock)
    return index_pending(store)

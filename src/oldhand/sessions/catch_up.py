"""What an append and an import leave for later: long texts and the search index.

Which sessions have changed is known from the search index, which they wait for. A session
whose last turn was open when its texts were looked at, or that a search has indexed, is found
by its time: it is noted up to when all that was silent has been looked at.
"""

from __future__ import annotations

from oldhand.clock import Clock, system_clock
from oldhand.sessions.payloads import IDLE_US, LONG_TEXT_BYTES, compact_session
from oldhand.sessions.rows import minute_of
from oldhand.sessions.search.index import index_pending
from oldhand.store import Queries, Store

_SQL = Queries(__package__)


def compress_changed(store: Store, *, clock: Clock = system_clock) -> None:
    """Compress the long texts of closed turns in the sessions that have changed.

    Args:
        store: Where sessions have changed.
        clock: Says which turns are closed.
    """
    silent_minute = minute_of(clock() - IDLE_US)
    noted = store.query_one(_SQL["compressed_until"])
    wanted = {"minute": int(noted[0]) if noted else 0, "bytes": LONG_TEXT_BYTES}
    for (session_id,) in store.query_all(_SQL["changed_with_long_texts"], wanted):
        compact_session(store, session_id, clock=clock)
    if silent_minute != wanted["minute"]:
        store.execute(_SQL["note_compressed_until"], {"minute": str(silent_minute)})


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

"""Which sessions were mined: asked before each hint, so that it imports next to nothing."""

from __future__ import annotations

from oldhand.store import Queries, Store

_SQL = Queries(__package__)

VERSION = 1
"""Of the way of mining: to be raised when what is found in the same calls changes."""

NEWEST_LOOKED_AT = 50
MINED_FOR_A_HINT = 5


def unmined(store: Store) -> list[int]:
    """Return the keys of the sessions that were not mined, or changed since, newest first."""
    return [row[0] for row in store.query_all(_SQL["unmined"], {"version": VERSION})]


def newest_unmined(store: Store, *, without: int | None) -> list[int]:
    """Return a few of them, the newest: as many as there is time for while a call waits.

    Args:
        store: Where they are.
        without: The key of a session that goes on and is looked at by itself.
    """
    wanted = {
        "version": VERSION,
        "looked_at": NEWEST_LOOKED_AT,
        "without": without,
        "mined": MINED_FOR_A_HINT,
    }
    return [row[0] for row in store.query_all(_SQL["newest_unmined"], wanted)]

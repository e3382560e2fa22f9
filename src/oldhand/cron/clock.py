"""Whose time counts: the server's, where several machines share one."""

from __future__ import annotations

from oldhand.clock import Clock, system_clock
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.cron")


def clock_of(store: Store) -> Clock:
    """Return the clock that all schedulers of a database go by.

    Args:
        store: A SQLite file is one machine's, whose clock it is; PostgreSQL has its own,
            asked for each time.
    """
    if _server_time(store) is None:
        return system_clock
    return lambda: _server_time(store) or system_clock()


def _server_time(store: Store) -> int | None:
    row = store.query_one(_SQL["server_time"])
    return None if row is None else row[0]

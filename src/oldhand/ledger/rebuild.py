"""Work out all sums again from the runs, which are the truth."""

from __future__ import annotations

from oldhand.ledger.decayed import HALF_LIVES_DAYS, DecayedSums
from oldhand.store import Queries, Row, Store

_SQL = Queries("oldhand.ledger")
_COUNTS = 7
_SUMS = len(DecayedSums._fields)


def rebuild_sums(store: Store) -> int:
    """Replace all counts and sums by what one pass over the runs gives.

    Sums stand as of the newest run's end. Runs that are closed meanwhile wait for it, in
    PostgreSQL too.

    Returns:
        How many cells there are.
    """
    with store.transaction():
        # First, so that nobody adds a run between the pass and what it writes.
        store.execute(_SQL["clear_counts"])
        store.execute(_SQL["clear_sums"])
        newest = store.query_one(_SQL["newest_end"])
        at_us = (newest[0] if newest else None) or 0  # no run: nothing is added up
        rows = store.query_all(_SQL["rebuilt_sums"], {"at_us": at_us})
        store.execute_many(
            _SQL["set_counts"], [(*row[1 : 1 + _COUNTS], row[0]) for row in rows]
        )
        store.execute_many(
            _SQL["put_sums"], [sums for row in rows for sums in _sums(row, at_us)]
        )
        store.execute(_SQL["forget_stale"])
    return len(rows)


def _sums(row: Row, at_us: int) -> list[Row]:
    """Return the rows of `skill_sums` of one cell."""
    cell_id, values = row[0], row[1 + _COUNTS :]
    return [
        (cell_id, days, at_us, *values[place * _SUMS : (place + 1) * _SUMS])
        for place, days in enumerate(HALF_LIVES_DAYS)
    ]

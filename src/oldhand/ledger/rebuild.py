"""Work out all sums again from the runs, which are the truth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from oldhand.ledger.cell_sums import CellSums
from oldhand.ledger.decayed import HALF_LIVES_DAYS, DecayedSums, stretch_end_us
from oldhand.store import Queries, Row, Store

_SQL = Queries("oldhand.ledger")
_UNKNOWN = 2


class _Part(NamedTuple):
    """Sums of one half-life over runs of which the same is known."""

    w: float
    w2: float
    wc: float
    w2c: float
    w2c2: float
    seconds: float
    quality: float


_WIDTH = len(_Part._fields)
_PLACES = range(5, 5 + _WIDTH * len(HALF_LIVES_DAYS), _WIDTH)
"""Where the parts begin among the columns of `rebuilt_sums`."""


class _Kind(NamedTuple):
    """What is known of some runs, and of which cell they are."""

    cell_id: int
    success: int
    has_cost: bool
    has_duration: bool
    has_quality: bool

    @classmethod
    def read(cls, kind: int) -> _Kind:
        """Take apart what `rebuilt_sums` made."""
        rest, flags = divmod(kind, 8)
        cell_id, success = divmod(rest, 3)
        return cls(cell_id, success, not flags & 4, not flags & 2, not flags & 1)


def rebuild_sums(store: Store) -> int:
    """Replace all counts and sums by what one pass over the runs gives.

    Sums stand as of the end of the newest run's stretch. Runs that are closed meanwhile
    wait for it, in PostgreSQL too.

    Returns:
        How many cells have a run that has ended.
    """
    with store.transaction():
        # First, so that nobody adds a run between the pass and what it writes.
        store.execute(_SQL["lock_sums"])
        store.execute(_SQL["clear_sums"])
        newest = store.query_one(_SQL["newest_end"])
        at_us = stretch_end_us((newest[0] if newest else None) or 0)
        cells = _cells(store.query_all(_SQL["rebuilt_sums"], {"at_us": at_us}), at_us)
        rows = [sums.as_row(cell_id) for cell_id, sums in cells.items()]
        store.execute_many(_SQL["put_sums"], rows)
        store.execute(_SQL["forget_stale"])
    return len(cells)


def _cells(rows: Iterable[Row], at_us: int) -> dict[int, CellSums]:
    """Put together what is known of each cell, by its id."""
    cells: dict[int, CellSums] = {}
    for row in rows:
        kind = _Kind.read(row[0])
        sums = _sums_of_kind(kind, row, at_us)
        found = cells.get(kind.cell_id)
        cells[kind.cell_id] = sums if found is None else found.plus(sums)
    return cells


def _sums_of_kind(kind: _Kind, row: Row, at_us: int) -> CellSums:
    _, count, drawn, cost, last_us = row[: _PLACES.start]
    parts = (_Part._make(map(float, row[at : at + _WIDTH])) for at in _PLACES)
    return CellSums(
        at_us,
        invocation_count=count,
        success_count=count if kind.success == 1 else 0,
        failure_count=count if kind.success == 0 else 0,
        drawn_count=drawn,
        cost_known_count=count if kind.has_cost else 0,
        total_cost_microusd=float(cost),
        last_invoked_at_us=last_us,
        faded=tuple(_decayed_sums(kind, part) for part in parts),
    )


def _decayed_sums(kind: _Kind, part: _Part) -> DecayedSums:
    """Return what runs of one kind add: a sum over what is unknown of them is 0."""
    known = float(kind.success != _UNKNOWN)
    success = float(kind.success == 1)
    cost = float(kind.has_cost)
    return DecayedSums(
        weight=known * part.w,
        weight2=known * part.w2,
        success=success * part.w,
        cost_weight=cost * part.w,
        cost=part.wc,
        both_success=success * cost * part.w,
        both_cost=known * part.wc,
        both_success2=success * cost * part.w2,
        both_cost2=known * part.w2c2,
        both_cost_success=success * part.w2c,
        duration_weight=part.w if kind.has_duration else 0.0,
        duration=part.seconds,
        quality_weight=part.w if kind.has_quality else 0.0,
        quality=part.quality,
    )

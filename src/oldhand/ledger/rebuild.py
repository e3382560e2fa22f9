"""Work out all sums again from the runs, which are the truth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from oldhand.ledger.decayed import HALF_LIVES_DAYS, DecayedSums
from oldhand.store import Queries, Row, Store

_SQL = Queries("oldhand.ledger")
_SUMS_FROM = 5  # of the columns of `rebuilt_sums`
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


@dataclass(slots=True)
class _Cell:
    invocations: int = 0
    successes: int = 0
    failures: int = 0
    drawn: int = 0
    priced: int = 0
    total_cost: float = 0.0
    last_us: int = 0
    sums: list[DecayedSums] = field(
        default_factory=lambda: [DecayedSums() for _ in HALF_LIVES_DAYS]
    )


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
        cells = _cells(store.query_all(_SQL["rebuilt_sums"], {"at_us": at_us}))
        store.execute_many(
            _SQL["set_counts"],
            [
                (
                    cell.invocations, cell.successes, cell.failures, cell.drawn,
                    cell.priced, cell.total_cost, cell.last_us, cell_id,
                )
                for cell_id, cell in cells.items()
            ],
        )  # fmt: skip
        store.execute_many(
            _SQL["put_sums"],
            [
                (cell_id, days, at_us, *sums)
                for cell_id, cell in cells.items()
                for days, sums in zip(HALF_LIVES_DAYS, cell.sums, strict=True)
            ],
        )
        store.execute(_SQL["forget_stale"])
    return len(cells)


def _cells(rows: Iterable[Row]) -> dict[int, _Cell]:
    """Put together what is known of each cell, by its id."""
    cells: dict[int, _Cell] = {}
    width = len(_Part._fields)
    for row in rows:
        kind = _Kind.read(row[0])
        cell = cells.setdefault(kind.cell_id, _Cell())
        _count(cell, kind, row[1:_SUMS_FROM])
        for place, sums in enumerate(cell.sums):
            first = _SUMS_FROM + place * width
            part = _Part._make(map(float, row[first : first + width]))
            cell.sums[place] = sums.plus(_sums_of(kind, part))
    return cells


def _count(cell: _Cell, kind: _Kind, counts: Row) -> None:
    count, drawn, cost, last_us = counts
    cell.invocations += count
    cell.successes += count if kind.success == 1 else 0
    cell.failures += count if kind.success == 0 else 0
    cell.drawn += drawn
    cell.priced += count if kind.has_cost else 0
    cell.total_cost += cost
    cell.last_us = max(cell.last_us, last_us)


def _sums_of(kind: _Kind, part: _Part) -> DecayedSums:
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

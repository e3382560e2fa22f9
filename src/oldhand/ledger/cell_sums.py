"""What the runs of one cell add up to: a row of `skill_sums`."""

from __future__ import annotations

from typing import Any, NamedTuple

from oldhand.ledger.decayed import HALF_LIVES_DAYS, DecayedSums
from oldhand.store import Row

_FADED_FROM = 8  # of the columns that follow the cell
_WIDTH = len(DecayedSums._fields)
_SLICES = [
    slice(_FADED_FROM + place * _WIDTH, _FADED_FROM + (place + 1) * _WIDTH)
    for place in range(len(HALF_LIVES_DAYS))
]


class CellSums(NamedTuple):
    """Counts and decayed sums over runs that have ended.

    Attributes:
        at_us: The time as of which the decayed sums stand, the end of a stretch, in
            microseconds since 1970-01-01 UTC.
        invocation_count: How many runs.
        success_count: Of those, how many worked.
        failure_count: How many did not.
        drawn_count: Of how many the model was drawn at random.
        cost_known_count: Of how many the cost is known.
        total_cost_microusd: Of those, by share; millionths of a US dollar.
        last_invoked_at_us: When the newest began.
        faded: The decayed sums for each of `HALF_LIVES_DAYS`.
    """

    at_us: int
    invocation_count: int
    success_count: int
    failure_count: int
    drawn_count: int
    cost_known_count: int
    total_cost_microusd: float
    last_invoked_at_us: int
    faded: tuple[DecayedSums, ...]

    @classmethod
    def from_row(cls, row: Row) -> CellSums:
        """Read the columns of `skill_sums` that follow the cell."""
        faded = tuple([DecayedSums._make(row[part]) for part in _SLICES])
        return cls._make((*row[:_FADED_FROM], faded))

    def as_row(self, cell_id: int) -> tuple[Any, ...]:
        """Return the columns of `skill_sums`."""
        *first, faded = self
        return (cell_id, *first, *(value for sums in faded for value in sums))

    def at(self, at_us: int) -> CellSums:
        """Return them as of a time that is not before `self.at_us`."""
        by_us = at_us - self.at_us
        if not by_us:
            return self
        faded = tuple(
            sums.decayed(by_us=by_us, half_life_days=days)
            for days, sums in zip(HALF_LIVES_DAYS, self.faded, strict=True)
        )
        return self._replace(at_us=at_us, faded=faded)

    def plus(self, other: CellSums) -> CellSums:
        """Add those over other runs, as of the same time."""
        return CellSums(
            self.at_us,
            self.invocation_count + other.invocation_count,
            self.success_count + other.success_count,
            self.failure_count + other.failure_count,
            self.drawn_count + other.drawn_count,
            self.cost_known_count + other.cost_known_count,
            self.total_cost_microusd + other.total_cost_microusd,
            max(self.last_invoked_at_us, other.last_invoked_at_us),
            tuple(a.plus(b) for a, b in zip(self.faded, other.faded, strict=True)),
        )


NO_RUNS = CellSums(0, 0, 0, 0, 0, 0, 0.0, 0, (DecayedSums(),) * len(HALF_LIVES_DAYS))

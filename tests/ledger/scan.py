"""What decayed sums must come to: a plain scan over the runs, which keeps nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from hypothesis import strategies as st

from oldhand.ledger.cell_sums import CellSums
from oldhand.ledger.decayed import HALF_LIVES_DAYS, DecayedSums, weight_after

YEAR_US = 366 * 86_400_000_000


class Outcome(NamedTuple):
    """What one run says about one of its skills; None is unknown."""

    at_us: int
    share: float
    success: bool | None = None
    cost_microusd: int | None = None
    duration_us: int | None = None
    quality: float | None = None


OUTCOMES = st.lists(
    st.builds(
        Outcome,
        st.integers(0, 2 * YEAR_US),
        st.floats(0.01, 1.0),
        st.none() | st.booleans(),
        st.none() | st.integers(0, 10**10),
        st.none() | st.integers(0, 10**10),
        st.none() | st.floats(0, 1),
    ),
    max_size=25,
)


def sums_of(outcome: Outcome, *, weight: float) -> DecayedSums:
    """Return the sums over one run of a weight."""
    w, s, c = weight, outcome.success, outcome.cost_microusd
    sums: dict[str, float] = {}
    if s is not None:
        sums |= {"weight": w, "weight2": w * w, "success": w * s}
    if c is not None:
        sums |= {"cost_weight": w, "cost": w * c}
    if s is not None and c is not None:
        sums |= {"both_success": w * s, "both_cost": w * c}
        sums |= {"both_success2": w * w * s, "both_cost2": w * w * c * c}
        sums |= {"both_cost_success": w * w * c * s}
    if outcome.duration_us is not None:
        sums |= {"duration_weight": w, "duration": w * outcome.duration_us / 1e6}
    if outcome.quality is not None:
        sums |= {"quality_weight": w, "quality": w * outcome.quality}
    return DecayedSums(**sums)


def scanned(outcomes: Iterable[Outcome], at_us: int) -> list[DecayedSums]:
    """Return the sums of each kept half-life as of a time."""
    found = []
    for days in HALF_LIVES_DAYS:
        total = DecayedSums()
        for each in outcomes:
            w = weight_after(at_us - each.at_us, half_life_days=days)
            total = total.plus(sums_of(each, weight=each.share * w))
        found.append(total)
    return found


def assert_same(one: Iterable[DecayedSums], other: Iterable[DecayedSums]) -> None:
    """Hold two lists of sums against each other, to 1e-9 of each sum."""
    for sums, others in zip(one, other, strict=True):
        for name, a, b in zip(sums._fields, sums, others, strict=True):
            assert math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-100), (name, a, b)


def assert_same_cells(one: dict[str, CellSums], other: dict[str, CellSums]) -> None:
    """Hold what is kept of all cells against each other, counts and sums."""
    assert one.keys() == other.keys()
    for key, sums in one.items():
        assert sums[:6] == other[key][:6], key
        assert math.isclose(sums.total_cost_microusd, other[key].total_cost_microusd)
        assert sums.last_invoked_at_us == other[key].last_invoked_at_us
        assert_same(sums.faded, other[key].faded)

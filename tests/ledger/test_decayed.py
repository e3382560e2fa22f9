"""Decayed sums do not depend on the order in which runs are told of, nor on how many years."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from oldhand.ledger.decayed import (
    DecayedSums,
    Outcome,
    Standing,
    sums_of,
    weight_after,
    with_outcome,
)
from oldhand.ledger.estimate import cost_per_call, mean_of, rate_of

YEAR_US = 366 * 86_400_000_000
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
HALF_LIVES = st.sampled_from([0.5, 1, 7, 30])


def told(outcomes: list[Outcome], half_life_days: float) -> Standing | None:
    standing = None
    for each in outcomes:
        standing = with_outcome(standing, each, half_life_days=half_life_days)
    return standing


def scanned(outcomes: list[Outcome], at_us: int, half_life_days: float) -> DecayedSums:
    total = DecayedSums()
    for each in outcomes:
        w = weight_after(at_us - each.at_us, half_life_days=half_life_days)
        total = total.plus(sums_of(each, weight=each.share * w))
    return total


def same(one: DecayedSums, other: DecayedSums) -> bool:
    return all(
        math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-100)
        for a, b in zip(one, other, strict=True)
    )


@given(OUTCOMES, HALF_LIVES, st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_what_a_scan_gives(
    outcomes: list[Outcome], half_life_days: float, chance: object
) -> None:
    shuffled = list(outcomes)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # a Random
    kept = told(shuffled, half_life_days)

    if kept is None:
        assert outcomes == []
    else:
        assert kept.at_us == max(each.at_us for each in outcomes)
        assert same(kept.sums, scanned(outcomes, kept.at_us, half_life_days))


@given(OUTCOMES, st.integers(0, 2 * YEAR_US), HALF_LIVES)
def test_what_is_unknown_changes_no_mean(
    outcomes: list[Outcome], at_us: int, half_life_days: float
) -> None:
    before = told(outcomes, half_life_days)
    after = told([*outcomes, Outcome(at_us, 1.0)], half_life_days)
    now_us = 2 * YEAR_US

    if before is None or after is None:
        assert outcomes == []
    else:
        one = before.at(now_us, half_life_days=half_life_days)
        other = after.at(now_us, half_life_days=half_life_days)
        assert same(one, other)
        assert (rate_of(one) is None) == (rate_of(other) is None)
        assert (cost_per_call(one) is None) == (cost_per_call(other) is None)


@given(OUTCOMES, HALF_LIVES)
def test_means_lie_between_what_they_are_means_of(
    outcomes: list[Outcome], half_life_days: float
) -> None:
    standing = told(outcomes, half_life_days)
    sums = DecayedSums() if standing is None else standing.sums
    seconds = [o.duration_us / 1e6 for o in outcomes if o.duration_us is not None]
    mean = mean_of(sums.duration, sums.duration_weight)
    rate = rate_of(sums)

    if mean is not None:
        assert min(seconds) - 1e-6 <= mean <= max(seconds) + 1e-6
    if rate is not None:
        assert 0 <= rate.low <= rate.rate <= rate.high <= 1
        assert rate.n_effective <= len(outcomes) + 1e-6


def test_a_hundred_years_neither_overflow_nor_raise() -> None:
    standing = None
    last = Outcome(0, 1.0, success=True, cost_microusd=10**12)
    for year in range(100):
        last = last._replace(at_us=year * YEAR_US)
        standing = with_outcome(standing, last, half_life_days=1)

    assert standing is not None
    assert standing.sums == sums_of(last, weight=1.0)
    assert rate_of(standing.at(200 * YEAR_US, half_life_days=1)) is None

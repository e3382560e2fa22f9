"""Decaying does not depend on the steps in which it is done."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.ledger.decayed import DecayedSums, stretch_end_us, weight_after

from .scan import OUTCOMES, Outcome, assert_same, sums_of
from .told import DAY_US

HALF_LIVES = st.sampled_from([0.5, 1, 7, 30])
DAYS = st.integers(0, 200 * DAY_US)


@given(OUTCOMES, DAYS, DAYS, HALF_LIVES)
def test_decaying_twice_is_decaying_once_for_as_long(
    outcomes: list[Outcome], first_us: int, then_us: int, half_life_days: float
) -> None:
    sums = DecayedSums()
    for each in outcomes:
        sums = sums.plus(sums_of(each, weight=each.share))

    one = sums.decayed(by_us=first_us, half_life_days=half_life_days)
    twice = one.decayed(by_us=then_us, half_life_days=half_life_days)
    once = sums.decayed(by_us=first_us + then_us, half_life_days=half_life_days)

    assert_same([twice], [once])


@given(OUTCOMES, DAYS, HALF_LIVES)
def test_a_sum_decays_as_the_weights_in_it(
    outcomes: list[Outcome], by_us: int, half_life_days: float
) -> None:
    w = weight_after(by_us, half_life_days=half_life_days)
    sums, weighed = DecayedSums(), DecayedSums()
    for each in outcomes:
        sums = sums.plus(sums_of(each, weight=each.share))
        weighed = weighed.plus(sums_of(each, weight=each.share * w))

    decayed = sums.decayed(by_us=by_us, half_life_days=half_life_days)

    assert_same([decayed], [weighed])


@pytest.mark.parametrize(
    ("age_us", "weight"),
    [(0, 1.0), (7 * DAY_US, 0.5), (480 * 7 * DAY_US, 2.0**-480), (3_361 * DAY_US, 0.0)],
)
def test_a_weight_halves_with_each_half_life_until_it_is_nothing(
    age_us: int, weight: float
) -> None:
    assert weight_after(age_us, half_life_days=7) == weight


@given(st.integers(-(10**18), 10**18))
def test_a_stretch_ends_after_each_of_its_times_and_once(at_us: int) -> None:
    end_us = stretch_end_us(at_us)

    assert at_us < end_us <= at_us + 32 * DAY_US
    assert stretch_end_us(end_us - 1) == stretch_end_us(end_us - 32 * DAY_US) == end_us
    assert stretch_end_us(end_us) > end_us

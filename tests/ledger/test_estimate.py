"""Intervals and probabilities are those of the textbooks."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.ledger.beta import beta_cdf, beta_quantile, probability_above
from oldhand.ledger.compare import judge
from oldhand.ledger.decayed import DecayedSums
from oldhand.ledger.estimate import (
    MOST_RUNS,
    CostPerSuccess,
    Rate,
    cost_per_success,
    jeffreys_interval,
    probability_better,
    probability_cheaper,
    runs_still_needed,
)
from oldhand.ledger.links import checked_uses, shares_of
from oldhand.ledger.model import SkillUse

from .scan import Outcome, sums_of


def rate(share: float, n: float) -> Rate:
    return Rate(share, n, *jeffreys_interval(share, n))


@given(st.integers(1, 40), st.integers(1, 40), st.floats(0.01, 0.99))
def test_the_distribution_is_the_binomial_tail_where_numbers_are_whole(
    a: int, b: int, x: float
) -> None:
    n = a + b - 1
    tail = sum(math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1))

    assert beta_cdf(x, a, b) == pytest.approx(tail, abs=1e-10)


@pytest.mark.parametrize(("successes", "n"), [(18, 20), (5, 10), (450, 500)])
def test_an_interval_leaves_out_a_fortieth_on_each_side(successes: int, n: int) -> None:
    low, high = jeffreys_interval(successes / n, n)
    a, b = successes + 0.5, n - successes + 0.5

    assert beta_cdf(low, a, b) == pytest.approx(0.025, abs=1e-9)
    assert beta_cdf(high, a, b) == pytest.approx(0.975, abs=1e-9)


def test_nothing_but_failures_reaches_down_to_zero() -> None:
    assert jeffreys_interval(0.0, 10)[0] == 0
    assert jeffreys_interval(1.0, 10)[1] == 1


@given(st.floats(0.5, 5_000), st.floats(0.5, 5_000), st.floats(0.001, 0.999))
def test_a_quantile_is_where_that_much_lies_below(a: float, b: float, p: float) -> None:
    assert beta_cdf(beta_quantile(p, a, b), a, b) == pytest.approx(p, abs=1e-7)


@pytest.mark.parametrize(
    ("first", "second"), [((3.5, 8.5), (7.5, 4.5)), ((0.5, 3.5), (0.5, 0.6))]
)
def test_what_is_above_is_what_drawing_says(
    first: tuple[float, float], second: tuple[float, float]
) -> None:
    chance = random.Random(1)  # noqa: S311 - a test's
    draws = 40_000
    above = sum(
        chance.betavariate(*second) > chance.betavariate(*first) for _ in range(draws)
    )

    assert probability_above(first, second) == pytest.approx(above / draws, abs=0.01)


@given(st.floats(0, 1), st.floats(1, 1_000), st.floats(0, 1), st.floats(1, 1_000))
def test_one_of_two_is_better(p: float, n: float, q: float, m: float) -> None:
    one, other = Rate(p, n, 0, 1), Rate(q, m, 0, 1)

    both_ways = probability_better(one, other) + probability_better(other, one)

    assert both_ways == pytest.approx(1, abs=1e-6)


def test_a_clear_difference_is_a_verdict_and_a_small_one_needs_more_runs() -> None:
    assert judge(rate(0.2, 40), rate(0.9, 40))[1] == "B is better"
    assert judge(rate(0.9, 40), rate(0.2, 40))[1] == "A is better"
    better, verdict, needed = judge(rate(0.75, 28), rate(0.85, 28))

    assert verdict == "not enough data"
    assert better == pytest.approx(0.82, abs=0.03)
    assert needed is not None
    assert 150 < needed < 500


def test_a_handful_of_runs_is_never_a_verdict() -> None:
    assert judge(rate(0.0, 4), rate(1.0, 4))[1:] == ("not enough data", 1)
    assert judge(None, rate(1.0, 400)) == (None, "not enough data", None)


def test_equal_rates_need_more_runs_than_anybody_has() -> None:
    assert runs_still_needed(rate(0.5, 10), rate(0.5, 10)) == MOST_RUNS


def test_a_success_costs_what_failures_cost_too() -> None:
    sums = DecayedSums()
    for success, cost in [(True, 30_000), (False, 10_000), (True, None), (None, 9)]:
        sums = sums.plus(sums_of(Outcome(0, 1.0, success, cost), weight=1.0))
    found = cost_per_success(sums)

    assert found is not None
    assert found.usd == pytest.approx(0.04)
    assert found.low < 0.04 < found.high
    assert found.as_json()["interval_is_approximate"] is True


def test_without_a_success_a_success_has_no_price() -> None:
    assert cost_per_success(sums_of(Outcome(0, 1.0, False, 10), weight=1.0)) is None


def test_what_costs_less_is_likely_to_be_cheaper() -> None:
    dear, cheap = CostPerSuccess(2, 1, 4, 0.35), CostPerSuccess(1, 0.5, 2, 0.35)
    free = CostPerSuccess(0, 0, 0, 0)

    assert probability_cheaper(dear, cheap) == pytest.approx(0.919, abs=0.001)
    assert probability_cheaper(dear, free) is None


USES = st.lists(
    st.tuples(
        st.text("abc", min_size=1, max_size=9), st.none() | st.integers(0, 10**9)
    ),
    min_size=1,
    max_size=30,
    unique_by=lambda each: each[0],
)


@given(USES)
def test_shares_sum_to_one(named: list[tuple[str, int | None]]) -> None:
    shares = shares_of([SkillUse(name, tokens=tokens) for name, tokens in named])

    assert sum(shares) == pytest.approx(1, abs=1e-9)
    assert min(shares) > 0


def test_a_skill_that_used_nothing_does_not_make_the_shares_odd() -> None:
    uses = checked_uses([SkillUse("a", tokens=10), SkillUse("b", tokens=0)])

    assert sum(use.share or 0 for use in uses) == 1


def test_an_interval_holds_the_rate_where_a_success_has_all_but_faded() -> None:
    low, high = jeffreys_interval(0.0002, 1.0)

    assert low <= 0.0002 <= high

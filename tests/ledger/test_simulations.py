"""Simulated evidence, and no more: runs are drawn here with a true rate that is known.

Real failures come together, as when a provider is down; these do not.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from oldhand.ledger.compare import judge
from oldhand.ledger.decayed import DecayedSums, weight_after
from oldhand.ledger.ema import DEFAULT_HALF_LIFE_DAYS
from oldhand.ledger.estimate import Rate, rate_of

from .first_ema import first_ema
from .scan import Outcome, sums_of

NOW = 30.5  # days: in the middle of one
JUST_AFTER_MIDNIGHT = (
    30.02  # when a day has one run: that is where the first erred most
)
TRUE_RATES = (0.6, 0.75, 0.9)
DAY_US = 86_400_000_000
Run = tuple[float, bool | None]


def hourly(_: random.Random) -> list[float]:
    return [hour / 24 for hour in range(24 * 30 + 13)]


def daily(_: random.Random) -> list[float]:
    return [day + 0.4 for day in range(31)]


def one_run_today(_: random.Random) -> list[float]:
    return [day + hour / 24 for day in range(30) for hour in range(6, 16)] + [30.4]


def bursts(chance: random.Random) -> list[float]:
    days = sorted(chance.sample(range(17, 31), 6))
    return [
        day + place / 100
        for day in days
        for place in range(1 if chance.random() < 0.5 else 40)
    ]


def several_a_day_some_unknown(_: random.Random) -> list[float]:
    return [day + hour / 24 for day in range(31) for hour in (2, 5, 8, 11)]


CADENCES = [hourly, daily, one_run_today, bursts, several_a_day_some_unknown]
Cadence = Callable[[random.Random], list[float]]


def draw(cadence: Cadence, rate: float, chance: random.Random) -> list[Run]:
    unknown = 0.2 if cadence is several_a_day_some_unknown else 0.0
    return [
        (at, None if chance.random() < unknown else chance.random() < rate)
        for at in cadence(chance)
    ]


def decayed(
    runs: list[Run],
    half_life_days: float = DEFAULT_HALF_LIFE_DAYS,
    *,
    now: float = NOW,
) -> Rate:
    sums = [0.0, 0.0, 0.0]
    for at, success in runs:
        if success is not None:
            age_us = round((now - at) * DAY_US)
            w = weight_after(age_us, half_life_days=half_life_days)
            sums = [sums[0] + w, sums[1] + w * w, sums[2] + w * success]
    found = rate_of(DecayedSums(*sums))
    assert found is not None
    return found


def simulate(cadence: Cadence, times: int, *, now: float = NOW) -> tuple[float, float]:
    """Return the share of intervals that hold the true rate, and by how much we err less."""
    chance = random.Random(f"ledger {cadence.__name__}")  # noqa: S311 - seeded
    held, ours, first = 0, 0.0, 0.0
    for step in range(times):
        rate = TRUE_RATES[step % len(TRUE_RATES)]
        runs = [run for run in draw(cadence, rate, chance) if run[0] <= now]
        found = decayed(runs, now=now)
        held += found.low <= rate <= found.high
        recent = [(at, success) for at, success in runs if at > now - 14]
        ours += (decayed(recent, now=now).rate - rate) ** 2
        first += (first_ema(runs, now=now) - rate) ** 2
    return held / times, math.sqrt(first / ours)


@pytest.mark.parametrize("cadence", CADENCES, ids=lambda each: each.__name__)
def test_intervals_hold_the_true_rate_and_we_err_less_than_the_first_ema(
    cadence: Cadence,
) -> None:
    covered, times_smaller = simulate(cadence, 300 if cadence is hourly else 1_500)

    assert 0.93 <= covered <= 0.98
    assert times_smaller >= 1.4


def test_of_an_hourly_job_just_after_midnight_we_err_four_times_less() -> None:
    covered, times_smaller = simulate(hourly, 300, now=JUST_AFTER_MIDNIGHT)

    assert 0.93 <= covered <= 0.98
    assert times_smaller >= 4


@pytest.mark.parametrize("rate", [0.3, 0.7, 0.9])
def test_of_equal_pairs_at_most_one_in_twenty_gets_a_verdict(rate: float) -> None:
    chance = random.Random(f"null {rate}")  # noqa: S311 - seeded
    wrong, pairs = 0, 400
    for _ in range(pairs):
        a, b = (decayed(draw(daily, rate, chance), 30) for _ in range(2))
        wrong += judge(a, b)[1] != "not enough data"

    assert wrong / pairs <= 0.05


def test_a_better_model_is_found_where_there_is_enough_to_go_by() -> None:
    chance = random.Random("power")  # noqa: S311 - seeded
    verdicts = []
    for _ in range(60):
        a, b = (
            decayed(draw(several_a_day_some_unknown, rate, chance), 30)
            for rate in (0.6, 0.9)
        )
        verdicts.append(judge(a, b)[1])

    assert verdicts.count("B is better") > 54
    assert "A is better" not in verdicts


def test_a_run_in_a_simulation_weighs_what_it_weighs_in_the_ledger() -> None:
    outcome = Outcome(0, 1.0, success=True)

    assert sums_of(outcome, weight=0.5)[:3] == (0.5, 0.25, 0.5)

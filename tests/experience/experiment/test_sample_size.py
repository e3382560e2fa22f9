"""The computed number of sessions is the one that simulated experiments need."""

from __future__ import annotations

import random

import pytest

from oldhand.experience.experiment.sample_size import POWER, Plan, sessions_needed
from oldhand.experience.experiment.sequence import first_decided
from oldhand.experience.simulate.nulls import draw_sessions


def power_of(plan: Plan, sessions: int, *, experiments: int, seed: int) -> float:
    rng = random.Random(seed)  # noqa: S311 - the same lots every time
    found = 0
    for _ in range(experiments):
        drawn = draw_sessions(
            rng,
            sessions,
            first=plan.first_mean,
            second=plan.second_mean,
            share=plan.share,
        )
        found += first_decided(drawn, share=plan.share) is not None
    return found / experiments


def test_four_in_five_experiments_are_decided_by_the_computed_number() -> None:
    plan = Plan(first_mean=0.135, second_mean=0.27, share=0.5)
    needed = sessions_needed(plan)

    assert needed is not None
    power = power_of(plan, needed, experiments=150, seed=1)
    assert abs(power - POWER) < 0.1  # three standard errors of 150 lots


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "plan",
    [
        Plan(0.135, 0.27, 0.5),
        Plan(0.2, 0.27, 0.5),
        Plan(0.05, 0.27, 0.5),
        Plan(0.135, 0.27, 0.3),
        Plan(0.4, 0.27, 0.43),
        Plan(0.1, 0.45, 0.5),
    ],
)
def test_the_computed_number_holds_for_other_differences(plan: Plan) -> None:
    needed = sessions_needed(plan)

    assert needed is not None
    power = power_of(plan, needed, experiments=1000, seed=2)
    assert abs(power - POWER) < 0.08


def test_a_smaller_difference_takes_more_sessions() -> None:
    large = sessions_needed(Plan(0.1, 0.3, 0.5))
    small = sessions_needed(Plan(0.2, 0.3, 0.5))

    assert large is not None
    assert small is not None
    assert small > 3 * large


def test_what_was_seen_counts() -> None:
    plan = Plan(0.1, 0.3, 0.5)
    in_all = sessions_needed(plan)
    left = sessions_needed(plan, done=100)

    assert in_all is not None
    assert left is not None
    assert 0 < left < in_all - 50


@pytest.mark.parametrize("mean", [0.0, 0.3, 1.0])
def test_where_there_is_no_difference_no_number_will_do(mean: float) -> None:
    assert sessions_needed(Plan(mean, mean, 0.5)) is None


def test_the_greatest_difference_takes_few() -> None:
    needed = sessions_needed(Plan(1.0, 0.0, 0.5))

    assert needed is not None
    assert needed < 40

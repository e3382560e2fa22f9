"""The interval holds at every look: it seldom misses, and finds what is there."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.experience.experiment.centre import Observed, bound, weighed
from oldhand.experience.experiment.sequence import (
    first_decided,
    log_wealth,
    looks,
    stakes,
)
from oldhand.experience.simulate.nulls import draw_sessions, false_alarms

SESSIONS = st.lists(
    st.builds(
        Observed,
        st.booleans(),
        st.floats(0, 1),
        st.sampled_from(["", "ada", "bob"]),
    ),
    min_size=1,
    max_size=40,
)
SHARES = st.sampled_from([0.5, 0.2, 0.9])


def test_200_experiments_without_a_difference_cry_wolf_in_one_of_20_at_most() -> None:
    found = false_alarms(200, sessions=500, seed=1)

    # 5 % is a bound, not a mean: these are 5. An ordinary test shows what peeking does.
    assert found.ours <= 10
    assert found.peeking > 50


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("share_bad", [0.02, 0.27, 0.5])
def test_1000_experiments_without_a_difference_cry_wolf_in_one_of_20_at_most(
    share_bad: float,
) -> None:
    found = false_alarms(1000, sessions=1000, seed=2, share_bad=share_bad)

    assert found.ours <= 50


@pytest.mark.parametrize("share", [0.2, 0.47])
def test_times_that_change_and_unequal_arms_make_no_alarms(share: float) -> None:
    rng = random.Random(3)  # noqa: S311 - the same lots every time
    alarms = 0
    for _ in range(100):
        drawn = []
        for part in (0.05, 0.6, 0.2, 0.9):
            drawn += draw_sessions(rng, 100, first=part, second=part, share=share)
        alarms += first_decided(drawn, share=share) is not None

    assert alarms <= 8  # 5 expected at most, and chance


def test_the_interval_seldom_misses_a_difference_that_is_there() -> None:
    rng = random.Random(4)  # noqa: S311 - the same lots every time
    missed = 0
    for _ in range(60):
        drawn = draw_sessions(rng, 300, first=0.15, second=0.4)
        path = looks(drawn, share=0.5, at=range(30, 301, 30))
        missed += any(not look.low <= -0.25 <= look.high for look in path)

    assert missed <= 6  # 3 expected at most, and chance


def test_strata_make_the_interval_narrower() -> None:
    rng = random.Random(5)  # noqa: S311 - the same lots every time
    drawn = []
    for _ in range(600):
        stratum, share_bad = rng.choice([("steady", 0.02), ("shaky", 0.9)])
        is_bad = rng.random() < share_bad
        drawn.append(Observed(rng.random() < 0.5, float(is_bad), stratum))
    blind = [session._replace(stratum="") for session in drawn]

    (with_strata,) = looks(drawn, share=0.5, at=[600])
    (without,) = looks(blind, share=0.5, at=[600])

    assert with_strata.high - with_strata.low < 0.75 * (without.high - without.low)


@given(SESSIONS, SHARES)
def test_an_interval_lies_between_minus_1_and_1(
    drawn: list[Observed], share: float
) -> None:
    path = looks(drawn, share=share, at=range(1, len(drawn) + 1))

    assert [look.sessions for look in path] == list(range(1, len(drawn) + 1))
    assert all(-1 <= look.low <= look.high <= 1 for look in path)


@given(SESSIONS, SHARES)
def test_no_weighed_value_passes_the_bound(drawn: list[Observed], share: float) -> None:
    assert all(abs(value) <= bound(share) for value in weighed(drawn, share=share))


@given(SESSIONS, SHARES, st.floats(-1, 1))
def test_no_outcome_ruins_a_stake(
    drawn: list[Observed], share: float, difference: float
) -> None:
    values = dict.fromkeys(weighed(drawn, share=share), 3)

    assert log_wealth(values, stakes(share), difference) > float("-inf")


def test_the_first_decision_is_the_first_look_without_0() -> None:
    rng = random.Random(6)  # noqa: S311 - the same lots every time
    drawn = draw_sessions(rng, 200, first=0.1, second=0.5)

    at = first_decided(drawn, share=0.5)

    assert at is not None
    path = looks(drawn, share=0.5, at=range(1, at + 1))
    assert not any(look.is_decided for look in path[:-1])
    # The ends of an interval are rounded outwards, by a ten-thousandth at most.
    assert path[-1].high < 0.0002


def test_what_later_sessions_do_leaves_earlier_looks_as_they_were() -> None:
    drawn = draw_sessions(random.Random(7), 100, first=0.1, second=0.5)  # noqa: S311

    assert looks(drawn, share=0.5, at=[50]) == looks(drawn, share=0.5, at=[50, 100])[:1]

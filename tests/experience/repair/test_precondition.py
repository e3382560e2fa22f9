"""A precondition is named where sessions speak for it, and not by chance."""

from __future__ import annotations

import random
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from oldhand.experience.repair.before import Times
from oldhand.experience.repair.precondition import (
    LIMIT,
    InSession,
    Precondition,
    preconditions,
)

READ = 2


def sessions(
    *, worked: int, worked_with: int, failed: int, failed_with: int
) -> list[InSession]:
    well = [
        InSession(4, 0, {READ: Times(3 * (n < worked_with), 0)}) for n in range(worked)
    ]
    badly = [InSession(0, 1, {READ: Times(0, n < failed_with)}) for n in range(failed)]
    return well + badly


def test_a_step_that_failing_calls_lack_is_named_with_its_counts() -> None:
    found = preconditions(sessions(worked=20, worked_with=19, failed=6, failed_with=1))

    assert [one[:5] for one in found] == [(READ, 19, 20, 1, 6)]


def test_a_step_that_both_have_is_not() -> None:
    assert not preconditions(
        sessions(worked=20, worked_with=19, failed=6, failed_with=6)
    )


def test_a_few_sessions_prove_nothing() -> None:
    assert not preconditions(sessions(worked=4, worked_with=4, failed=4, failed_with=0))
    assert not preconditions(
        sessions(worked=20, worked_with=20, failed=0, failed_with=0)
    )


def test_a_step_of_few_is_no_need() -> None:
    assert not preconditions(
        sessions(worked=60, worked_with=25, failed=20, failed_with=0)
    )


def test_many_calls_of_one_session_count_as_one() -> None:
    habit = [InSession(100, 0, {READ: Times(100, 0)})]
    slip = [InSession(0, 100, {READ: Times(0, 0)})]

    assert not preconditions(habit + slip)


def test_the_chance_is_that_of_the_exact_test() -> None:
    found: Precondition = preconditions(
        sessions(worked=12, worked_with=11, failed=5, failed_with=1)
    )[0]
    ways = sum(comb(5, few) * comb(12, 12 - few) for few in (0, 1))

    assert found.chance == ways / comb(17, 12)


def test_where_steps_mean_nothing_few_are_named() -> None:
    draw = random.Random(7)  # noqa: S311 - always the same
    alarms = 0
    for _ in range(400):
        made = []
        for number in range(40):
            has = {step: draw.random() < 0.7 for step in range(1, 9)}
            failed = number % 4 == 0
            steps = {
                step: Times(int(it and not failed), int(it and failed))
                for step, it in has.items()
            }
            made.append(InSession(int(not failed), int(failed), steps))
        alarms += bool(preconditions(made))

    assert alarms <= 400 * LIMIT


TIMES = st.builds(Times, st.integers(0, 5), st.integers(0, 5))


@given(
    st.lists(
        st.builds(
            InSession,
            st.integers(0, 5),
            st.integers(0, 5),
            st.dictionaries(st.integers(1, 4), TIMES),
        ),
        max_size=30,
    )
)
def test_any_counts_give_chances_between_none_and_certain(
    counted: list[InSession],
) -> None:
    assert all(0 <= found.chance <= 1 for found in preconditions(counted))

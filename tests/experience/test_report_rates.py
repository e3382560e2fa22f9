"""Rates and their intervals, against draws whose truth is known."""

from __future__ import annotations

import random

import pytest

from oldhand.experience.report.rates import MIN_SESSIONS, Count, difference, rate


def test_a_rate_without_calls_is_unknown() -> None:
    assert rate([]) == (None, None)
    assert rate([Count(0, 0)]) == (None, None)


def test_few_sessions_give_no_interval() -> None:
    found = rate([Count(10, 1)] * (MIN_SESSIONS - 1))

    assert found.percent == pytest.approx(10)
    assert found.interval is None


def test_where_nothing_was_seen_the_interval_does_not_end_at_zero() -> None:
    found = rate([Count(10, 0)] * 10)

    assert found.percent == 0
    assert found.interval is not None
    assert found.interval.low == 0
    assert 3.5 < found.interval.high < 3.8  # 1 - 0.025 ** (1 / 100)


def test_an_interval_is_wider_where_bad_calls_sit_in_few_sessions() -> None:
    spread = rate([Count(10, 1)] * 40)
    heaped = rate([Count(10, 10)] * 4 + [Count(10, 0)] * 36)

    assert spread.percent == heaped.percent == pytest.approx(10)
    assert spread.interval is not None
    assert heaped.interval is not None
    assert spread.interval == (10, 10)
    assert heaped.interval.high - heaped.interval.low > 12


def test_the_same_sessions_give_the_same_interval() -> None:
    counts = [Count(7, number % 3) for number in range(30)]

    assert rate(counts) == rate(counts)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    draw = random.Random(7)  # noqa: S311 - no secret
    held = 0
    for _ in range(100):
        counts = []
        for _ in range(60):
            skill = draw.betavariate(2, 38)  # mean 5 %, and sessions differ
            counts.append(Count(20, sum(draw.random() < skill for _ in range(20))))
        interval = rate(counts).interval
        assert interval is not None
        held += interval.low <= 5 <= interval.high
    assert held >= 88


def test_a_difference_is_paired_by_session() -> None:
    pairs = [(Count(10, 2), Count(10, 1))] * 20

    found = difference(pairs)

    assert found.percent == pytest.approx(10)
    assert found.interval == (10, 10)


def test_a_difference_with_nothing_on_one_side_is_unknown() -> None:
    assert difference([(Count(10, 1), Count(0, 0))] * 9).percent is None

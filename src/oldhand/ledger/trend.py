"""How a skill's rate of success went from day to day, with its band.

Worked out from the daily view: all runs of a UTC day fade alike, and each counts whole,
whatever its share was. On the last day it is therefore close to the rate that single runs
give, and not the same.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from oldhand.ledger.decayed import DecayedSums
from oldhand.ledger.estimate import Rate, rate_of
from oldhand.ledger.stats import SkillDay

_DAY_US = 86_400_000_000


class Point(NamedTuple):
    """The rate at the end of a UTC day, written as `2026-01-31`."""

    day: str
    rate: Rate


class Trend(NamedTuple):
    """A skill with one model of one provider: a point for each day on which it ended a run."""

    skill: str
    model: str | None
    provider: str | None
    points: list[Point]


def trends_of(days: Iterable[SkillDay], *, half_life_days: float) -> list[Trend]:
    """Return the trends in daily counts, most runs of known outcome first.

    Args:
        days: As `stats.daily_stats` returns them, in any order.
        half_life_days: After which a day counts half as much, above 0.

    Returns:
        Only those of which an outcome is known.
    """
    found: dict[tuple[str, str | None, str | None], list[SkillDay]] = {}
    for day in days:
        if day.success_count + day.failure_count:
            found.setdefault((day.skill, day.model, day.provider), []).append(day)
    ordered = sorted(found.items(), key=lambda each: (-_known(each[1]), str(each[0])))
    return [
        Trend(*key, _points(sorted(of_one), half_life_days)) for key, of_one in ordered
    ]


def _known(days: Sequence[SkillDay]) -> int:
    return sum(day.success_count + day.failure_count for day in days)


def _points(days: Sequence[SkillDay], half_life_days: float) -> list[Point]:
    """Return a point for each day; the days are in order."""
    sums = DecayedSums()
    before = days[0].day
    points = []
    for day in days:
        gap_us = days_between(before, day.day) * _DAY_US
        known = float(day.success_count + day.failure_count)
        sums = sums.decayed(by_us=gap_us, half_life_days=half_life_days).plus(
            DecayedSums(weight=known, weight2=known, success=float(day.success_count))
        )
        rate = rate_of(sums)
        if rate is not None:
            points.append(Point(day.day, rate))
        before = day.day
    return points


def days_between(first: str, last: str) -> int:
    """Return how many days lie from one UTC day to another, as `2026-01-31`.

    Example:
        >>> days_between("2026-01-31", "2026-02-02")
        2
    """
    dates = [datetime.date.fromisoformat(day) for day in (first, last)]
    return (dates[1] - dates[0]).days

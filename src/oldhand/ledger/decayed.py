"""Sums in which what happened counts half as much for each half-life gone by.

A run's weight w is 2 ** (-age / half-life) times a skill's share in it. All runs that are
summed have their age taken at one time: not at the end of the newest, but at the end of the
stretch of 32 days in which that lies. So what is there need not be decayed for each new run;
runs are added to it as they are, in any order, and it is decayed once a stretch. What sums
tell are ratios, and those do not depend on the time. Nothing grows however many years go by.
The sums of squares tell for how many runs the weights stand.

Costs per success are a ratio of two sums over the same runs, those of which outcome and
cost are known; anything else would take what is unknown for cheap or for failed.

Source: Cormode, Shkapenyuk, Srivastava & Xu (2009), Forward decay, ICDE 2009, 138-149.
"""

from __future__ import annotations

import math
from operator import add, mul
from typing import NamedTuple

HALF_LIVES_DAYS = (1, 7, 30)
"""Those whose sums are kept."""
OLDEST_HALF_LIVES = 480
"""What is older counts as nothing: its squares would leave the range of a float."""
NOTHING = 1e-140
"""A sum of weights below this is of runs that are too old to be told from none."""
_DAY_US = 86_400_000_000
_STRETCH_US = 32 * _DAY_US


class DecayedSums(NamedTuple):
    """The sums of one half-life, of weight w, success s (0 or 1) and cost c (microdollars).

    Attributes:
        weight: w, over runs of known outcome; so are the next two.
        weight2: w * w.
        success: w * s.
        cost_weight: w, over runs of known cost; so is the next.
        cost: w * c.
        both_success: w * s, over runs of which both are known; so are the next four.
        both_cost: w * c.
        both_success2: w * w * s.
        both_cost2: w * w * c * c.
        both_cost_success: w * w * c * s.
        duration_weight: w, over runs of known duration; so is the next.
        duration: w * seconds.
        quality_weight: w, over runs of known quality; so is the next.
        quality: w * quality.
    """

    weight: float = 0.0
    weight2: float = 0.0
    success: float = 0.0
    cost_weight: float = 0.0
    cost: float = 0.0
    both_success: float = 0.0
    both_cost: float = 0.0
    both_success2: float = 0.0
    both_cost2: float = 0.0
    both_cost_success: float = 0.0
    duration_weight: float = 0.0
    duration: float = 0.0
    quality_weight: float = 0.0
    quality: float = 0.0

    def plus(self, other: DecayedSums) -> DecayedSums:
        """Add two that stand as of the same time."""
        return DecayedSums._make(map(add, self, other))

    def decayed(self, *, by_us: int, half_life_days: float) -> DecayedSums:
        """Return them as they stand `by_us` microseconds later; 0 or more."""
        if not by_us:
            return self
        factor = weight_after(by_us, half_life_days=half_life_days)
        return DecayedSums._make(map(mul, self, _factors(factor, factor * factor)))


def _factors(f: float, f2: float) -> tuple[float, ...]:
    """Return what each sum shrinks by, f2 those of squares."""
    return f, f2, f, f, f, f, f, f2, f2, f2, f, f, f, f


def stretch_end_us(at_us: int) -> int:
    """Return the end of the stretch in which a time lies, as of which its runs are summed.

    Both are in microseconds since 1970-01-01 UTC. The end is after the time, by 32 days at
    most.
    """
    return at_us - at_us % _STRETCH_US + _STRETCH_US


def weight_after(age_us: int, *, half_life_days: float) -> float:
    """Return how much a run of an age counts: 1 when new, a half after a half-life.

    Example:
        >>> weight_after(7 * 86_400_000_000, half_life_days=7)
        0.5
    """
    half_lives = age_us / (half_life_days * _DAY_US)
    return math.exp2(-half_lives) if half_lives <= OLDEST_HALF_LIVES else 0.0


def weights_after(age_us: int) -> list[float]:
    """Return how much a run of an age counts in each of `HALF_LIVES_DAYS`."""
    days = age_us / _DAY_US
    return [
        math.exp2(-days / half_life) if days <= OLDEST_HALF_LIVES * half_life else 0.0
        for half_life in HALF_LIVES_DAYS
    ]

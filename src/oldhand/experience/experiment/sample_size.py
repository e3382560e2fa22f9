"""How many sessions it will take until the interval leaves out 0.

By a normal approximation: when t sessions of the two arms, whose weighed values have the
variance v, sum up to s, a gambler whose stakes have the spread r has won about

    log wealth = r² s² / (2 (1 + r² v t)) - log(1 + r² v t) / 2

against "no difference". Solved for s this is a curve that the sum must pass. The sum is
taken for a Brownian motion that rises by the difference with every session; the chance that
it passes the curve's tangent at t before t has a closed form. The first t at which that
chance is 80 % is the answer. A tangent lies above the curve, so it is rather too many.

Source: Siegmund (1985), Sequential Analysis, equation 3.15.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

from oldhand.experience.experiment.sequence import ALPHA, stakes

POWER = 0.8
"""The chance with which the computed number of sessions suffices."""

_MOST = 1_000_000
_LEAST_VARIANCE = 1e-6
_below = NormalDist().cdf


class Plan(NamedTuple):
    """What a number of sessions is computed from.

    Attributes:
        first_mean: Of the first arm's outcomes, from 0 to 1.
        second_mean: Of the second arm's.
        share: The chance to be in the first of the two arms, between 0 and 1.
    """

    first_mean: float
    second_mean: float
    share: float

    @property
    def difference(self) -> float:
        """Of the two arms' mean outcomes, from -1 to 1."""
        return self.first_mean - self.second_mean

    @property
    def variance(self) -> float:
        """Of the weighed values, where outcomes are 0 or 1; a little above 0 at least."""
        centre = self.share * self.first_mean + (1 - self.share) * self.second_mean
        parts = ((self.first_mean, self.share), (self.second_mean, 1 - self.share))
        square = math.fsum(
            (mean * (1 - mean) + (mean - centre) ** 2) / part for mean, part in parts
        )
        return max(square - self.difference**2, _LEAST_VARIANCE)


def sessions_needed(plan: Plan, *, done: int = 0, alpha: float = ALPHA) -> int | None:
    """Return how many sessions of the two arms are still needed.

    Args:
        plan: What the arms' means are, for outcomes that are 0 or 1.
        done: How many sessions have shown this difference already.
        alpha: As for `looks`.

    Returns:
        1 or more; None where a million would not do, as where there is no difference.

    Example:
        >>> half_as_many = Plan(first_mean=0.135, second_mean=0.27, share=0.5)
        >>> 300 < (sessions_needed(half_as_many) or 0) < 500
        True
    """
    if plan.difference == 0:
        return None
    high = 1
    while _chance(plan, done, high, alpha) < POWER:
        high *= 2
        if high > _MOST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        is_enough = _chance(plan, done, middle, alpha) >= POWER
        low, high = (low, middle) if is_enough else (middle, high)
    return high


def _chance(plan: Plan, done: int, more: int, alpha: float) -> float:
    """Return the chance that so many more sessions pass the curve."""
    total = done + more
    squared_spread = _squared_spread(plan.share)
    scale = 1 + squared_spread * plan.variance * total
    needed = math.log(1 / alpha) + math.log(scale) / 2
    height = math.sqrt(2 / squared_spread * scale * needed)
    slope = plan.variance * (needed + 0.5) / height
    rise = abs(plan.difference)
    gap = height - slope * more - rise * done  # what is missing now, to the tangent
    if gap <= 0:
        return 1.0
    gain = rise - slope
    deviation = math.sqrt(plan.variance * more)
    reached = _below((gain * more - gap) / deviation)
    turned_back = _below((-gain * more - gap) / deviation)
    # Where nobody turns back the power of e may be too large to be written.
    if turned_back == 0:
        return reached
    return reached + math.exp(2 * gap * gain / plan.variance) * turned_back


def _squared_spread(share: float) -> float:
    sizes, weights = stakes(share)
    return math.fsum(
        size**2 * weight for size, weight in zip(sizes, weights, strict=True)
    )

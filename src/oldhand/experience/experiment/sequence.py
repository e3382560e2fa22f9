"""An interval for the difference of two arms that holds at every look.

Who looks at an ordinary interval after each session finds a difference that is not there
sooner or later: in a third of experiments without any, when it is looked at eighty times.
Here each possible difference d is played against: a gambler stakes a share of her wealth
on every session, at odds that are fair if d is true. Then her wealth has the mean 1 at all
times, and the chance that it is ever 20 is at most 1 in 20 (Ville's inequality), whatever
the outcomes' distribution and from the first session on. The interval holds every d against
which the wealth is below 20. So one may look at it as often as one likes, and stop when one
likes.

The wealth is spread over many stakes, by a normal density: for many sessions that is nearly
the normal mixture, whose bound is the sharpest known for one size of effect and good for all.
As a function of d it is convex, so that what it leaves is an interval.

Source: Waudby-Smith and Ramdas (2024), Estimating means of bounded random variables by
betting, JRSS B 86(1), 1-27; Robbins (1970), Annals of Mathematical Statistics 41(5).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from oldhand.experience.experiment.centre import Observed, bound, weighed

ALPHA = 0.05
"""How often an interval may miss the true difference at any of all looks."""

_STAKES = 8  # on each side; with more no interval is narrower up to 20,000 sessions
# Of the stake at which one session could take all; so the wealth stays above 0.
_RUIN = 0.95
_SPREAD = 0.5  # of the normal density, as a share of the highest stake
_STEPS = 14  # halvings: the ends are right to a ten-thousandth, and never too near


class Look(NamedTuple):
    """The interval after some sessions.

    Attributes:
        sessions: How many sessions of the two arms it rests on.
        low: From -1 to 1.
        high: From `low` to 1.
    """

    sessions: int
    low: float
    high: float

    @property
    def is_decided(self) -> bool:
        """Whether it leaves out 0."""
        return self.low > 0 or self.high < 0


class Stakes(NamedTuple):
    """The shares of the wealth that are staked, and how much is on each."""

    sizes: tuple[float, ...]
    weights: tuple[float, ...]


def stakes(share: float) -> Stakes:
    """Return the stakes that no outcome can turn into ruin; the weights sum to 1.

    Args:
        share: As for `weighed`.
    """
    highest = _RUIN / (bound(share) + 1)  # a value is so far from a difference at most
    parts = [part / _STAKES for part in range(-_STAKES, _STAKES + 1) if part]
    density = [math.exp(-((part / _SPREAD) ** 2) / 2) for part in parts]
    total = math.fsum(density)
    return Stakes(
        tuple(part * highest for part in parts),
        tuple(value / total for value in density),
    )


def looks(
    observed: Iterable[Observed],
    *,
    share: float,
    at: Sequence[int],
    alpha: float = ALPHA,
) -> list[Look]:
    """Return the interval after each of some numbers of sessions.

    Args:
        observed: In the order in which the sessions were assigned; values from 0 to 1.
        share: The chance to be in the first of the two arms, between 0 and 1.
        at: After how many sessions, ascending; what there is not yet is left out.
        alpha: How often it may miss at any of all looks.

    Example:
        >>> went = [Observed(number % 2 == 0, float(number % 2)) for number in range(80)]
        >>> [look.is_decided for look in looks(went, share=0.5, at=[2, 80])]
        [False, True]
    """
    wanted = set(at)
    played = stakes(share)
    values: Counter[float] = Counter()
    found = []
    for number, value in enumerate(weighed(observed, share=share), start=1):
        values[value] += 1
        if number in wanted:
            low, high = _ends(values, played, math.log(1 / alpha))
            found.append(Look(number, low, high))
    return found


def first_decided(
    observed: Iterable[Observed], *, share: float, alpha: float = ALPHA
) -> int | None:
    """Return after how many sessions the interval first left out 0; None where never.

    It looks after every session.
    """
    sizes, wealth = stakes(share)
    parts = list(wealth)
    for number, value in enumerate(weighed(observed, share=share), start=1):
        parts = [
            part * (1 + size * value) for part, size in zip(parts, sizes, strict=True)
        ]
        if sum(parts) >= 1 / alpha:
            return number
    return None


def log_wealth(values: Mapping[float, int], played: Stakes, difference: float) -> float:
    """Return the logarithm of what was won against a difference, from a wealth of 1."""
    counted = [(value - difference, count) for value, count in values.items()]
    logs = [
        math.log(weight)
        + math.fsum(count * math.log1p(size * rest) for rest, count in counted)
        for size, weight in zip(*played, strict=True)
    ]
    most = max(logs)
    return most + math.log(math.fsum(math.exp(value - most) for value in logs))


def _ends(
    values: Mapping[float, int], played: Stakes, limit: float
) -> tuple[float, float]:
    """Find where the wealth passes the limit, left and right of where it is least."""

    def excess(difference: float) -> float:
        return log_wealth(values, played, difference) - limit

    count = sum(values.values())
    mean = math.fsum(value * times for value, times in values.items()) / count
    inside = max(-1.0, min(1.0, mean))
    return _crossing(excess, inside, -1.0), _crossing(excess, inside, 1.0)


def _crossing(excess: Callable[[float], float], inside: float, outside: float) -> float:
    """Return where a convex function that is below 0 inside comes to 0."""
    if excess(outside) <= 0:
        return outside
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        if excess(middle) > 0:
            outside = middle
        else:
            inside = middle
    return outside

"""Sums in which what happened counts half as much for each half-life gone by.

A run's weight w is 2 ** (-age / half-life) times a skill's share in it. Kept as of the time
of the newest run, the sums take a new run by being decayed to it, and a late one by its
being decayed to them: so each is added in constant time, in any order, and nothing grows
however many years go by. The sums of squares tell for how many runs the weights stand.

Costs per success are a ratio of two sums over the same runs, those of which outcome and
cost are known; anything else would take what is unknown for cheap or for failed.
"""

from __future__ import annotations

from operator import add, mul
from typing import NamedTuple

HALF_LIVES_DAYS = (1, 7, 30)
"""Those whose sums are kept."""
OLDEST_HALF_LIVES = 480
"""What is older counts as nothing: its squares would leave the range of a float."""
NOTHING = 1e-140
"""A sum of weights below this is of runs that are too old to be told from none."""
_DAY_US = 86_400_000_000


class Outcome(NamedTuple):
    """What one run says about one of its skills; None is unknown."""

    at_us: int
    share: float
    success: bool | None = None
    cost_microusd: int | None = None
    duration_us: int | None = None
    quality: float | None = None


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

    def with_run(self, outcome: Outcome, *, weight: float) -> DecayedSums:
        """Add one run of a weight.

        Written out: to add up two tuples took three times as long, in every closing of a run.
        """
        w, s, c = weight, outcome.success, outcome.cost_microusd
        n, n2, ns, cn, cc, bs, bc, bs2, bc2, bcs, tn, ts, qn, qs = self
        if s is not None:
            n, n2, ns = n + w, n2 + w * w, ns + w * s
        if c is not None:
            cn, cc = cn + w, cc + w * c
            if s is not None:
                bs, bc, bs2 = bs + w * s, bc + w * c, bs2 + w * w * s
                bc2, bcs = bc2 + w * w * c * c, bcs + w * w * c * s
        if outcome.duration_us is not None:
            tn, ts = tn + w, ts + w * outcome.duration_us / 1_000_000
        if outcome.quality is not None:
            qn, qs = qn + w, qs + w * outcome.quality
        return DecayedSums(n, n2, ns, cn, cc, bs, bc, bs2, bc2, bcs, tn, ts, qn, qs)

    def decayed(self, *, by_us: int, half_life_days: float) -> DecayedSums:
        """Return them as they stand `by_us` microseconds later; 0 or more."""
        if not by_us:
            return self
        factor = weight_after(by_us, half_life_days=half_life_days)
        return DecayedSums._make(map(mul, self, _factors(factor, factor * factor)))


def _factors(f: float, f2: float) -> tuple[float, ...]:
    """Return what each sum shrinks by, f2 those of squares."""
    return f, f2, f, f, f, f, f, f2, f2, f2, f, f, f, f


def weight_after(age_us: int, *, half_life_days: float) -> float:
    """Return how much a run of an age counts: 1 when new, a half after a half-life.

    Example:
        >>> weight_after(7 * 86_400_000_000, half_life_days=7)
        0.5
    """
    half_lives = age_us / (half_life_days * _DAY_US)
    if half_lives > OLDEST_HALF_LIVES:
        return 0.0
    return 1.0 if half_lives <= 0 else float(2.0**-half_lives)


def sums_of(outcome: Outcome, *, weight: float) -> DecayedSums:
    """Return the sums over one run of a weight."""
    return _NO_SUMS.with_run(outcome, weight=weight)


_NO_SUMS = DecayedSums()


class Standing(NamedTuple):
    """Sums and the time at which they stand, in microseconds since 1970-01-01 UTC."""

    at_us: int
    sums: DecayedSums

    def at(self, at_us: int, *, half_life_days: float) -> DecayedSums:
        """Return the sums as of a time; one before `at_us` is taken for `at_us`."""
        later = max(0, at_us - self.at_us)
        return self.sums.decayed(by_us=later, half_life_days=half_life_days)


def with_outcome(
    standing: Standing | None, outcome: Outcome, *, half_life_days: float
) -> Standing:
    """Add a run, newer or older than those before it."""
    if standing is None:
        return Standing(outcome.at_us, sums_of(outcome, weight=outcome.share))
    at_us = max(standing.at_us, outcome.at_us)
    weight = outcome.share * weight_after(
        at_us - outcome.at_us, half_life_days=half_life_days
    )
    old = standing.at(at_us, half_life_days=half_life_days)
    return Standing(at_us, old.with_run(outcome, weight=weight))

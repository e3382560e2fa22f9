"""What decayed sums say: a rate and what a success costs, each with its interval.

Weights make some runs count for less, so a rate stands on fewer runs than were counted:
n_effective = (sum of w) ** 2 / sum of w ** 2. It takes runs for independent: where failures
come together, as when a provider is down, intervals are too narrow.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from oldhand.ledger.beta import beta_quantile, probability_above
from oldhand.ledger.decayed import NOTHING, DecayedSums

LEVEL = 0.95
MOST_RUNS = 10_000
"""Where a comparison would need more, it is said that it needs more than these."""
_MICRO = 1_000_000
_PRIOR = 0.5  # Jeffreys': Beta(1/2, 1/2)
_Z = 1.959964
_Z_VERDICT = 2.326348  # of `compare.SURE`
_Z_POWER = 0.841621  # found in four of five cases


class Rate(NamedTuple):
    """A share of successes.

    Attributes:
        rate: 0 to 1.
        n_effective: On how many runs it stands.
        low: Of its Jeffreys interval, 95 %.
        high: The same.
    """

    rate: float
    n_effective: float
    low: float
    high: float

    def beta(self) -> tuple[float, float]:
        """Return the two numbers of its Beta distribution."""
        return _beta(self.rate, self.n_effective)


class CostPerSuccess(NamedTuple):
    """What a success costs, failures paid for too, in dollars; the interval is approximate.

    Attributes:
        usd: Cost divided by successes, over runs of which both are known.
        low: Of its interval, 95 %, by the delta method on a log scale. Costs have heavy
            tails: it covers about nine in ten.
        high: The same.
        log_deviation: Standard deviation of its logarithm.
    """

    usd: float
    low: float
    high: float
    log_deviation: float

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {
            "usd": self.usd,
            "interval": [self.low, self.high],
            "interval_is_approximate": True,
        }


def rate_of(sums: DecayedSums) -> Rate | None:
    """Return the rate of success; None where no outcome is known."""
    if sums.weight < NOTHING:
        return None
    rate = min(1.0, sums.success / sums.weight)
    n_effective = sums.weight * sums.weight / sums.weight2
    low, high = jeffreys_interval(rate, n_effective)
    return Rate(rate, n_effective, low, high)


def jeffreys_interval(
    rate: float, n: float, *, level: float = LEVEL
) -> tuple[float, float]:
    """Return the interval of a rate seen in n runs; n need not be whole.

    Example:
        >>> [round(edge, 3) for edge in jeffreys_interval(0.9, 20)]
        [0.716, 0.979]

    Source: Brown, Cai & DasGupta (2001), Statistical Science 16(2), 101-133.
    """
    a, b = _beta(rate, n)
    tail = (1 - level) / 2
    low = 0.0 if rate <= 0 else beta_quantile(tail, a, b)
    high = 1.0 if rate >= 1 else beta_quantile(1 - tail, a, b)
    # Of a faded success among failures, as of none, it would begin above the rate itself.
    return min(low, rate), max(high, rate)


def mean_of(total: float, weight: float) -> float | None:
    """Return a weighted mean; None where nothing is known."""
    return None if weight < NOTHING else total / weight


def cost_per_call(sums: DecayedSums) -> float | None:
    """Return the mean known cost of a run in dollars; None where none is known."""
    mean = mean_of(sums.cost, sums.cost_weight)
    return None if mean is None else mean / _MICRO


def cost_per_success(sums: DecayedSums) -> CostPerSuccess | None:
    """Return what a success costs; None where none is known of with its cost."""
    if sums.both_success < NOTHING:
        return None
    ratio = sums.both_cost / sums.both_success
    spread = (
        sums.both_cost2
        - 2 * ratio * sums.both_cost_success
        + ratio * ratio * sums.both_success2
    )
    spread += _half_a_run_each_way(sums, ratio)
    usd = ratio / _MICRO
    if not ratio:
        return CostPerSuccess(0.0, 0.0, 0.0, 0.0)
    deviation = math.sqrt(max(0.0, spread)) / sums.both_success / ratio
    factor = math.exp(min(_Z * deviation, 700.0))
    return CostPerSuccess(usd, usd / factor, usd * factor, deviation)


def _half_a_run_each_way(sums: DecayedSums, ratio: float) -> float:
    """Return the spread of half a failure and half a success more, at the mean cost.

    As in Jeffreys' interval. Without it eight successes at one price would say that no
    run can ever fail.
    """
    weight = sums.weight2 / sums.weight
    mean = sums.cost / sums.cost_weight
    return 0.5 * weight * weight * (mean * mean + (mean - ratio) ** 2)


def probability_better(first: Rate, second: Rate) -> float:
    """Return how likely it is that the second has the higher rate, 0 to 1."""
    return probability_above(first.beta(), second.beta())


def probability_cheaper(first: CostPerSuccess, second: CostPerSuccess) -> float | None:
    """Return about how likely it is that a success costs less with the second.

    Returns:
        0 to 1; None where either costs nothing, or nothing says how much it varies.
    """
    deviation = math.hypot(first.log_deviation, second.log_deviation)
    if not first.usd or not second.usd or not deviation:
        return None
    difference = math.log(first.usd) - math.log(second.usd)
    return 0.5 * math.erfc(-difference / deviation / math.sqrt(2))


def runs_still_needed(first: Rate, second: Rate) -> int:
    """Return about how many more runs of each would tell rates so far apart from each other.

    In four of five cases, if the true rates are those that were seen, drawn half a run
    toward the middle. At most `MOST_RUNS`, at least 1.
    """
    rates = [a / (a + b) for a, b in (first.beta(), second.beta())]
    difference = abs(rates[0] - rates[1])
    variance = sum(rate * (1 - rate) for rate in rates)
    needed = (_Z_VERDICT + _Z_POWER) ** 2 * variance / max(difference**2, 1e-12)
    more = needed - min(first.n_effective, second.n_effective)
    return max(1, min(MOST_RUNS, math.ceil(more)))


def _beta(rate: float, n: float) -> tuple[float, float]:
    return _PRIOR + rate * n, _PRIOR + (1 - rate) * n

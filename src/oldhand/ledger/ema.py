"""How each skill does lately, per model and provider: means in which older runs fade.

Single runs are weighed by the time that went by since they ended, so that an hourly job and
a weekly one fade alike, and a gap is a gap. What is unknown is left out of each mean and
counted. These are means over runs that happened: who chose the model, chose it for a reason.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from oldhand.clock import Clock, system_clock, to_iso
from oldhand.errors import InvalidInput
from oldhand.ledger import checks
from oldhand.ledger.decayed import DecayedSums
from oldhand.ledger.estimate import (
    CostPerSuccess,
    cost_per_call,
    cost_per_success,
    mean_of,
    rate_of,
)
from oldhand.store import Queries, Row, Store

DEFAULT_HALF_LIFE_DAYS = 7.0
MAX_DAYS = 3660
MIN_HALF_LIFE_DAYS = 1 / 1440
_SQL = Queries("oldhand.ledger")
_DAY_US = 86_400_000_000


class SkillEma(NamedTuple):
    """A skill with one model of one provider in a window; None is unknown.

    Attributes:
        skill_name: The skill's, all versions together.
        model: That answered.
        provider: The same.
        sample_count: Runs in the window.
        success_count: Of those, how many worked.
        failure_count: How many did not.
        unknown_count: Of how many nobody knows; they are in no rate.
        cost_known_count: Of how many the cost is known.
        ema_success_rate: 0 to 1, weighted.
        ema_duration_s: Seconds, weighted, over known durations.
        ema_cost_per_call: Dollars, weighted, over known costs; of a run with several skills
            each has its share.
        days_with_data: On how many UTC days a run ended.
        last_invoked_at: When the newest run began, in ISO 8601.
        n_effective: On how many runs the rate stands, given their weights.
        interval: Of the rate, 95 %.
        cost_per_success: Dollars, with an approximate interval.
        half_life_days: By which it was weighed.
    """

    skill_name: str
    model: str | None
    provider: str | None
    sample_count: int
    success_count: int
    failure_count: int
    unknown_count: int
    cost_known_count: int
    ema_success_rate: float | None
    ema_duration_s: float | None
    ema_cost_per_call: float | None
    days_with_data: int
    last_invoked_at: str
    n_effective: float
    interval: tuple[float, float] | None
    cost_per_success: CostPerSuccess | None
    half_life_days: float

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it; unknown is null."""
        cost = self.cost_per_success
        return self._asdict() | {
            "interval": None if self.interval is None else list(self.interval),
            "cost_per_success": None if cost is None else cost.as_json(),
        }


def query_skill_ema(
    store: Store,
    window_days: float = 14,
    *,
    half_life_days: float | None = None,
    alpha: float | None = None,
    skill: str | None = None,
    clock: Clock = system_clock,
) -> list[SkillEma]:
    """Return how each skill did in a window, per model and provider, newest first.

    Args:
        store: Where runs are.
        window_days: How far to look back, above 0, at most 3660.
        half_life_days: After which a run counts half as much, from a minute to 3660 days;
            default 7.
        alpha: Instead of it: what one day weighs against all before, above 0 and below 1,
            as in an average that is smoothed once a day.
        skill: Only this one.
        clock: Says now.

    Raises:
        InvalidInput: A number is not one of those, or both ways are said.
    """
    window = _days("window_days", window_days, least=0.0)
    half_life = half_life_in(half_life_days, alpha)
    now_us = clock()
    scope = {
        "after_us": now_us - round(window * _DAY_US),
        "until_us": now_us + checks.AHEAD_US,  # other machines' clocks
        "at_us": now_us,
        "half_life_days": half_life,
        "skill": skill,
    }
    rows = store.query_all(_SQL["window_sums"], scope)
    return [_ema(row, half_life) for row in rows]


def half_life_of(alpha: float) -> float:
    """Return the half-life in days of an average that is smoothed once a day.

    Raises:
        InvalidInput: `alpha` is not above 0 and below 1.

    Example:
        >>> round(half_life_of(0.3), 2)
        1.94
    """
    value = checks.number("alpha", alpha, most=1)
    if not value or value == 1:
        raise checks.wrong("alpha", alpha, "a number above 0 and below 1")
    half_life = math.log(0.5) / math.log1p(-value)
    return _days("alpha", half_life, least=MIN_HALF_LIFE_DAYS)


def half_life_in(half_life_days: float | None, alpha: float | None) -> float:
    """Return the half-life in days that was said in one of two ways, or the default.

    Raises:
        InvalidInput: It is out of range, or both ways are said.
    """
    if alpha is None:
        if half_life_days is None:
            return DEFAULT_HALF_LIFE_DAYS
        return _days("half_life_days", half_life_days, least=MIN_HALF_LIFE_DAYS)
    if half_life_days is not None:
        raise InvalidInput(
            f"alpha: {alpha!r} beside half_life_days {half_life_days!r}; expected one of them"
        )
    return half_life_of(alpha)


def _days(field: str, value: float, *, least: float) -> float:
    days = checks.number(field, value, most=MAX_DAYS)
    if not days or days < least:
        told = f"at least {least:.4g}" if least else "above 0"
        raise checks.wrong(field, value, f"days, {told}, at most {MAX_DAYS}")
    return days


def _ema(row: Row, half_life_days: float) -> SkillEma:
    skill, model, provider, count, successes, failures, priced, days, last_us = row[:9]
    sums = DecayedSums._make(row[9:])
    rate = rate_of(sums)
    return SkillEma(
        skill_name=skill,
        model=model,
        provider=provider,
        sample_count=count,
        success_count=successes,
        failure_count=failures,
        unknown_count=count - successes - failures,
        cost_known_count=priced,
        ema_success_rate=None if rate is None else rate.rate,
        ema_duration_s=mean_of(sums.duration, sums.duration_weight),
        ema_cost_per_call=cost_per_call(sums),
        days_with_data=days,
        last_invoked_at=to_iso(last_us),
        n_effective=0.0 if rate is None else rate.n_effective,
        interval=None if rate is None else (rate.low, rate.high),
        cost_per_success=cost_per_success(sums),
        half_life_days=half_life_days,
    )

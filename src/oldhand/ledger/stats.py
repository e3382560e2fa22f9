"""All skills at a glance: counts, and three half-lives side by side.

Read from the running sums, so that it takes as long after ten million runs as after ten.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import starmap
from typing import Any, NamedTuple

from oldhand.clock import Clock, system_clock, to_iso
from oldhand.ledger.cell_sums import CellSums
from oldhand.ledger.decayed import HALF_LIVES_DAYS, DecayedSums, stretch_end_us
from oldhand.ledger.estimate import (
    CostPerSuccess,
    Rate,
    cost_per_call,
    cost_per_success,
    mean_of,
    rate_of,
)
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.ledger")
_COUNTS = (
    "invocation_count",
    "success_count",
    "failure_count",
    "drawn_count",
    "cost_known_count",
)
_MICRO = 1_000_000
_Key = tuple[str, str | None, str | None, str | None]
_SUMS_FROM = (
    4  # of the columns of `all_sums`; the first is the time at which they stand
)


class Faded(NamedTuple):
    """What one half-life says; None is unknown."""

    half_life_days: int
    rate: Rate | None
    duration_seconds: float | None
    cost_per_call_usd: float | None
    cost_per_success: CostPerSuccess | None
    quality: float | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it; unknown is null."""
        rate, cost = self.rate, self.cost_per_success
        return {
            "half_life_days": self.half_life_days,
            "success_rate": rate.rate if rate else None,
            "n_effective": rate.n_effective if rate else 0.0,
            "interval": [rate.low, rate.high] if rate else None,
            "duration_seconds": self.duration_seconds,
            "cost_per_call_usd": self.cost_per_call_usd,
            "cost_per_success": cost.as_json() if cost else None,
            "quality": self.quality,
        }


@dataclass(slots=True)
class SkillStats:
    """A skill with one model of one provider, since the first run on record.

    Attributes:
        skill: The skill's name.
        model: That answered; None is unknown.
        provider: The same.
        version: None where it is unknown, or where all versions are added up.
        invocation_count: Runs that ended.
        success_count: Of those, how many worked.
        failure_count: How many did not.
        drawn_count: Of how many the model was drawn at random.
        cost_known_count: Of how many the cost is known.
        total_cost_microusd: Of those, by share; millionths of a US dollar.
        last_invoked_at_us: When the newest began.
        faded: Sums by half-life in days, all as of one time.
    """

    skill: str
    model: str | None
    provider: str | None
    version: str | None = None
    invocation_count: int = 0
    success_count: int = 0
    failure_count: int = 0
    drawn_count: int = 0
    cost_known_count: int = 0
    total_cost_microusd: float = 0.0
    last_invoked_at_us: int = 0
    faded: dict[int, DecayedSums] = field(default_factory=dict)

    @property
    def unknown_count(self) -> int:
        """Of how many runs nobody knows whether they worked."""
        return self.invocation_count - self.success_count - self.failure_count

    @property
    def is_drawn(self) -> bool:
        """Whether the model of every run was drawn at random."""
        return self.drawn_count == self.invocation_count

    def estimates(self) -> list[Faded]:
        """Return what each half-life says, the shortest first."""
        return [faded(days, sums) for days, sums in sorted(self.faded.items())]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it; unknown is null."""
        return {
            "skill": self.skill,
            "version": self.version,
            "model": self.model,
            "provider": self.provider,
            **{name: getattr(self, name) for name in _COUNTS},
            "unknown_count": self.unknown_count,
            "total_cost_usd": self.total_cost_microusd / _MICRO
            if self.cost_known_count
            else None,
            "last_invoked_at": to_iso(self.last_invoked_at_us),
            "half_lives": [each.as_json() for each in self.estimates()],
        }


class SkillDay(NamedTuple):
    """A row of the view `skill_stats_daily`: a skill, model and provider on a UTC day."""

    day: str
    skill: str
    model: str | None
    provider: str | None
    invocation_count: int
    success_count: int
    failure_count: int
    unknown_count: int
    average_duration_seconds: float | None
    total_cost_usd: float | None
    average_cost_usd: float | None
    cost_known_count: int
    input_tokens: float | None
    output_tokens: float | None
    cache_read_tokens: float | None
    cache_write_tokens: float | None
    average_quality: float | None
    last_invoked_at_us: int

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it; unknown is null."""
        fields = self._asdict()
        fields["last_invoked_at"] = to_iso(fields.pop("last_invoked_at_us"))
        return fields


def faded(half_life_days: int, sums: DecayedSums) -> Faded:
    """Return what the sums of a half-life say."""
    return Faded(
        half_life_days,
        rate_of(sums),
        mean_of(sums.duration, sums.duration_weight),
        cost_per_call(sums),
        cost_per_success(sums),
        mean_of(sums.quality, sums.quality_weight),
    )


def skill_stats(
    store: Store,
    *,
    skill: str | None = None,
    by_version: bool = False,
    clock: Clock = system_clock,
) -> list[SkillStats]:
    """Return all skills that were used, the last used first.

    Args:
        store: Where the sums are.
        skill: Only this one.
        by_version: Keep versions apart.
        clock: Says now.
    """
    rows = store.query_all(_SQL["all_sums"], {"skill": skill})
    # All at one time, and none before what it holds: a machine's clock may be ahead.
    at_us = max([stretch_end_us(clock()), *(row[_SUMS_FROM] for row in rows)])
    found: dict[_Key, CellSums] = {}
    for row in rows:
        name, version, model, provider = row[:_SUMS_FROM]
        key = (name, model, provider, version if by_version else None)
        sums = CellSums.from_row(row[_SUMS_FROM:]).at(at_us)
        found[key] = found[key].plus(sums) if key in found else sums
    return sorted(
        starmap(_stats_of, found.items()),
        key=lambda each: (-each.last_invoked_at_us, each.skill),
    )


def daily_stats(
    store: Store, *, skill: str | None = None, since: str = ""
) -> list[SkillDay]:
    """Return the days on which skills were used, the newest first.

    Args:
        store: Where the runs are.
        skill: Only this one.
        since: Only this UTC day, as `2026-01-31`, and later ones.
    """
    scope = {"skill": skill, "since": since}
    return [SkillDay(*row) for row in store.query_all(_SQL["daily"], scope)]


def _stats_of(key: _Key, sums: CellSums) -> SkillStats:
    return SkillStats(
        *key,
        invocation_count=sums.invocation_count,
        success_count=sums.success_count,
        failure_count=sums.failure_count,
        drawn_count=sums.drawn_count,
        cost_known_count=sums.cost_known_count,
        total_cost_microusd=sums.total_cost_microusd,
        last_invoked_at_us=sums.last_invoked_at_us,
        faded=dict(zip(HALF_LIVES_DAYS, sums.faded, strict=True)),
    )

"""All skills at a glance: counts, and three half-lives side by side.

Read from the running sums, so that it takes as long after ten million runs as after ten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from oldhand.clock import Clock, system_clock, to_iso
from oldhand.ledger.decayed import DecayedSums, Standing
from oldhand.ledger.estimate import (
    CostPerSuccess,
    Rate,
    cost_per_call,
    cost_per_success,
    mean_of,
    rate_of,
)
from oldhand.ledger.rows import sums_from
from oldhand.store import Queries, Row, Store

_SQL = Queries("oldhand.ledger")
_COUNTS = (
    "invocation_count",
    "success_count",
    "failure_count",
    "drawn_count",
    "cost_known_count",
)
_MICRO = 1_000_000
_SUMS_AT_US = 12  # of the columns of `all_sums`


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
        faded: Sums by half-life in days, as of now.
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
    at_us = max([clock(), *(row[_SUMS_AT_US] for row in rows)])
    found: dict[tuple[str | None, ...], SkillStats] = {}
    seen: set[tuple[str | None, ...]] = set()
    for row in rows:
        name, version, model, provider = row[:4]
        key = (name, model, provider, version if by_version else None)
        stats = found.setdefault(key, SkillStats(name, model, provider, key[3]))
        if row[:4] not in seen:
            seen.add(row[:4])
            _add_counts(stats, row[4:11])
        _add_sums(stats, row[11:], at_us=at_us)
    return sorted(
        found.values(), key=lambda each: (-each.last_invoked_at_us, each.skill)
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


def _add_counts(stats: SkillStats, counts: Iterable[Any]) -> None:
    *numbers, cost, last_us = counts
    for name, number in zip(_COUNTS, numbers, strict=True):
        setattr(stats, name, getattr(stats, name) + number)
    stats.total_cost_microusd += cost
    stats.last_invoked_at_us = max(stats.last_invoked_at_us, last_us or 0)


def _add_sums(stats: SkillStats, row: Row, *, at_us: int) -> None:
    days, stood_at_us, *values = row
    standing = Standing(stood_at_us, sums_from(values))
    sums = standing.at(at_us, half_life_days=days)
    before = stats.faded.get(days)
    stats.faded[days] = sums if before is None else before.plus(sums)

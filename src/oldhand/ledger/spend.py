"""What was spent on each skill, and on all runs in which one was loaded."""

from __future__ import annotations

from typing import Any, NamedTuple

from oldhand.store import Queries, Row, Store

_SQL = Queries("oldhand.ledger")
_END_OF_TIME_US = (1 << 63) - 1
_MICRO = 1_000_000


class Spend(NamedTuple):
    """What the runs of a skill used, by its share in each; None is unknown.

    Attributes:
        skill: Its name; None of all skills together.
        runs: That began in the time asked for and have ended.
        success_count: Of those, how many worked.
        failure_count: How many did not.
        input_tokens: Not read from a cache, over the runs that say so.
        output_tokens: The same.
        cache_read_tokens: The same.
        cache_write_tokens: The same.
        cost_usd: In dollars, over the runs whose cost is known.
        cost_unknown_runs: How many it leaves out.
    """

    skill: str | None
    runs: int
    success_count: int
    failure_count: int
    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int | None
    cache_write_tokens: int | None
    cost_usd: float | None
    cost_unknown_runs: int


class SkillSpend(NamedTuple):
    """What was spent by skill, the costliest first, and in all: there a run counts once."""

    by_skill: list[Spend]
    total: Spend

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it; unknown is null."""
        total = self.total._asdict()
        del total["skill"]
        return {
            "by_skill": [each._asdict() for each in self.by_skill],
            "total": total,
        }


def skill_spend(
    store: Store,
    *,
    since_us: int = 0,
    until_us: int = _END_OF_TIME_US,
    source: str | None = None,
    project: str | None = None,
) -> SkillSpend:
    """Add up what skills cost.

    Args:
        store: Where runs and sessions are.
        since_us: Only runs that began then or later, in microseconds since 1970-01-01 UTC.
        until_us: Only runs that began before that.
        source: Only runs in sessions of one agent.
        project: Only runs in sessions of one project.
    """
    scope = {
        "since_us": since_us,
        "until_us": until_us,
        "source": source,
        "project": project,
    }
    by_skill = [_spend(row) for row in store.query_all(_SQL["spend_by_skill"], scope)]
    by_skill.sort(key=lambda each: (-(each.cost_usd or 0), -each.runs, str(each.skill)))
    (total,) = store.query_all(_SQL["spend_in_all"], scope)
    return SkillSpend(by_skill, _spend((None, *total)))


def _spend(row: Row) -> Spend:
    skill, runs, successes, failures, *tokens, cost, priced = row
    read, written, cache_read, cache_write = (
        None if count is None else round(count) for count in tokens
    )
    return Spend(
        skill, runs, successes, failures, read, written, cache_read, cache_write,
        cost_usd=None if cost is None else float(cost) / _MICRO,
        cost_unknown_runs=runs - priced,
    )  # fmt: skip

"""Skills as tables for a person; unknown is a dash, never a zero."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.tables import plain, print_table

if TYPE_CHECKING:
    from oldhand.ledger.compare import Comparison
    from oldhand.ledger.ema import SkillEma
    from oldhand.ledger.estimate import CostPerSuccess
    from oldhand.ledger.skills.find import Skill
    from oldhand.ledger.stats import Faded, SkillStats

_DASH = "\N{EN DASH}"
_VERSION_CHARS = 12
_SHOWN_MODELS = 3
_CENTS_FROM = 0.1  # dollars; below, three digits say more
_WHOSE = {
    "skill": "skill",
    "version": "version",
    "model": "model",
    "provider": "provider",
}
_RUNS = {
    "all_count": "runs",
    "success_count": "worked",
    "failure_count": "failed",
    "unknown_count": "unknown",
}
_SUPPORT = {"effective_count": "stands on"}  # so many runs, given how they fade
_COSTS = {
    "seconds": "seconds",
    "run_usd": "a whole run",
    "success_usd": "a success, about",
}


def print_skills(found: Sequence[Skill]) -> None:
    """Print the skills in some places."""
    columns = {
        "name": "name",
        "agent": "agent",
        "version": "version",
        "description": "description",
        "path": "path",
    }
    rows = [
        skill.as_json()
        | {
            "version": (skill.version or "broken")[:_VERSION_CHARS],
            "description": " ".join(skill.description.split()),
        }
        for skill in found
    ]
    print_table(rows, columns=columns)


def print_stats(found: Sequence[SkillStats], *, half_life_days: int) -> None:
    """Print what the sums say, all half-lives beside each other."""
    rows = []
    for each in found:
        estimates = {one.half_life_days: one for one in each.estimates()}
        chosen = estimates[half_life_days]
        rows.append(
            _whose(each)
            | {
                "all_count": each.invocation_count,
                "success_count": each.success_count,
                "failure_count": each.failure_count,
                "unknown_count": each.unknown_count,
                **{
                    f"after_{days}": _rate(one.rate.rate if one.rate else None)
                    for days, one in estimates.items()
                },
                "interval": _interval(
                    (chosen.rate.low, chosen.rate.high) if chosen.rate else None
                ),
                "effective_count": f"{chosen.rate.n_effective:.1f}"
                if chosen.rate
                else _DASH,
                "seconds": _seconds(chosen.duration_seconds),
                "run_usd": _dollars(chosen.cost_per_call_usd),
                "success_usd": _per_success(chosen.cost_per_success),
                "total_usd": _dollars(
                    each.total_cost_microusd / 1_000_000
                    if each.cost_known_count
                    else None
                ),
                "unpriced_count": each.invocation_count - each.cost_known_count or "",
                "last": _day(each.as_json()["last_invoked_at"]),
            }
        )
    rates = {f"after_{days}": f"{days} d" for days in sorted(found[0].faded)}
    interval = {"interval": f"95 %, {half_life_days} d"}
    _print_two(
        rows,
        success=_RUNS | rates | interval | _SUPPORT,
        cost=_COSTS
        | {"total_usd": "its share", "unpriced_count": "unpriced", "last": "last"},
    )


def notes_on(found: Sequence[SkillStats]) -> list[str]:
    """Say what is missing, and who could tell it."""
    notes = []
    if not any(each.success_count + each.failure_count for each in found):
        notes.append(
            "of no run is it known whether it worked: a session does not say; the runs of "
            "scheduled jobs do, and those that record_skill_invocation is told of"
        )
    if any(each.total_cost_microusd for each in found):
        notes.append(
            "its share: of a run with three skills a third is each one's; so all add up to "
            "what was paid"
        )
    unpriced = {
        each.model for each in found if each.cost_known_count < each.invocation_count
    }
    models = sorted(model for model in unpriced if model is not None)
    if models:
        shown = ", ".join(map(plain, models[:_SHOWN_MODELS]))
        more = len(models) - _SHOWN_MODELS
        notes.append(
            f"some costs are unknown, of {shown}{f' and {more} more' if more > 0 else ''}: "
            "oldhand[prices] knows those of providers; one of your own stands in "
            "oldhand.toml: see oldhand skills rebuild --help"
        )
    return notes


def print_window(found: Sequence[SkillEma], *, window_days: float) -> None:
    """Print what the runs of a window say."""
    rows = [
        {
            "skill": each.skill_name,
            "version": "",
            "model": each.model or _DASH,
            "provider": each.provider or "",
            "all_count": each.sample_count,
            "success_count": each.success_count,
            "failure_count": each.failure_count,
            "unknown_count": each.unknown_count,
            "days_count": each.days_with_data,
            "rate": _rate(each.ema_success_rate),
            "interval": _interval(each.interval),
            "effective_count": f"{each.n_effective:.1f}",
            "seconds": _seconds(each.ema_duration_s),
            "run_usd": _dollars(each.ema_cost_per_call),
            "success_usd": _per_success(each.cost_per_success),
            "last": _day(each.last_invoked_at),
        }
        for each in found
    ]
    click.echo(
        f"runs of the last {window_days:g} days, half-life "
        f"{found[0].half_life_days:.3g} days"
    )
    rate = {"days_count": "on days", "rate": "success", "interval": "95 %"}
    _print_two(rows, success=_RUNS | rate | _SUPPORT, cost=_COSTS | {"last": "last"})


def _print_two(
    rows: Sequence[dict[str, Any]], *, success: dict[str, str], cost: dict[str, str]
) -> None:
    """Print how they did, then what it cost: one table of both is too wide for a screen."""
    for columns in (success, cost):
        print_table(rows, columns=_told(_WHOSE | columns, rows))


def print_comparison(found: Comparison) -> None:
    """Print both sides and what is said of them."""
    from oldhand.ledger.compare import percent

    sides = (("A", found.a, found.of_a), ("B", found.b, found.of_b))
    rows = [
        _whose(side) | {"side": name, "model": side.model or "all"} | _estimate(of_side)
        for name, side, of_side in sides
    ]
    columns = (
        {"side": ""}
        | _WHOSE
        | {"rate": "success", "interval": "95 %"}
        | _SUPPORT
        | _COSTS
    )
    print_table(rows, columns=_told(columns, rows))
    click.echo(f"{found.said}.")
    chances = {
        "B has the higher rate of success": found.probability_b_better,
        "a success costs less with B, about": found.probability_b_cheaper,
    }
    for what, chance in chances.items():
        if chance is not None:
            click.echo(f"  {what}: {percent(chance)} likely")
    click.echo(f"  a run counts half after {found.half_life_days} days")


def _estimate(found: Faded) -> dict[str, Any]:
    rate = found.rate
    return {
        "rate": _rate(rate.rate if rate else None),
        "interval": _interval((rate.low, rate.high) if rate else None),
        "effective_count": f"{rate.n_effective:.1f}" if rate else _DASH,
        "seconds": _seconds(found.duration_seconds),
        "run_usd": _dollars(found.cost_per_call_usd),
        "success_usd": _per_success(found.cost_per_success),
    }


def _whose(of: Any) -> dict[str, Any]:  # noqa: ANN401 - stats, or a side
    return {
        "skill": of.skill,
        "version": (of.version or "")[:_VERSION_CHARS],
        "model": of.model or _DASH,
        "provider": of.provider or "",
    }


def _told(columns: dict[str, str], rows: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Leave out the columns in which no row says anything."""
    told = {
        key for row in rows for key, value in row.items() if value not in ("", _DASH)
    }
    return {key: heading for key, heading in columns.items() if key in told}


def _rate(value: float | None) -> str:
    return _DASH if value is None else f"{value:.0%}"


def _interval(edges: tuple[float, float] | None) -> str:
    return _DASH if edges is None else f"{edges[0]:.0%} to {edges[1]:.0%}"


def _seconds(value: float | None) -> str:
    return _DASH if value is None else f"{value:,.1f}"


def _dollars(value: float | None) -> str:
    if value is None:
        return _DASH
    is_small = 0 < value < _CENTS_FROM
    return f"${value:.3g}" if is_small else f"${value:,.2f}"


def _per_success(cost: CostPerSuccess | None) -> str:
    if cost is None:
        return _DASH
    edges = f" ({_dollars(cost.low)} to {_dollars(cost.high)})" if cost.usd else ""
    return _dollars(cost.usd) + edges


def _day(at: str) -> str:
    return plain(at[:10])

"""What was spent on skills as a table; unknown is a dash, never a zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oldhand.cli.tables import print_table

if TYPE_CHECKING:
    from rich.console import Console

    from oldhand.ledger.spend import SkillSpend, Spend

_UNKNOWN = "\N{EN DASH}"
_COLUMNS = {
    "skill": "skill",
    "runs_count": "runs",
    "success_count": "worked",
    "failure_count": "failed",
    "input_tokens": "input",
    "output_tokens": "output",
    "cache_read_tokens": "cache read",
    "cache_write_tokens": "cache write",
    "cost_usd": "cost",
    "cost_unknown_count": "cost unknown in",
}


def show_spend(console: Console, found: SkillSpend) -> None:
    """Print what each skill used, and all together."""
    if not found.by_skill:
        console.print("no skill was loaded in these sessions")
        return
    rows = [_readable(each, each.skill or _UNKNOWN) for each in found.by_skill]
    rows.append(_readable(found.total, "all runs with a skill"))
    print_table(rows, columns=_COLUMNS, console=console)


def _readable(spend: Spend, name: str) -> dict[str, str]:
    shown = {
        key: _UNKNOWN if value is None else f"{value:,}"
        for key, value in spend._asdict().items()
        if key.endswith(("_tokens", "_count"))
    }
    cost = spend.cost_usd
    return shown | {
        "skill": name,
        "runs_count": f"{spend.runs:,}",
        "cost_usd": _UNKNOWN if cost is None else f"${cost:,.2f}",
        "cost_unknown_count": f"{spend.cost_unknown_runs:,}"
        if spend.cost_unknown_runs
        else "",
    }

"""Tokens and cost as a person reads them: unknown is a dash, never a zero."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oldhand.cli.tables import print_table

if TYPE_CHECKING:
    from rich.console import Console

    from oldhand.sessions.costs import CostReport

_UNKNOWN = "\N{EN DASH}"
_COLUMNS = {
    "sessions": "sessions",
    "input_tokens": "input",
    "output_tokens": "output",
    "cache_read_tokens": "cache read",
    "cache_write_tokens": "cache write",
    "tokens_unknown_sessions": "tokens unknown in",
    "cost_usd": "cost",
    "cost_unknown_sessions": "cost unknown in",
}


def show_costs(console: Console, found: CostReport) -> None:
    """Print tokens and cost by day, model and agent."""
    values = found.as_json()
    for key, name in (("day", "day"), ("model", "model"), ("source", "agent")):
        rows = [_readable(row, key) for row in values[f"by_{key}"]]
        rows.append(_readable({key: "total"} | values["total"], key))
        print_table(rows, columns={key: name} | _COLUMNS, console=console)
    empty = ", ".join(f"{count:,} of {name}" for name, count in _some_empty(found))
    console.print(
        f"empty sessions found at import and left out: {empty or 'none'}",
        markup=False,
        highlight=False,
    )


def _some_empty(found: CostReport) -> list[tuple[str, int]]:
    return [(name, count) for name, count in found.empty_sessions.items() if count]


def _readable(row: dict[str, Any], key: str) -> dict[str, str]:
    """Write numbers as people do; unknown is a dash, and no session left out nothing."""
    shown = {name: _number(value) for name, value in row.items()}
    shown[key] = row[key] or _UNKNOWN
    cost = row["cost_usd"]
    shown["cost_usd"] = _UNKNOWN if cost is None else f"${cost:,.2f}"
    for name in ("tokens_unknown_sessions", "cost_unknown_sessions"):
        shown[name] = f"{row[name]:,}" if row[name] else ""
    return shown


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else _UNKNOWN

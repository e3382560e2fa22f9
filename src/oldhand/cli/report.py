"""`oldhand report`: what the sessions on record cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.face import Face, common_options
from oldhand.errors import InvalidInput

if TYPE_CHECKING:
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


@click.command()
@click.option("--since", metavar="TIME", help="Only from this time on (ISO 8601).")
@click.option("--until", metavar="TIME", help="Only what came before (ISO 8601).")
@click.option("--source", metavar="NAME", help="Only sessions of one agent.")
@click.option("--project", metavar="DIR", help="Only sessions of one project.")
@common_options
def report(
    face: Face,
    since: str | None,
    until: str | None,
    source: str | None,
    project: str | None,
) -> None:
    """Show tokens and cost by day, model and agent.

    Days are UTC. What an agent did not write down is unknown: a dash, and the number of
    sessions that a sum leaves out. A session's cost counts on the day it began.
    """
    from oldhand.sessions.costs import report_costs

    times = {"since_us": _time(since), "until_us": _time(until)}
    found = report_costs(
        face.store(),
        **{name: at_us for name, at_us in times.items() if at_us is not None},
        source=source,
        project=project,
    )
    if face.as_json:
        face.emit(found.as_json())
    else:
        _show(face, found)


def _time(text: str | None) -> int | None:
    from oldhand.clock import from_iso

    at_us = None if text is None else from_iso(text)
    if text is not None and at_us is None:
        raise InvalidInput(f"{text!r} is no time; expected ISO 8601, as 2026-01-31")
    return at_us


def _show(face: Face, found: CostReport) -> None:
    values = found.as_json()
    for key, name in (("day", "day"), ("model", "model"), ("source", "agent")):
        rows = [_readable(row, key) for row in values[f"by_{key}"]]
        rows.append(_readable({key: "total"} | values["total"], key))
        face.emit_rows(rows, columns={key: name} | _COLUMNS)
    empty = ", ".join(f"{count:,} of {name}" for name, count in _some_empty(found))
    click.echo(f"empty sessions found at import and left out: {empty or 'none'}")


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

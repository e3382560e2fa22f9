"""How calls went, as a person reads it: each rate as a dot with its interval on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from oldhand.cli.tables import plain

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

    from oldhand.experience.report import CallReport, Forecast
    from oldhand.experience.report.calls import Group
    from oldhand.experience.report.rates import Rate

_WIDTH = 28
_MAX_TOOLS = 10
_MANY_CALLS = 100
_DASH = "\N{EN DASH}"
_SURVIVORS = (
    "A long session is one that got far: it was not given up early, and its task was "
    "large. So that long sessions fail less, or more, says nothing about what length "
    "does; only the same first calls of each may be compared."
)
_NO_PROOF = (
    "Mean over {sessions} sessions, each served from what came before it. To be covered "
    "is needed for an example to help, and does not prove that it helps."
)


def show_calls(console: Console, found: CallReport) -> None:
    """Print how calls went."""
    from rich.text import Text

    if not found.total.calls:
        console.print("no judged calls")
        return
    tables = {
        "by tool": found.by_tool[:_MAX_TOOLS],
        "by the call's place in its session": found.by_position,
        "by the session's length in messages": found.by_length,
        "the first 20 calls alone, by the session's length": found.first_calls_by_length,
    }
    console.print(Text("how calls went, all", style="bold"))
    console.print(_rates([found.total], _scale([found.total])))
    for title, groups in tables.items():
        console.print(Text(f"\n{title}", style="bold"))
        console.print(_rates(groups, _scale(groups)))
    console.print(Text(f"\n{_SURVIVORS}", style="dim"))
    console.print(Text(_warm_up(found.warm_up)))
    left_out = f"left out: {found.refused:,} refused, {found.unknown:,} unknown"
    console.print(Text(left_out))
    if found.errors:
        console.print(Text("\nwhere the bad calls are", style="bold"))
        console.print(_errors(found))


def show_forecast(console: Console, found: Forecast) -> None:
    """Print what warm starts would have covered."""
    from rich.text import Text

    from oldhand.cli.bars import coverage_bars

    title = "what a warm start would have covered of your last sessions' calls"
    console.print(Text(f"\n{title}", style="bold"))
    if not found.covered:
        console.print("nothing yet: no session has earlier ones of its project")
        return
    for name, key in (("all calls", "all_calls"), ("the first ten", "first_calls")):
        shares = {item.tokens: getattr(item, key) / 100 for item in found.covered}
        console.print(Text(name))
        console.print(coverage_bars(shares))
    console.print(Text(_NO_PROOF.format(sessions=found.sessions), style="dim"))


def _warm_up(warm_up: Rate) -> str:
    if warm_up.percent is None:
        return "warm-up: no session has more than ten calls"
    said = f"warm-up: {warm_up.percent:+.2f} points more bad calls among a session's first ten"
    interval = warm_up.interval
    if interval is None:
        return f"{said}; too few sessions to say how sure that is"
    said += f" than after [{interval.low:+.2f}, {interval.high:+.2f}]"
    return said if interval.low > 0 else f"{said}; that may be chance"


def _scale(groups: Sequence[Group]) -> float:
    """Return the highest percent that is drawn: small groups may run off it."""
    large = [group for group in groups if group.calls >= _MANY_CALLS] or groups
    rates = [rate for group in large for rate in (group.error, group.negative)]
    ends = [found.interval.high for found in rates if found.interval is not None]
    return max(1.0, *ends, *(found.percent or 0 for found in rates))


def _rates(groups: Sequence[Group], scale: float) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("", "sessions", "calls"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for heading in ("error %", "negative %"):
        table.add_column(heading, justify="right", no_wrap=True)
        table.add_column(f"0 to {scale:.1f} %", no_wrap=True)
    for group in groups:
        cells: list[RenderableType] = [
            Text(plain(group.name)),
            f"{group.sessions:,}",
            f"{group.calls:,}",
        ]
        for found, colour in ((group.error, "red"), (group.negative, "yellow")):
            cells.append(_number(found))
            cells.append(_whisker(found, scale, colour))
        table.add_row(*cells)
    return table


def _number(found: Rate) -> str:
    return _DASH if found.percent is None else f"{found.percent:.2f}"


def _whisker(found: Rate, scale: float, colour: str) -> Text:
    """Draw a rate as a dot, and its interval as a line through it."""
    from rich.text import Text

    line = [" "] * (_WIDTH + 1)
    if found.interval is not None:
        low, high = (_place(value, scale) for value in found.interval)
        line[low : high + 1] = ["─"] * (high + 1 - low)
        line[low], line[high] = "├", "→" if found.interval.high > scale else "┤"
    if found.percent is not None:
        line[_place(found.percent, scale)] = "→" if found.percent > scale else "●"
    return Text("".join(line), style=colour)


def _place(percent: float, scale: float) -> int:
    return min(_WIDTH, round(percent / scale * _WIDTH))


def _errors(found: CallReport) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("tool", "kind of error"):
        table.add_column(heading, no_wrap=True)
    for heading in ("calls", "sessions"):
        table.add_column(heading, justify="right")
    for place in found.errors:
        kind = place.error_kind or "unknown"
        cells = (f"{place.calls:,}", f"{place.sessions:,}")
        table.add_row(Text(plain(place.tool)), kind, *cells)
    return table

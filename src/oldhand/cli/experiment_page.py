"""An experiment as a page for a person: arms, differences with a picture, guardrails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from oldhand.cli.tables import plain, print_table

if TYPE_CHECKING:
    from oldhand.experience.experiment.analysis import Analysis, Comparison
    from oldhand.experience.experiment.guardrails import Guardrail
    from oldhand.experience.experiment.sequence import Look

_HALF_ROWS = 8  # above and below no difference, two in a line
_DIGITS = 3  # of a mean
_DASH = "\N{EN DASH}"
_ARM_COLUMNS = {
    "arm": "arm",
    "chance": "chance",
    "assigned_sessions": "assigned",
    "counted_sessions": "counted",
    "without_calls": "without a call",
    "bad_sessions": "with a bad call",
    "share": "share",
    "bad_calls": "bad calls",
    "given_tokens": "tokens given",
}
_GUARDRAIL_COLUMNS = {
    "measure": "measure",
    "arm": "arm",
    "mean": "mean",
    "cold_mean": "in cold",
    "interval": "difference, about",
    "unknown_sessions": "unknown in",
}


def print_analysis(found: Analysis) -> None:
    """Print what an experiment shows so far."""
    from oldhand.clock import to_iso

    experiment = found.experiment
    state = f"since {to_iso(experiment.started_at_us)[:10]}"
    if experiment.stopped_at_us is not None:
        state += f", stopped {to_iso(experiment.stopped_at_us)[:10]}"
    click.echo(
        f"experiment {experiment.name}, {state}. {plain(experiment.description)}"
    )
    print_table(_arm_rows(found), columns=_ARM_COLUMNS)
    for line in _notes(found):
        click.echo(line)
    for comparison in found.comparisons:
        click.echo()
        _print_comparison(comparison, found)
    known = [each for each in found.guardrails if each.mean is not None]
    if known:
        click.echo("\nbeside it")
        print_table(map(_guardrail_row, known), columns=_GUARDRAIL_COLUMNS)
    click.echo(
        "An interval misses the truth in 5 of 100 experiments at most, however often one\n"
        "looks; that is for each comparison alone. Those beside it are approximate."
    )


def verdict(comparison: Comparison) -> str:
    """Say in a line what a comparison shows, or how much it takes until it does."""
    if comparison.decided_at is not None:
        last = comparison.path[-1]
        better = "fewer" if _middle(comparison) < 0 else "more"
        said = (
            f"{comparison.arm} has {better} sessions with a bad call than "
            f"{comparison.other}: known since session {comparison.decided_at:,}"
        )
        return said if last.is_decided else f"{said}, but not of late"
    if comparison.needed is None:
        return "not enough data: as it looks now, a million more sessions would not do"
    basis = "if the difference is as it looks now"
    if comparison.is_planned:
        basis = "if it halves the share; too few to go by what was seen"
    return (
        f"not enough data: about {_round(comparison.needed):,} more sessions "
        f"({basis}; enough 4 times in 5)"
    )


def interval_lines(path: Sequence[Look]) -> list[str]:
    """Draw the intervals of growing numbers of sessions, one in each column.

    Returns:
        Lines from above to below: a scale in percentage points, and blocks from the low
        to the high end; the line of no difference goes through.
    """
    top = _top(path)
    lines = []
    for row in range(_HALF_ROWS, -_HALF_ROWS - 1, -2):
        label = f"{row / _HALF_ROWS * top * 100:+6.1f}" if row % 4 == 0 else ""
        cells = "".join(_cell(look, row, top / _HALF_ROWS) for look in path)
        lines.append(f"{label:>7} {'┼' if row == 0 else '│'}{cells}")
    first, last = f"{path[0].sessions:,}", f"{path[-1].sessions:,} sessions"
    room = max(1, len(path) - len(first))
    return [*lines, f"{'points':>7}  {first}{last:>{room}}"]


def _top(path: Sequence[Look]) -> float:
    """Return how far the picture goes: as the later half does, and 1 point at least."""
    later = path[len(path) // 2 :]
    return max(0.01, *(max(-look.low, look.high) for look in later))


def _cell(look: Look, row: int, unit: float) -> str:
    """Return a cell two half rows high, whose middle is at `row`."""
    upper = look.low <= (row + 0.5) * unit <= look.high
    lower = look.low <= (row - 0.5) * unit <= look.high
    if row == 0:
        return "▓" if look.low <= 0 <= look.high else "─"
    return {(True, True): "█", (True, False): "▀", (False, True): "▄"}.get(
        (upper, lower), " "
    )


def _print_comparison(comparison: Comparison, found: Analysis) -> None:
    shares = {each.arm: each.bad_share for each in found.arms}
    ours, theirs = shares[comparison.arm], shares[comparison.other]
    click.echo(
        f"{comparison.arm} against {comparison.other}: sessions with a bad call among "
        f"their first {found.experiment.horizon}"
    )
    if comparison.difference is not None and comparison.path:
        low, high = comparison.path[-1][1:]
        click.echo(
            f"  {_percent(ours)} against {_percent(theirs)}: "
            f"{comparison.difference * 100:+.1f} points, "
            f"between {low * 100:+.1f} and {high * 100:+.1f}"
        )
    click.echo(f"  {verdict(comparison)}")
    if len(comparison.path) > 1:
        for line in interval_lines(comparison.path):
            click.echo(f"  {line}")


def _round(count: int) -> int:
    """Keep two digits: more would say that one knows them."""
    unit = int("1".ljust(len(str(count)) - 1, "0"))
    return -(-count // unit) * unit


def _middle(comparison: Comparison) -> float:
    if comparison.difference is not None:
        return comparison.difference
    return comparison.path[-1].low + comparison.path[-1].high


def _arm_rows(found: Analysis) -> list[dict[str, str]]:
    return [
        {
            "arm": each.arm,
            "chance": f"{found.experiment.chance_of(each.arm):.0%}",
            "assigned_sessions": f"{each.assigned:,}"
            + (f" ({each.held_out:,} held out)" if each.held_out else ""),
            "counted_sessions": f"{each.counted:,}",
            "without_calls": f"{each.without_calls:,}",
            "bad_sessions": f"{each.bad_sessions:,}",
            "share": _percent(each.bad_share),
            "bad_calls": f"{each.bad_calls:,} of {each.first_calls:,}",
            "given_tokens": f"{each.given_tokens:,.0f}",
        }
        for each in found.arms
    ]


def _notes(found: Analysis) -> list[str]:
    notes = []
    if found.waiting:
        notes.append(
            f"waiting: {found.waiting:,}; the first of them has not made its first "
            f"{found.experiment.horizon} calls, has not ended and was not silent for a "
            "day,\nand those drawn after it wait with it"
        )
    if found.since_stop:
        later = ", ".join(f"{count:,} {arm}" for arm, count in found.since_stop.items())
        notes.append(f"since it was stopped: {later}; they are not in the comparison")
    return notes


def _guardrail_row(each: Guardrail) -> dict[str, str]:
    interval = "too few"
    if each.low is not None and each.high is not None:
        interval = f"{_short(each.low, '+')} to {_short(each.high, '+')}"
    return {
        "measure": each.measure,
        "arm": each.arm,
        "mean": _DASH if each.mean is None else _short(each.mean),
        "cold_mean": _DASH if each.cold_mean is None else _short(each.cold_mean),
        "interval": interval,
        "unknown_sessions": f"{each.unknown:,}" if each.unknown else "",
    }


def _short(value: float, sign: str = "") -> str:
    is_long = abs(value) >= 10 ** (_DIGITS - 1)
    return f"{value:{sign},.0f}" if is_long else f"{value:{sign}.{_DIGITS}g}"


def _percent(share: float | None) -> str:
    return _DASH if share is None else f"{share:.1%}"

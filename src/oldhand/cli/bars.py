"""Bars for a person to look at: how calls went by tool, and coverage by budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oldhand.cli.tables import plain

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_COLOURS = {
    "ok": "green",
    "empty": "bright_black",
    "negative": "yellow",
    "error": "red",
    "blocked": "magenta",
    "cancelled": "cyan",
    "pending": "blue",
    "unknown": "white",
}
_MARKS = {
    "ok": "█",
    "empty": "▒",
    "negative": "▓",
    "error": "✗",
    "blocked": "■",
    "cancelled": "◌",
    "pending": "…",
    "unknown": "?",
}
_WIDTH = 32
_EIGHTHS = " ▏▎▍▌▋▊▉"


def outcome_bars(outcomes: dict[str, dict[str, int]], *, tools: int = 10) -> Table:
    """Return a bar for each of the most used tools, as long as it was called often.

    An outcome that happened at all takes one place at least: failures are few, and they
    are what one looks for.
    """
    from rich.text import Text

    grid = _grid()
    longest = max((sum(counts.values()) for counts in outcomes.values()), default=1)
    for tool, counts in list(outcomes.items())[:tools]:
        total = sum(counts.values())
        numbers = ", ".join(
            f"{counts[outcome]:,} {outcome}"
            for outcome in _MARKS
            if counts.get(outcome)
        )
        bar = _stacked(counts, _WIDTH * total / longest)
        grid.add_row(Text(plain(tool)), bar, numbers)
    return grid


def coverage_bars(coverage: dict[int, float]) -> Table:
    """Return a bar for each token budget, as long as the share of calls it covers."""
    from rich.text import Text

    grid = _grid()
    for tokens, share in coverage.items():
        bar = Text(_bar(share * _WIDTH).ljust(_WIDTH, "·"), style="green")
        grid.add_row(f"{tokens:,} tokens", bar, f"{share:.0%}")
    return grid


def _grid() -> Table:
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="bold", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(style="dim")  # alone gives way where the terminal is narrow
    return grid


def _stacked(counts: dict[str, int], width: float) -> Text:
    from rich.text import Text

    bar = Text()
    total = sum(counts.values())
    for outcome, mark in _MARKS.items():
        if counts.get(outcome):
            places = max(1, round(width * counts[outcome] / total))
            bar.append(mark * places, style=_COLOURS[outcome])
    return bar


def _bar(places: float) -> str:
    whole, rest = divmod(round(places * 8), 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")

"""What failed and what then worked, as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oldhand.cli.tables import plain

if TYPE_CHECKING:
    from rich.console import Console

    from oldhand.experience.report import RepairReport

_SHAPE_CHARS = 60
_SAME = "the same, with other values or after another step"


def show_repairs(console: Console, found: RepairReport) -> None:
    """Print the repairs that most sessions took."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    console.print(Text("\nwhat failed and what then worked", style="bold"))
    if not found.groups:
        console.print("no failed call is known to have been put right")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("failed", "kind of error", "then worked"):
        table.add_column(heading)
    for heading in ("times", "sessions"):
        table.add_column(heading, justify="right", no_wrap=True)
    for group in found.groups:
        worked = _SAME if group.worked == group.failed else _cut(group.worked)
        texts = (_cut(group.failed), group.error_kind, worked)
        counts = (f"{group.repairs:,}", f"{group.sessions:,}")
        table.add_row(*(Text(plain(text)) for text in texts), *counts)
    console.print(table)


def _cut(shape: str) -> str:
    return shape if len(shape) <= _SHAPE_CHARS else f"{shape[: _SHAPE_CHARS - 1]}…"

"""Tables for a person: in colour on a terminal, plain columns in a pipe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_CONTROL = dict.fromkeys(
    (*range(32), 127, *range(128, 160)), "\N{REPLACEMENT CHARACTER}"
)


def plain(value: object) -> str:
    r"""Write a value as one line that cannot steer the terminal.

    Example:
        >>> plain("a\x1b[31mb\nc")
        'a�[31mb c'
    """
    text = "" if value is None else str(value)
    return text.replace("\n", " ").translate(_CONTROL)


def print_table(rows: Iterable[dict[str, Any]], *, columns: dict[str, str]) -> None:
    """Print the named columns of rows on stdout.

    Args:
        rows: Each with at least the keys of `columns`.
        columns: Heading by key, in the order in which they are shown.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for key, heading in columns.items():
        is_number = key.endswith(("count", "calls", "tokens", "examples"))
        table.add_column(
            heading,
            justify="right" if is_number else "left",
            no_wrap=True,
            overflow="ellipsis",
        )
    for row in rows:
        table.add_row(*(Text(plain(row[key])) for key in columns))
    console = Console()
    if not console.is_terminal:
        console.width = 200
    console.print(table)

"""Tables for a person: in colour on a terminal, plain columns in a pipe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_SHORT_CHARS = 9  # as the longest word for an outcome: it tells most
_GAP_CHARS = 3
_WHOLE = "id"
_MOST_WHOLE_CHARS = 40
_WIDTH_IN_A_PIPE = 200
_NUMBERS = ("count", "calls", "tokens", "examples", "sessions", "usd")


def plain(value: object) -> str:
    r"""Write a value as one line that cannot steer the terminal, and hides nothing.

    Example:
        >>> plain("a\x1b[31mb\tc\nd")
        'a�[31mb c d'
    """
    text = "" if value is None else str(value)
    if text.isprintable():
        return text
    return "".join(map(_shown, text))


def plain_json(value: object, *, indent: int | None = None) -> str:
    r"""Write a JSON value so that it cannot steer the terminal that it is read on.

    What no screen shows is written as an escape, so that the value stays the same.

    Args:
        value: Any JSON value.
        indent: As for `json.dumps`.

    Example:
        >>> print(plain_json({"a": "é\x9b31m\u202e"}))
        {"a": "é\u009b31m\u202e"}
    """
    import json

    text = json.dumps(value, ensure_ascii=False, default=str, indent=indent)
    if text.isascii() or text.isprintable():
        return text.replace("\x7f", "\\u007f")
    return "".join(
        char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1]
        for char in text
    )


def _widest(widths: list[int], room: int) -> int:
    """Return where long columns are cut so that all have room, short ones in full."""
    for limit in range(max(widths), _SHORT_CHARS, -1):
        if sum(min(width, limit) for width in widths) <= room:
            return limit
    return _SHORT_CHARS


def _shown(char: str) -> str:
    if char.isspace():
        return " "
    return char if char.isprintable() else "\N{REPLACEMENT CHARACTER}"


def make_console(*, record: bool = False) -> Console:
    """Return where results are printed: stdout, wide where it is no terminal.

    Args:
        record: Whether what is printed can be exported afterwards.
    """
    from rich.console import Console

    console = Console(record=record)
    if not console.is_terminal:
        console.width = _WIDTH_IN_A_PIPE
    return console


def print_table(
    rows: Iterable[dict[str, Any]],
    *,
    columns: dict[str, str],
    console: Console | None = None,
) -> None:
    """Print the named columns of rows.

    Args:
        rows: Each with at least the keys of `columns`.
        columns: Heading by key, in the order in which they are shown.
        console: By default a new one on stdout.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    console = console or make_console()
    shown = [{key: plain(row[key]) for key in columns} for row in rows]
    widths = {
        key: max(map(len, (heading, *(row[key] for row in shown))))
        for key, heading in columns.items()
    }
    # An id is what is typed into the next command: it is of no use cut.
    whole = min(widths.pop(_WHOLE, 0), _MOST_WHOLE_CHARS)
    room = console.width - _GAP_CHARS * len(columns) - whole
    limit = _widest([0, *widths.values()], room)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for key, heading in columns.items():
        is_number = key.endswith(_NUMBERS)
        table.add_column(
            heading,
            justify="right" if is_number else "left",
            no_wrap=True,
            overflow="ellipsis",
            min_width=whole if key == _WHOLE else None,
            max_width=whole if key == _WHOLE else limit,
        )
    for row in shown:
        table.add_row(*map(Text, row.values()))
    console.print(table)

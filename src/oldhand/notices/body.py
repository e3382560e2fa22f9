"""A long text in a message: as much of its beginning as there is room for.

It is an answer, and not what somebody decides by: so unlike a fact it may be cut, and the
message says how much is missing. Each line begins with a bar, so that none of them can be
taken for one of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from oldhand.notices.units import count_units
from oldhand.notices.visible import visible

BAR = "| "


class Shown(NamedTuple):
    """The part of a text for which there was room.

    Attributes:
        lines: As they are written.
        chars: How many characters of the text they show.
    """

    lines: list[str]
    chars: int


def fit_body(text: str, room: int, escape: Callable[[str], str]) -> Shown:
    r"""Write the beginning of a text.

    Args:
        text: Of any number of lines.
        room: Counted as UTF-16 does, with a line feed after each line.
        escape: For services that read more than letters.

    Example:
        >>> fit_body("one\ntwo", 10, str)
        Shown(lines=['| one', '| t'], chars=5)
    """
    lines: list[str] = []
    chars = 0
    for number, line in enumerate(text.split("\n")):
        written = _written(line, escape)
        taken = count_units(written) + 1
        if taken > room:
            part = _longest(line, room - 1, escape)
            if part:
                lines.append(_written(line[:part], escape))
            return Shown(lines, chars + part + bool(part and number))
        lines.append(written)
        room -= taken
        chars += len(line) + bool(number)
    return Shown(lines, chars)


def _longest(line: str, room: int, escape: Callable[[str], str]) -> int:
    """Return how many characters of a line there is room for, found by halving."""
    low, high = 0, min(len(line), max(0, room))
    while low < high:
        middle = (low + high + 1) // 2
        if count_units(_written(line[:middle], escape)) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def _written(line: str, escape: Callable[[str], str]) -> str:
    return escape(f"{BAR}{visible(line)}".rstrip())

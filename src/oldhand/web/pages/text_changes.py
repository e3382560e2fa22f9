"""Two texts as the lines that went, came and stayed."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Literal, NamedTuple

MOST_LINES = 400
"""Above it nothing is compared, which may take the square of it: all goes, all comes."""


class Line(NamedTuple):
    """One line of a comparison: `-` went, `+` came, ` ` stayed."""

    sign: Literal["-", "+", " "]
    text: str


def changes(before: str, after: str) -> list[Line]:
    r"""Compare two texts; every line of both is in what is returned.

    Example:
        >>> [line.sign + line.text for line in changes("a\nb", "a\nc")]
        [' a', '-b', '+c']
    """
    old, new = before.split("\n"), after.split("\n")
    if len(old) + len(new) > MOST_LINES:
        return [Line("-", text) for text in old] + [Line("+", text) for text in new]
    found: list[Line] = []
    for kind, i, j, k, m in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            found += [Line(" ", text) for text in old[i:j]]
            continue
        found += [Line("-", text) for text in old[i:j]]
        found += [Line("+", text) for text in new[k:m]]
    return found

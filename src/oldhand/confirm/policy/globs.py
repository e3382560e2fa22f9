"""Our globs: `*` is any text, `?` any one character, all else is itself.

No brackets, no braces, no escapes, case matters, and `*` passes over `/` and blanks too.
Matching looks for the pieces between the stars from left to right and never goes back,
so that no value, however long, makes it slow.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class _Piece(NamedTuple):
    """Text between two stars; the pattern is there only for the `?` in it."""

    text: str
    pattern: re.Pattern[str] | None

    def fits_at(self, value: str, at: int) -> bool:
        if self.pattern is None:
            return value.startswith(self.text, at)
        return self.pattern.match(value, at) is not None

    def find(self, value: str, start: int, end: int) -> int:
        if self.pattern is None:
            return value.find(self.text, start, end)
        found = self.pattern.search(value, start, end)
        return found.start() if found else -1


class Glob:
    """A compiled glob.

    Attributes:
        text: As written.
        head: The literal characters before the first wildcard; all, where there is none.
        inside: The longest literal characters between two wildcards or at an end.
        literal_chars: How many characters are no wildcards.

    Example:
        >>> Glob("deploy_*").matches("deploy_web"), Glob("v?.*").matches("v1x")
        (True, False)
    """

    __slots__ = (
        "_first",
        "_last",
        "_least",
        "_middle",
        "head",
        "inside",
        "literal_chars",
        "text",
    )

    def __init__(self, text: str) -> None:
        """Compile it; every text is a glob."""
        self.text = text
        literals = re.split(r"[*?]", text)
        self.head = literals[0]
        self.inside = max(literals, key=len)
        self.literal_chars = len(text) - text.count("*") - text.count("?")
        first, *rest = (_piece(part) for part in text.split("*"))
        self._first = first
        self._last = rest.pop() if rest else None
        self._middle = tuple(piece for piece in rest if piece.text)
        self._least = len(text) - text.count("*")

    @property
    def is_literal(self) -> bool:
        """Whether it has no wildcard, so that it matches itself alone."""
        return len(self.head) == len(self.text)

    def matches(self, value: str) -> bool:
        """Say whether the whole value is of this form."""
        if len(value) < self._least or not self._first.fits_at(value, 0):
            return False
        last = self._last
        if last is None:
            return len(value) == self._least
        at, end = len(self._first.text), len(value) - len(last.text)
        if not last.fits_at(value, end):
            return False
        for piece in self._middle:
            found = piece.find(value, at, end)
            if found < 0:
                return False
            at = found + len(piece.text)
        return True


def _piece(text: str) -> _Piece:
    if "?" not in text:
        return _Piece(text, None)
    # Nothing in it repeats, so the regular expression has nothing to go back over.
    return _Piece(text, re.compile(re.escape(text).replace(r"\?", "."), re.DOTALL))

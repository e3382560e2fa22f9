"""Regular expressions that are compiled when they are first used.

Compiling costs about a third of a millisecond each, and a command that starts a session
needs few of the hundred that rules are written in: compiled on import, they were a third
of the time that `oldhand warm` takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator


class LazyPattern:
    """A regular expression with the methods of `re.Pattern` that rules use.

    Example:
        >>> LazyPattern("a+").findall("aab a")
        ['aa', 'a']
    """

    __slots__ = ("_compiled", "_flags", "_text")

    def __init__(self, text: str, flags: int = 0) -> None:
        """Keep the text; a mistake in it shows when it is first used."""
        self._text = text
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """The compiled pattern."""
        if self._compiled is None:
            self._compiled = re.compile(self._text, self._flags)
        return self._compiled

    def search(self, text: str) -> re.Match[str] | None:
        """Find it anywhere in a text."""
        return self.compiled.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """Find it at the beginning of a text."""
        return self.compiled.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Say whether it is the whole text."""
        return self.compiled.fullmatch(text)

    def findall(self, text: str) -> list[str]:
        """Return all places."""
        return self.compiled.findall(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield all places."""
        return self.compiled.finditer(text)

    def split(self, text: str) -> list[str]:
        """Return what lies between the places."""
        return self.compiled.split(text)

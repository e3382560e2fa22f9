"""The words of a command line, each with its place, so that some can be replaced.

`oldhand.shell` says what a line runs; this says where each word of it stands. What stands
in a substitution or in a string is one word with what it is part of: whoever replaces words
replaces the whole. What is not understood ends the reading, as there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from oldhand.lazy_pattern import LazyPattern
from oldhand.shell.words import Unreadable, WordScanner

_BLANK = LazyPattern(r"(?:[ \t\r]|\\\r?\n)+")
_COMMENT = LazyPattern(r"#[^\n]*")
_HEREDOC = LazyPattern(r"<<(-?)[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([\w.-]+))")
_REDIRECT = LazyPattern(
    r"(?:\d+|\{\w+\})?(?:<<<|&>>?|>>|>\||>&|>(?!\()|<&|<>|<(?![(<]))"
)
_OPERATOR = LazyPattern(r"&&|\|[|&]?|;;?&?|&|\(\(?|\)\)?")

Role = Literal["word", "comment", "body"]


class Word(NamedTuple):
    """One word of a line.

    Attributes:
        start: Where it begins in the line.
        end: Where it ends.
        value: With its quotes removed.
        role: A word; a comment; or the body of a heredoc, without its last line feed.
    """

    start: int
    end: int
    value: str
    role: Role = "word"


def words_in(line: str) -> list[Word] | None:
    """Return the words of a command line in their order; None where it is not plain.

    Example:
        >>> [word.value for word in words_in("git log 'a b' | head") or ()]
        ['git', 'log', 'a b', 'head']
    """
    try:
        return list(_Scanner(line).words())
    except Unreadable:
        return None


class _Scanner(WordScanner):
    """Steps over a line from word to word; the places of substitutions are not kept."""

    def words(self, *, until: str = "") -> Iterator[Word]:
        """Yield the words from here to the end, or to behind a closing bracket."""
        awaited: list[tuple[str, bool]] = []
        while self.pos < len(self.text):
            if found := _HEREDOC.compiled.match(self.text, self.pos):
                self.pos = found.end()
                awaited.append((found[2] or found[3] or found[4], bool(found[1])))
            elif self.text[self.pos] == "\n":
                self.pos += 1
                for end, cuts_tabs in awaited:
                    yield self._body(end, cuts_tabs=cuts_tabs)
                awaited = []
            elif until and self.text.startswith(until, self.pos):
                self.pos += len(until)
                return
            elif found := _COMMENT.compiled.match(self.text, self.pos):
                yield Word(self.pos, found.end(), found[0], "comment")
                self.pos = found.end()
            elif not self._passes():
                start = self.pos
                value = self.word()
                yield Word(start, self.pos, value)
        if until or awaited:
            raise Unreadable

    def _passes(self) -> bool:
        """Step over what is no word, if any is here."""
        for pattern in (_BLANK, _REDIRECT, _OPERATOR):
            if found := pattern.compiled.match(self.text, self.pos):
                self.pos = found.end()
                return True
        return False

    def _body(self, end: str, *, cuts_tabs: bool) -> Word:
        start = self.pos
        while self.pos < len(self.text):
            at = self.pos
            line, newline, _ = self.text[at:].partition("\n")
            self.pos = at + len(line) + len(newline)
            if (line.lstrip("\t") if cuts_tabs else line).rstrip("\r") == end:
                return Word(start, max(start, at - 1), self.text[start:at], "body")
        raise Unreadable

    def read_substitution(self) -> None:
        """Read on to behind the bracket that closes."""
        for _ in self.words(until=")"):
            pass

    def read_script(self, script: str) -> None:
        """Leave the text between backticks as it is: it is part of its word."""

    def read_data(self, data: str) -> None:
        """Leave the text of arithmetic as it is: it is part of its word."""

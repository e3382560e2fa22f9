"""Words with quotes and expansions, read part by part.

Plain words never come here. A value has its quotes removed and keeps expansions as they
were written; commands inside `$(…)`, backticks and `<(…)` are handed to the subclass,
since what stands there is a command line again.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from oldhand.lazy_pattern import LazyPattern


class Unreadable(Exception):
    """The text is not a command line that we understand."""


_PART = re.compile(
    r"""
      ([^\s|&;<>()$`"'\\]++ | [^\S\ \t\r\n]++)   # 1 plain; odd blanks are no blanks
    | '([^']*+)'                                # 2 taken literally
    | "([^"$`\\]*+)"                            # 3 quoted, nothing inside to expand
    | \\(\r?\n|[\s\S])                          # 4 one character, or a continued line
    | \$'((?:[^'\\]|\\[\s\S])*+)'               # 5 with escapes as in C
    | (\$(?:\w++|[?\#@*!$-]|\{\w++\}))          # 6 a variable
    | (`|\$\(\(|\$\(|\$\{|[<>]\()               # 7 opens an expansion
    | \$?(")                                    # 8 opens quotes with expansions inside
    | (\$)                                      # 9 stands for itself
    """,
    re.VERBOSE,
)
_PLAIN, _LITERAL, _QUOTED, _ESCAPE, _ANSI, _VARIABLE, _OPENER, _QUOTE = range(1, 9)

_INSIDE_QUOTES = re.compile(
    r"""([^"$`\\]++) | \\([\s\S]) | (`|\$\(\(|\$\(|\$\{) | (["$\\])""", re.VERBOSE
)
_INSIDE_BRACES = LazyPattern(
    r"""([^}"$`\\]++) | \\([\s\S]) | (`|\$\(\(|\$\(|\$\{) | (["}$])""", re.VERBOSE
)
_INSIDE_BACKTICKS = LazyPattern(r"((?:[^`\\]|\\[\s\S])*+)`")
_BRACKET = LazyPattern(r"[()]")
_EXPANSION = 3
_MAX_NESTING = 20

_ANSI_ESCAPE = LazyPattern(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|([0-7]{1,3})|([\s\S]))"
)
_ANSI_LETTERS = dict(zip("abeEfnrtv", "\a\b\033\033\f\n\r\t\v", strict=True))


class WordScanner(ABC):
    """A position in a text, moved on by the methods that read words."""

    nesting = 0

    def __init__(self, text: str, pos: int = 0) -> None:
        """Stand at `pos`, a number of characters, in `text`."""
        self.text = text
        self.pos = pos

    @abstractmethod
    def read_substitution(self) -> None:
        """Read commands from here to behind their closing `)`."""

    @abstractmethod
    def read_script(self, script: str) -> None:
        """Read the commands of a text that is not part of this one."""

    @abstractmethod
    def read_data(self, data: str) -> None:
        """Read the substitutions in a text that is itself no command line."""

    def word(self) -> str:
        """Read the word that begins here and return its value.

        Raises:
            Unreadable: No word begins here, or a quote is not closed.
        """
        start = self.pos
        values: list[str] = []
        while part := _PART.match(self.text, self.pos):
            self.pos = part.end()
            values.append(self._value(part))
        if self.pos == start:
            raise Unreadable
        return "".join(values)

    def _value(self, part: re.Match[str]) -> str:
        kind = part.lastindex or 0
        if kind == _OPENER:
            return self._expansion(part[kind], part.start())
        if kind == _QUOTE:
            return self.quoted('"')
        if kind == _ESCAPE:
            return "" if part[kind].endswith("\n") else part[kind]
        if kind == _ANSI:
            return _ANSI_ESCAPE.compiled.sub(_ansi_character, part[kind])
        return part[kind]

    def quoted(self, until: str) -> str:
        """Read what stands between double quotes, or a heredoc, whose end is empty."""
        values: list[str] = []
        while part := _INSIDE_QUOTES.match(self.text, self.pos):
            plain, escaped, opener, other = part.groups()
            self.pos = part.end()
            if plain:
                values.append(plain)
            elif escaped:
                kept = "" if escaped in '$`"\\\n' else "\\"
                values.append(kept + escaped.replace("\n", ""))
            elif opener:
                values.append(self._expansion(opener, part.start()))
            elif other == until:
                return "".join(values)
            else:
                values.append(other)
        if until:
            raise Unreadable
        return "".join(values)

    def _expansion(self, opener: str, start: int) -> str:
        """Read on behind an opener and return the whole as written."""
        self.nesting += 1
        if self.nesting > _MAX_NESTING:
            raise Unreadable
        if opener == "`":
            self._backticks()
        elif opener == "${":
            self._braces()
        elif opener != "$((" or not self.arithmetic():
            self.pos = start + 2
            self.read_substitution()
        self.nesting -= 1
        return self.text[start : self.pos]

    def _backticks(self) -> None:
        inside = _INSIDE_BACKTICKS.compiled.match(self.text, self.pos)
        if not inside:
            raise Unreadable
        self.pos = inside.end()
        self.read_script(re.sub(r"\\([\\`$])", r"\1", inside[1]))

    def _braces(self) -> None:
        while part := _INSIDE_BRACES.compiled.match(self.text, self.pos):
            self.pos = part.end()
            if part.lastindex == _EXPANSION:
                self._expansion(part[_EXPANSION], part.start())
            elif part[0] == '"':
                self.quoted('"')
            elif part[0] == "}":
                return
        raise Unreadable

    def arithmetic(self) -> bool:
        """Read to behind the `))` that closes; False, not moving, where none does."""
        start, open_brackets = self.pos, 2
        for bracket in _BRACKET.compiled.finditer(self.text, start):
            open_brackets += 1 if bracket[0] == "(" else -1
            if open_brackets == 1 and bracket[0] == ")":
                if not self.text.startswith(")", bracket.end()):
                    return False
                self.pos = bracket.end() + 1
                self.read_data(self.text[start : bracket.start()])
                return True
        return False


def _ansi_character(escape: re.Match[str]) -> str:
    hexadecimal, unicode, octal, letter = escape.groups()
    if letter:
        return _ANSI_LETTERS.get(letter, letter)
    if octal:
        return chr(int(octal, 8))
    return chr(int(hexadecimal or unicode, 16))

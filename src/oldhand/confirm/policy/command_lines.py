"""Command lines as a rule sees them: what an allow rule must hold, what a deny rule may.

The two ask different questions. An allow rule must be sure of everything that the line
does, so a line that has more in it than plain commands joined by operators offers it
nothing at all: an assignment, a redirect to a file, a function, a loop, a substitution,
`bash -c`, `xargs`, `sudo`. A deny rule must not be got round, so every command of the line,
at any depth, is offered to it in each form in which a pattern may name it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from oldhand.confirm.policy.model import Missing
from oldhand.shell import Command, CommandLine, parse

_CACHED_CHARS = 1000
_MAX_PARTS = 200  # what is longer nobody has written by hand; it is asked

# Between two commands that an allow rule can be sure of: operators, blanks, whole comments.
_GAP = re.compile(r"(?:[ \t\n;&|]++|\\\n|(?:(?<=[\s;&|])|\A)\#[^\n]*+(?:\n|\Z))*+")
_PLAIN_PROGRAM = re.compile(r"[\w./+@%:,-]+(?=[\s;&|<>]|\Z)")
_HARMLESS_REDIRECT = re.compile(
    r"[0-9]?>&[12] | (?:[0-9]|&)?>>?[ \t]*/dev/null | 0?<[ \t]*/dev/null", re.VERBOSE
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_NEEDS_QUOTES = re.compile(r"[\s'\"\\]")
_QUOTING = str.maketrans("", "", "'\"\\")
_WORD = re.compile(r"[\w./+@%:-]+")
_REDIRECT = re.compile(r"([0-9]*&?[<>|&]+)[ \t]*(.*)", re.DOTALL)


class Part(NamedTuple):
    """A command that is all there is of it: its program as written, then its words.

    Attributes:
        text: Words joined by one blank; those with blanks or quotes in them are quoted.
        words: The program as written, then its words.
        subcommand: As in `shell.Command`.
    """

    text: str
    words: tuple[str, ...]
    subcommand: str


class Line:
    """A command line, or what stood where one should; what is asked of it is kept.

    Attributes:
        text: The source.
    """

    def __init__(self, text: str, parsed: CommandLine | None) -> None:
        """Keep the source and what it was taken apart into, None where it cannot be."""
        self.text = text
        self._parsed = parsed

    @property
    def is_readable(self) -> bool:
        """False where it cannot be taken apart with certainty."""
        return self._parsed is not None

    @property
    def commands(self) -> tuple[Command, ...]:
        """Every command of it, at any depth."""
        return self._parsed.commands if self._parsed else ()

    @cached_property
    def parts(self) -> tuple[Part, ...] | None:
        """What an allow rule must hold, or None where none can."""
        return _parts(self.text, self.commands)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """What a deny or ask rule may hold, each command in several forms."""
        forms = (form for command in self.commands for form in _forms(command))
        return tuple(dict.fromkeys(forms))

    @cached_property
    def programs(self) -> frozenset[str]:
        """The first word of each part and form."""
        first = {form.partition(" ")[0] for form in self.forms}
        return frozenset(first.union(part.words[0] for part in self.parts or ()))

    @cached_property
    def bare(self) -> str:
        """The source without quotes and backslashes."""
        return without_quotes(self.text)

    @cached_property
    def names_anywhere(self) -> frozenset[str]:
        """What may be names of programs in a line that cannot be read."""
        words = _WORD.findall(self.bare)
        return frozenset(word.rpartition("/")[2] for word in words)

    @property
    def first_program(self) -> str:
        """The program of the first command that does work; empty where none is known."""
        first = self._parsed.first if self._parsed else None
        return first.program if first else ""


def line_of(value: object) -> Line | None:
    """Take a value as a command line, or as the words of a command.

    Returns:
        None for a field that is not there. What is neither a text nor a list of texts is a
        line that cannot be read.

    Example:
        >>> line_of("cd x && git log -5").parts[1].text
        'git log -5'
        >>> line_of(["rm", "-rf", "/"]).forms[0]
        'rm -rf /'
        >>> line_of("PATH=/tmp git status").parts is None
        True
    """
    if isinstance(value, Missing):
        return None
    if isinstance(value, str):
        return _line_again(value) if len(value) < _CACHED_CHARS else _line(value)
    if isinstance(value, (list, tuple)) and all(isinstance(w, str) for w in value):
        return line_of(shlex.join(value)) if value else None
    return Line(repr(value), None)


def _line(text: str) -> Line:
    return Line(text, parse(text))


# A call's line is asked for by the index, by several rules and by the list.
_line_again = lru_cache(maxsize=4096)(_line)


def without_quotes(text: str) -> str:
    """Return a line without quotes and backslashes, in which `r""m` stands as `rm`."""
    return text.translate(_QUOTING)


def _parts(text: str, commands: tuple[Command, ...]) -> tuple[Part, ...] | None:
    """Return the plain commands, where they and the operators are all there is."""
    if _CONTROL.search(text) or not 0 < len(commands) <= _MAX_PARTS:
        return None
    parts, at = [], 0
    for command in commands:
        at = _end_of_gap(text, at)
        part = _part(command)
        if part is None or not text.startswith(command.text, at):
            return None
        parts.append(part)
        at += len(command.text)
    return tuple(parts) if _end_of_gap(text, at) == len(text) else None


def _end_of_gap(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    return gap.end() if gap else at


def _part(command: Command) -> Part | None:
    first = _PLAIN_PROGRAM.match(command.text)
    if not first or command.depth or command.captured or command.wrappers:
        return None
    program = first[0]
    is_named = program.rpartition("/")[2] == command.program
    if not is_named or not all(map(_HARMLESS_REDIRECT.fullmatch, command.redirects)):
        return None
    words = (program, *command.words)
    # `a=(…)` is an array in bash and a command in zsh; its words are not among ours.
    if command.text.count("(") != sum(word.count("(") for word in words):
        return None
    return Part(" ".join(map(_quoted, words)), words, command.subcommand)


def _quoted(word: str) -> str:
    """Quote what would read as several words, so that no blank in it fits a pattern's."""
    return shlex.quote(word) if not word or _NEEDS_QUOTES.search(word) else word


def _forms(command: Command) -> Iterator[str]:
    names = [*command.wrappers, command.program]
    for start in range(len(names)):
        words = (*names[start:], *command.words)
        plain = " ".join(words).strip()
        yield plain
        yield " ".join(map(_quoted, words))
        if command.redirects:
            yield " ".join((plain, *map(_spaced, command.redirects))).strip()
    yield command.text
    paths = (word for word in command.text.split() if "/" in word)
    for word in paths:
        if word.rpartition("/")[2] == command.program:
            yield " ".join((word, *command.words))


def _spaced(redirect: str) -> str:
    """Write `>file` as `> file`."""
    return _REDIRECT.sub(r"\1 \2", redirect)

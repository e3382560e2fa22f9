"""Patterns for command lines: `git status*`, held against every part of a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from oldhand.confirm.policy.command_lines import (
    Line,
    without_quotes,
)
from oldhand.confirm.policy.globs import Glob
from oldhand.confirm.policy.model import Effect, Test

_PIECES = re.compile(r"[^\s*?]+")


class _Pattern(NamedTuple):
    glob: Glob
    names_parent: bool  # it speaks of `..` itself
    has_path: bool
    pieces: tuple[str, ...]  # its literal words and parts of words


def shell_test(patterns: Sequence[str], effect: Effect) -> Test:
    """Make the test of a rule.

    Args:
        patterns: Globs over commands, each word after one blank.
        effect: An allow rule holds where every part of the line fits a pattern; another
            where any part does, or where the line cannot be read and all words of a
            pattern stand in it.

    Returns:
        A test that takes a `Line`, and says no to whatever else.
    """
    compiled = tuple(map(_compile, patterns))
    if effect == "allow":
        return lambda line: isinstance(line, Line) and _holds_all(compiled, line)
    return lambda line: isinstance(line, Line) and _holds_any(compiled, line)


def program_of(pattern: str) -> str | None:
    """Return the program that a pattern names, or None where a wildcard cuts it.

    Example:
        >>> program_of("git sta*"), program_of("make"), program_of("git*")
        ('git', 'make', None)
    """
    first = pattern.partition(" ")[0]
    return first if first and not {"*", "?"} & set(first) else None


def _compile(pattern: str) -> _Pattern:
    pieces = tuple(_PIECES.findall(without_quotes(pattern)))
    return _Pattern(Glob(pattern), ".." in pattern, "/" in pattern, pieces)


def _holds_all(patterns: tuple[_Pattern, ...], line: Line) -> bool:
    if line.parts is None:
        return False
    return all(
        any(_fits(pattern, part.text) for pattern in patterns) for part in line.parts
    )


def _fits(pattern: _Pattern, text: str) -> bool:
    if pattern.has_path and not pattern.names_parent and climbs(text):
        return False
    return pattern.glob.matches(text)


_CLIMBS = re.compile(r"(?:\A|[\s/\\='\":])\.\.(?:[\s/\\'\":]|\Z)")


def climbs(text: str) -> bool:
    """Say whether a path in it goes up: `/srv/app/*` does not mean `/srv/app/../etc`.

    Example:
        >>> climbs("cat /srv/app/../etc/passwd"), climbs("git diff main..topic")
        (True, False)
    """
    return ".." in text and _CLIMBS.search(text) is not None


def _holds_any(patterns: tuple[_Pattern, ...], line: Line) -> bool:
    if not line.is_readable:
        return any(_may_be_in(pattern, line) for pattern in patterns)
    # The blank lets `rm *` name the `rm` that xargs gives its words to.
    return any(
        pattern.glob.matches(form) or pattern.glob.matches(form + " ")
        for pattern in patterns
        for form in line.forms
    )


def _may_be_in(pattern: _Pattern, line: Line) -> bool:
    """Say whether all words of a pattern stand in a line that cannot be read."""
    pieces = pattern.pieces
    if pieces and program_of(pattern.glob.text):
        if pieces[0].rpartition("/")[2] not in line.names_anywhere:
            return False
        pieces = pieces[1:]
    return all(piece in line.bare for piece in pieces)

"""A command line as the commands that run, each with how it hangs on the one before."""

from __future__ import annotations

from typing import NamedTuple

from oldhand.shell import Command, parse

_MOST_CHARS = 20_000


class Part(NamedTuple):
    """One command of a line.

    Attributes:
        depth: 0 at the top; more within a substitution or a script given to a shell.
        joined: How it hangs on the one before, in words.
        wrappers: What runs it, as `sudo`.
    """

    depth: int
    joined: str
    program: str
    text: str
    wrappers: str
    redirects: str
    stdin: str


def parts_of(line: str) -> tuple[Part, ...] | None:
    """Take a command line apart; None where that cannot be done, or it is very long.

    Example:
        >>> [part.program for part in parts_of("cd x && sudo make") or ()]
        ['cd', 'make']
    """
    parsed = parse(line) if len(line) <= _MOST_CHARS else None
    return None if parsed is None else tuple(map(_part, parsed.commands))


_JOINED = {
    "&&": "then, if that worked",
    "||": "then, if that failed",
    ";": "then",
    "\n": "then",
    "|": "given the output of that",
    "|&": "given all output of that",
    "&": "at the same time",
}


def _part(command: Command) -> Part:
    return Part(
        depth=command.depth,
        joined=_JOINED.get(command.before, "within it" if command.depth else ""),
        program=command.program,
        text=command.text,
        wrappers=", ".join(command.wrappers),
        redirects=", ".join(command.redirects),
        stdin=command.stdin,
    )

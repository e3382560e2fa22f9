"""Which lines are complaints: of the shell, of a program by name, of a wrong call."""

from __future__ import annotations

from oldhand.sessions.outcome import signs
from oldhand.sessions.outcome.case import Case

_OPENING_LINES = 3


def complains(case: Case, line: str) -> bool:
    """Say whether a line is a complaint; programs are believed when they sign it."""
    if not line:
        return False
    if signs.SHELL_COMPLAINT.match(line) or signs.USAGE_COMPLAINT.match(line):
        return True
    name, colon, rest = line.partition(": ")
    if not colon:
        return False
    names = case.programs.names
    if name in {"fatal", "error"}:
        return "git" in names
    return name.rpartition("/")[2] in names and holds_any(rest, signs.TROUBLE)


def is_misuse(case: Case) -> bool:
    """Say whether the output opens with the complaint of a program called wrongly."""
    if "timed out" in case.head:
        return True
    lines = [line for line in case.head.splitlines() if line.strip()]
    return any(
        signs.SHELL_COMPLAINT.match(line)
        or signs.USAGE_COMPLAINT.match(line)
        or holds_any(line, signs.MISUSE)
        for line in lines[:_OPENING_LINES]
    )


def first_line(case: Case) -> str:
    """Return the first line of what was printed, of at most 400 characters."""
    return case.head.partition("\n")[0].strip()


def last_line(case: Case) -> str:
    """Return the last line of what was printed, of at most 1,500 characters."""
    return case.tail.rpartition("\n")[2].strip()


def holds_any(text: str, words: tuple[str, ...]) -> bool:
    """Say whether a text holds any of the words."""
    for word in words:  # noqa: SIM110 - a third of the time of any(), in the hottest place
        if word in text:
            return True
    return False

"""Matchers for what happens to files: deleted, overwritten, opened to others.

Each takes a command and its line and says whether the rule matches. They are called for
every call of a session, so the common answer, no, comes first.
"""

from __future__ import annotations

from oldhand.lazy_pattern import LazyPattern
from oldhand.risk import paths
from oldhand.risk.options import has_long, has_short, operands
from oldhand.shell import Command, CommandLine

_MODE_FOR_ALL = LazyPattern(r"[0-7]?[0-7]{2}[2367]|[ugo]*[ao][ugo]*[+=][rxXst]*w\w*")
_SET_ID = LazyPattern(r"[2467][0-7]{3}|[ugoa]*[+=]\w*s\w*")
_ASKS = frozenset({"--help", "--version"})
_EVERYTHING = frozenset({".", "./", ":/", "*", "..", ":/*", "./*"})


def deletes_widely(command: Command, _line: CommandLine) -> bool:
    """More than single named files: a tree, a pattern, a home, or what a pipe names."""
    targets = operands(command)
    if not targets:
        return _ASKS.isdisjoint(command.words)
    recursive = has_short(command.words, "rR") or has_long(command.words, "--recursive")
    if recursive and not all(map(paths.is_temporary, targets)):
        return True
    return any(map(paths.is_wide, targets))


def writes_device(command: Command, _line: CommandLine) -> bool:
    """`dd of=/dev/sda`."""
    return any(w[:3] == "of=" and paths.is_device(w[3:]) for w in command.words)


def redirects_to_device(command: Command, _line: CommandLine) -> bool:
    """`> /dev/sda`."""
    return any(paths.is_device(_target(redirect)) for redirect in command.redirects)


def redirects_to_system(command: Command, _line: CommandLine) -> bool:
    """`>> ~/.bashrc`."""
    return any(paths.is_system(_target(redirect)) for redirect in command.redirects)


def writes_to_system(command: Command, _line: CommandLine) -> bool:
    """`cp x /etc/hosts`: the last operand is written, and every operand of `tee`."""
    targets = operands(command)
    if command.program == "sed" and not has_short(command.words, "i"):
        return False
    written = targets if command.program in {"tee", "sed", "mv"} else targets[-1:]
    return any(paths.is_system(word.removeprefix("of=")) for word in written)


def opens_to_all(command: Command, _line: CommandLine) -> bool:
    """Lets everybody write, or a program run as its owner."""
    return any(
        _MODE_FOR_ALL.fullmatch(part) or _SET_ID.fullmatch(part)
        for word in command.words[:3]
        for part in word.split(",")
    )


def discards_all(command: Command, _line: CommandLine) -> bool:
    """`git checkout .`, `git restore '*'`, `git checkout -f`."""
    words = command.words
    if "--staged" in words and "--worktree" not in words:
        return False
    if not _EVERYTHING.isdisjoint(words):
        return True
    forces = has_long(words, "--force") or has_long(words, "--discard-changes")
    return command.subcommand != "restore" and (forces or has_short(words, "f"))


def _target(redirect: str) -> str:
    operator, _, target = redirect.rpartition(">")
    return target.lstrip("|& \t") if operator or redirect[:1] == ">" else ""

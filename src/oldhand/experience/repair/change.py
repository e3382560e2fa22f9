"""What changed between a call that failed and the one that worked, in a few short lines.

    command: "go tset" → "go test"
    + limit: 50
    - glob: "*.go"

Of a changed text only the part that differs is shown, of a command line the words. Both
calls were redacted before: a secret cut in two would not be known as one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from oldhand.sessions.known_tools import command_of
from oldhand.shell import parse

_MOST_LINES = 4
_VALUE_CHARS = 90
_CONTEXT_WORDS = 1
_CONTEXT_CHARS = 10
_MAX_PARSED_CHARS = 2_000
_UNTELLING_KEYS = frozenset(("description",))
_BOUNDARIES = frozenset(" \t\n/\"'`,;:()[]{}=")


def changes(
    tool: str, failed: Mapping[str, Any], worked: Mapping[str, Any]
) -> list[str]:
    """Say what changed, at most four lines; the shortest values first.

    Args:
        tool: The tool of both calls.
        failed: The arguments of the call that failed, redacted.
        worked: Of the one that worked, redacted.

    Example:
        >>> changes("Bash", {"command": "go tset ./..."}, {"command": "go test ./..."})
        ['command: "go tset ./..." → "go test ./..."']
        >>> changes("Read", {"path": "/srv/src/a.py", "n": 1}, {"path": "/srv/lib/a.py"})
        ['- n: 1', 'path: "/srv/src/a.py" → "/srv/lib/a.py"']
    """
    found = list(_lines(tool, failed, worked))
    if len(found) > _MOST_LINES:
        kept = sorted(found, key=len)[: _MOST_LINES - 1]
        return [*kept, f"… {len(found) - len(kept)} more"]
    return found


def _lines(
    tool: str, failed: Mapping[str, Any], worked: Mapping[str, Any]
) -> Iterator[str]:
    command = command_of(tool, failed), command_of(tool, worked)
    for key in sorted({*failed, *worked} - _UNTELLING_KEYS):
        old, new = failed.get(key), worked.get(key)
        if key not in worked:
            yield f"- {key}: {_shown(old)}"
        elif key not in failed:
            yield f"+ {key}: {_shown(new)}"
        elif isinstance(old, str) and isinstance(new, str) and old != new:
            shown = (
                _words_apart(old, new) if (old, new) == command else _apart(old, new)
            )
            yield f"{key}: {' → '.join(map(_shown, shown))}"
        elif old != new:
            yield f"{key}: {_shown(old)} → {_shown(new)}"


def _words_apart(old: str, new: str) -> tuple[str, str]:
    """Return the words of two command lines that differ, with a word around them."""
    one, other = _words(old), _words(new)
    start, end = _common(one, other)
    start = max(0, start - _CONTEXT_WORDS)
    end = max(0, end - _CONTEXT_WORDS)
    return _middle(one, start, end), _middle(other, start, end)


def _words(command: str) -> list[str]:
    """Return the words of a command line, those in quotes whole where it can be parsed."""
    line = parse(command) if len(command) <= _MAX_PARSED_CHARS else None
    if line is None or not all(part.text in command for part in line.commands):
        return command.split()
    words: list[str] = []
    for part in line.commands:
        if part.depth == 0:
            quoted = (quote(word) if " " in word else word for word in part.words)
            words += [part.before, part.program, *quoted, *part.redirects]
    return [word for word in words if word.strip()]


def _middle(words: Sequence[str], start: int, end: int) -> str:
    shown = " ".join(words[start : len(words) - end])
    return f"{'… ' if start else ''}{shown}{' …' if end else ''}"


def _apart(old: str, new: str) -> tuple[str, str]:
    """Return the parts of two texts that differ, with a little around them."""
    start, end = _common(old, new)
    start = max(0, start - _CONTEXT_CHARS)
    end = max(0, end - _CONTEXT_CHARS)
    while start and old[start - 1] not in _BOUNDARIES:
        start -= 1
    while end and old[len(old) - end] not in _BOUNDARIES:
        end -= 1
    shown = (text[start : len(text) - end] for text in (old, new))
    marks = "…" if start else "", "…" if end else ""
    one, other = (f"{marks[0]}{text}{marks[1]}" for text in shown)
    return one, other


def _common(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return how much of two sequences is the same at the start, and then at the end."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    left = most - start
    end = next((at for at in range(left) if old[-1 - at] != new[-1 - at]), left)
    return start, end


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= _VALUE_CHARS:
        return text
    return text[: _VALUE_CHARS - 1] + "…"

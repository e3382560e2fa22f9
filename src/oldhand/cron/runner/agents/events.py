"""Lines of JSON from a program that we do not know: no value is taken for what it is not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from oldhand.ledger.checks import MAX_DOLLARS, MAX_NAME_CHARS

_MAX_LINE_CHARS = 8 * 1024 * 1024
"""Of one event; a longer line is kept in the run's output, and not understood."""
_MAX_COUNT = 10**12

Event = dict[str, Any]


class JsonLines:
    r"""Cuts text into lines, and hands on those that hold an object.

    Example:
        >>> lines = JsonLines(lambda event: f"saw {event['type']}\n")
        >>> lines.hear('{"type": "a"}\n{"ty'), lines.hear('pe": "b"}\nnone\n')
        ('saw a\n', 'saw b\nnone\n')
    """

    def __init__(self, take: Callable[[Event], str]) -> None:
        """Begin; `take` gets an event and returns what is kept of it."""
        self._take = take
        self._parts: list[str] = []
        self._chars = 0

    def hear(self, text: str) -> str:
        """Take a piece of text, and return what is kept of the lines that it ends."""
        *ended, rest = text.split("\n")
        said = []
        for line in ended:
            said.append(self._line("".join((*self._parts, line))))
            self._parts, self._chars = [], 0
        self._parts.append(rest)
        self._chars += len(rest)
        if self._chars > _MAX_LINE_CHARS:
            said.append("".join(self._parts))
            self._parts, self._chars = [], 0
        return "".join(said)

    def rest(self) -> str:
        """Return what is kept of a last line without an end."""
        line = "".join(self._parts)
        self._parts, self._chars = [], 0
        return self._line(line) if line.strip() else ""

    def _line(self, line: str) -> str:
        try:
            event = orjson.loads(line)
        except orjson.JSONDecodeError:
            event = None
        return self._take(event) if isinstance(event, dict) else f"{line}\n"


def object_in(value: object, key: str) -> Event:
    """Return the object under a key; an empty one where there is none."""
    held = value.get(key) if isinstance(value, dict) else None
    return held if isinstance(held, dict) else {}


def objects_in(value: object, key: str) -> Iterator[Event]:
    """Yield the objects of the list under a key."""
    held = value.get(key) if isinstance(value, dict) else None
    if isinstance(held, list):
        yield from (each for each in held if isinstance(each, dict))


def text_in(value: object, key: str) -> str:
    """Return the text under a key; "" where there is none."""
    held = value.get(key) if isinstance(value, dict) else None
    return held if isinstance(held, str) else ""


def name_in(value: object, key: str) -> str | None:
    """Return a name as the ledger takes it; None where there is none."""
    held = text_in(value, key).strip()
    is_name = held.isprintable() and 0 < len(held) <= MAX_NAME_CHARS
    return held if is_name else None


def count_in(value: object, key: str) -> int | None:
    """Return a whole number from 0; None where there is none."""
    held = value.get(key) if isinstance(value, dict) else None
    return held if type(held) is int and 0 <= held <= _MAX_COUNT else None


def dollars_in(value: object, key: str) -> float | None:
    """Return an amount from 0; None where there is none."""
    held = value.get(key) if isinstance(value, dict) else None
    if isinstance(held, bool) or not isinstance(held, int | float):
        return None
    is_amount = math.isfinite(held) and 0 <= held <= MAX_DOLLARS
    return float(held) if is_amount else None


def shown(value: object) -> str:
    """Write a value as JSON, on one line."""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:  # it can be read nested deeper than written
        return "…"

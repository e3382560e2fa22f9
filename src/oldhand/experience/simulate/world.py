"""A small world of tools: most take a date as one would guess, a few do not."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Arguments = dict[str, Any]
_FIRST_DAY_S = 1_767_225_600  # 2026-01-01
_DAY_S = 86_400
DAYS = 28

FORMS: dict[str, Callable[[int], Arguments]] = {
    "iso": lambda day: {"date": f"2026-01-{day:02}"},
    "seconds": lambda day: {"date": _FIRST_DAY_S + (day - 1) * _DAY_S},
    "range": lambda day: {"start": f"2026-01-{day:02}", "end": f"2026-01-{day + 1:02}"},
    "parts": lambda day: {"year": 2026, "month": 1, "day": day},
}
"""The ways in which a tool may want to be told a day, the one that is guessed first."""

USUAL = "iso"
_NOUNS = "orders refunds shifts visits meals trips calls rooms"


class World(NamedTuple):
    """Which form each tool takes."""

    forms: Mapping[str, str]

    @property
    def tools(self) -> list[str]:
        """The names of its tools."""
        return list(self.forms)

    def answer(self, tool: str, arguments: Arguments) -> str:
        """Return what a tool answers; an error says what is wrong, not what is right."""
        form = form_of(arguments)
        if form != self.forms[tool]:
            given = ", ".join(sorted(arguments))
            return f"Error: invalid arguments for {tool}: {given}"
        return f'{{"tool": "{tool}", "rows": {len(tool)}}}'


def make_world(*, verb: str, odd: int, rng: random.Random) -> World:
    """Make a world of eight tools.

    Args:
        verb: Begins the tools' names, so that two worlds can share none.
        odd: How many of them do not take the usual form, 0 to 8.
        rng: Draws which, and what they take instead.
    """
    tools = [f"{verb}_{noun}" for noun in _NOUNS.split()]
    others = [form for form in FORMS if form != USUAL]
    unusual = set(rng.sample(tools, odd))
    return World(
        {tool: rng.choice(others) if tool in unusual else USUAL for tool in tools}
    )


def form_of(arguments: Mapping[str, Any]) -> str | None:
    """Return the form that arguments have; None where they have none of them.

    Example:
        >>> form_of({"date": 1767225600}), form_of({"when": "today"})
        ('seconds', None)
    """
    kinds = {key: type(value) for key, value in arguments.items()}
    for form, make in FORMS.items():
        if {key: type(value) for key, value in make(1).items()} == kinds:
            return form
    return None

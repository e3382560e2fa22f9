"""A placebo: a warm start as long as the real one, of examples that do not help.

What a warm start does may come of what it shows, or of its being there at all: more text,
another tone, a reminder that tools exist. So one arm is given calls of other projects whose
shapes were never seen in this one and are not in the warm start. Where these do not fill
half of the room, calls of tools that nobody has are made up and shown besides; in native
turns they cannot be, as providers reject calls of tools that a session does not have.
All guards of a warm start hold here as well: of other principals what two of them did, no
literals where it is to be general, no call that the session's tools do not take.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from oldhand.errors import NothingToLearn
from oldhand.experience.candidates import Budget
from oldhand.experience.example import Example
from oldhand.experience.harmless import IsRisky
from oldhand.experience.mine import Wish, mine
from oldhand.experience.pool import Scope
from oldhand.experience.render import DEFAULT_RESULT_CHARS, fit_messages, fit_text
from oldhand.experience.warm import WarmRequest, WarmStart
from oldhand.sessions.shape import shape_of
from oldhand.store import Queries, Store
from oldhand.tokens import estimate

_SQL = Queries(__package__)
_CHOSEN_BEYOND_ROOM = 1.3  # prices in the pool are estimates, and some will not fit
_ENOUGH = 0.5
_MADE_UP = (
    ("tide_table", "port", "high water {0:02}:{1:02}, {2} m; low water {3:02}:{1:02}"),
    ("bird_log", "wood", "{2} wrens, {0} siskins, {1} sparrows; wind from the west"),
    ("star_chart", "town", "Vega rises {0:02}:{1:02}, altitude {3} degrees"),
    ("recipe_index", "market", "{0} kinds of cheese, {3} of apples, bread at {2}"),
)
_PLACES = [
    "Brest",
    "Tralee",
    "Vigo",
    "Bergen",
    "Lerwick",
    "Oban",
    "Ystad",
    "Cork",
    "Hythe",
    "Rye",
    "Wick",
    "Deal",
]


class Placebo(NamedTuple):
    """What a session in the placebo's arm is given.

    Attributes:
        start: As long as the warm start, or shorter.
        note: What it is made of, for the log.
    """

    start: WarmStart
    note: str


def placebo_for(
    store: Store, request: WarmRequest, warm: WarmStart, *, is_risky: IsRisky
) -> Placebo:
    """Make a placebo in the place of a warm start.

    Args:
        store: Where the sessions are.
        request: What the warm start was made for.
        warm: The warm start that another arm would be given.
        is_risky: Which calls are never shown.
    """
    elsewhere = _elsewhere(store, request, warm, is_risky=is_risky)
    start = _rendered(request, warm, elsewhere)
    if start.tokens >= _ENOUGH * warm.tokens or request.target != "text":
        return Placebo(start, f"{len(start.examples)} calls of other projects")
    start = _rendered(request, warm, (*elsewhere, *_made_up()))
    made_up = sum(1 for example in start.examples if not example.session)
    kept = len(start.examples) - made_up
    return Placebo(start, f"{kept} calls of other projects, {made_up} made up")


def _elsewhere(
    store: Store, request: WarmRequest, warm: WarmStart, *, is_risky: IsRisky
) -> tuple[Example, ...]:
    """Choose calls of other projects that are like none of this one."""
    limits = {"project": request.project, "max_sessions": request.scope.max_sessions}
    rows = store.query_all(
        _SQL["sessions_elsewhere"], limits | {"before_us": request.scope.before_us}
    )
    if not rows:
        return ()
    near = {row[0] for row in store.query_all(_SQL["shapes_of_project"], limits)}
    near.update(_shape(example) for example in warm.examples)

    def is_near_or_risky(tool: str, arguments: Mapping[str, Any]) -> bool:
        return shape_of(tool, arguments).shape in near or is_risky(tool, arguments)

    wish = Wish(
        scope=Scope(
            uids=tuple(row[0] for row in rows),
            tools=request.tools,
            before_us=request.scope.before_us,
            # Sessions that were named for the warm start are not the ones that are shown.
            own=request.scope.own or request.principal,
        ),
        budget=Budget(tokens=round(warm.tokens * _CHOSEN_BEYOND_ROOM)),
        result_chars=2 * DEFAULT_RESULT_CHARS,
        definitions=request.definitions,
        generalises=request.generalises,
    )
    try:
        return mine(store, wish, is_risky=is_near_or_risky).examples
    except NothingToLearn:
        return ()


def _shape(example: Example) -> str:
    return shape_of(example.tool, json.loads(example.arguments)).shape


def _rendered(
    request: WarmRequest, warm: WarmStart, examples: tuple[Example, ...]
) -> WarmStart:
    """Render as many examples as take the room that the warm start takes."""
    base = WarmStart(None, warm.target, 0, None, 0, None, ())
    if warm.target == "text":
        text, tokens, kept = fit_text(
            examples,
            budget_tokens=warm.tokens,
            estimate=estimate,
            max_chars=request.max_chars,
        )
        return base._replace(text=text, tokens=tokens, examples=kept)
    messages, tokens, kept = fit_messages(
        examples,
        budget_tokens=warm.tokens,
        target=warm.target,
        tools=request.tools,
        estimate=estimate,
    )
    return base._replace(messages=messages, tokens=tokens, examples=kept)


def _made_up() -> Iterator[Example]:
    """Make up calls that help with nothing, the same every time."""
    for number, (place, (tool, key, told)) in enumerate(product(_PLACES, _MADE_UP)):
        hour, minute = 1 + number % 11, number * 7 % 60
        result = told.format(hour, minute, f"{2 + number % 5}.{number % 10}", 12 + hour)
        yield Example(
            tool=tool,
            arguments=json.dumps({key: place}),
            result=result,
            result_chars=len(result),
            shape=shape_of(tool, {key: place}).flags,
            outcome="ok",
        )

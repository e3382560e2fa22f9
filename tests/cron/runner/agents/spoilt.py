"""Values with something else in some places, as hostile or careless programs write them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

Place = tuple[Any, ...]

JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        -1,
        1.5,
        10**30,
        float("inf"),
        "",
        "x",
        "a\nb",
        [],
        ["x"],
        {},
        {"x": []},
    ]
)


def spoilt(value: Any) -> st.SearchStrategy[Any]:
    """Return values of the same shape, but for some places."""
    places = list(_places(value))
    changes = st.lists(st.tuples(st.sampled_from(places), JUNK), min_size=1, max_size=4)
    return changes.map(lambda found: _changed(value, found))


def _changed(value: Any, changes: list[tuple[Place, Any]]) -> Any:
    made = copy.deepcopy(value)
    for place, junk in sorted(changes, key=lambda change: -len(change[0])):
        held = made
        for key in place[:-1]:
            held = held[key]
        held[place[-1]] = junk
    return made


def _places(value: Any, place: Place = ()) -> Iterator[Place]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, held in pairs:
        yield (*place, key)
        if isinstance(held, dict | list):
            yield from _places(held, (*place, key))

"""Which calls may be shown: those that are not risky, as they were weighed before or are now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from oldhand.canonical_json import digest
from oldhand.experience.shown import ShownCalls
from oldhand.sessions.arguments import arguments_in
from oldhand.store import Queries, Store

_SQL = Queries(__package__)

IsRisky = Callable[[str, Mapping[str, Any]], bool]
"""Says whether a call, tool and arguments, must not be shown."""


def is_harmless(
    store: Store, call: int, *, is_risky: IsRisky, shown: ShownCalls
) -> bool:
    """Say whether a call is there, and may be shown.

    Args:
        store: Where it is.
        call: Its key.
        is_risky: Which calls are never shown.
        shown: Knows how it was weighed before, and is told now.
    """
    row = store.query_one(_SQL["call_to_weigh"], {"id": call})
    if row is None:
        return False
    known = digest(list(row))
    weighed = shown.is_risky(call, known)
    if weighed is None:
        weighed = is_risky(row[0], arguments_in(row[1]))
        shown.add_weighed(call, known, is_risky=weighed)
    return not weighed

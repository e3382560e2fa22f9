"""Coverage by rendered tokens: what `oldhand warm` itself gives a session, end to end.

Every session from the 21st on gets a warm start made by the product from the sessions that
began before it, its principal and its task known; then its own calls are held against the
shapes in it. Nothing is priced here: the block is as long as it is.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from oldhand.experience.pool import Scope
from oldhand.experience.warm import WarmRequest, warm_start
from oldhand.sessions.importers import find_units, import_units, source_named
from oldhand.sessions.known_tools import is_idle
from oldhand.sessions.read import SessionSummary, recent_sessions
from oldhand.sessions.read_calls import JudgedCall, iterate_calls
from oldhand.sessions.shape import shape_of
from oldhand.store import Store, open_database

TOKENS = (500, 1_000, 1_500, 2_000, 4_000)
_NOT_DONE = frozenset({"blocked", "cancelled", "pending"})
_EARLY_CALLS = 10


class Served(NamedTuple):
    """What one session was given, and how much of what it did that covered."""

    at: int
    tokens: int
    examples: int
    all_calls: float
    first_calls: float


def measure_rendered(directory: Path, *, first: int) -> dict[int, list[Served]]:
    """Serve every session from number `first`; return by budget what came of it."""
    store = open_database(":memory:")
    import_units(store, find_units(source_named("claude-code"), [directory]))
    found: dict[int, list[Served]] = {tokens: [] for tokens in TOKENS}
    for at, session in enumerate(_oldest_first(store)):
        shapes = _shapes_of(store, session)
        if at >= first and shapes:
            for tokens in TOKENS:
                found[tokens].append(_serve(store, session, shapes, at, tokens=tokens))
    store.close()
    return found


def table(found: dict[int, list[Served]], *, from_at: int) -> list[dict[str, Any]]:
    """Return a row for each budget: means over the sessions from number `from_at`."""
    rows = []
    for budget, served in found.items():
        part = [one for one in served if one.at >= from_at]
        rows.append(
            {
                "budget": budget,
                "sessions": len(part),
                "rendered": round(statistics.fmean(one.tokens for one in part)),
                "examples": round(statistics.fmean(one.examples for one in part), 1),
                "all": round(100 * statistics.fmean(o.all_calls for o in part), 1),
                "first": round(100 * statistics.fmean(o.first_calls for o in part), 1),
            }
        )
    return rows


def _oldest_first(store: Store) -> Iterator[SessionSummary]:
    found = recent_sessions(store, limit=1_000_000)
    yield from sorted(found, key=lambda one: (one.started_at_us, one.uid))


def _shapes_of(store: Store, session: SessionSummary) -> list[str]:
    return [
        shape_of(call.tool, orjson.loads(call.arguments)).shape
        for call in iterate_calls(store, session=session)
        if _is_work(call)
    ]


def _is_work(call: JudgedCall) -> bool:
    return call.outcome not in _NOT_DONE and not is_idle(call.tool)


def _serve(
    store: Store, session: SessionSummary, shapes: list[str], at: int, *, tokens: int
) -> Served:
    warm = warm_start(
        store,
        WarmRequest(
            scope=Scope(before_us=session.started_at_us),
            task=session.task or "",
            principal=session.principal,
            tokens=tokens,
        ),
    )
    shown = {
        shape_of(example.tool, orjson.loads(example.arguments)).shape
        for example in warm.examples
    }
    covered = [shape in shown for shape in shapes]
    return Served(
        at,
        warm.tokens,
        len(warm.examples),
        statistics.fmean(covered),
        statistics.fmean(covered[:_EARLY_CALLS]),
    )

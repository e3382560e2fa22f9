"""Find sessions by what was said in them.

The search first indexes what was appended since the last one, so it never misses what was
there before it. Hits are grouped by session; a session stands where its best message does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TypedDict, Unpack

from oldhand.clock import from_iso, to_iso
from oldhand.errors import InvalidInput
from oldhand.sessions.keys import MAX_SEQ
from oldhand.sessions.model import OUTCOMES
from oldhand.sessions.search.index import index_pending
from oldhand.sessions.search.query import SearchQuery, parse_query
from oldhand.sessions.search.rarity import counts_of
from oldhand.sessions.search.snippet import snippet
from oldhand.sessions.search.source import read_sources
from oldhand.store import Queries, Row, Store

RANKED_MESSAGES = 2_000
"""Of a query with more hits, the newest are ranked, and whole sessions of them."""
_RANKED_A_SESSION = 100
_SQL = Queries("oldhand.sessions")


class Filters(TypedDict, total=False):
    """Which messages count as hits; what is not given or None lets all through."""

    source: str | None
    """Of sessions of this agent."""
    project: str | None
    """Of sessions of this project."""
    tool: str | None
    """That make a call of this tool, or hold its result."""
    outcome: str | None
    """That make a call that went so, or hold its result."""
    since: str | None
    """From this time on, ISO 8601."""
    until: str | None
    """Before this time, ISO 8601."""


@dataclass(slots=True, frozen=True)
class Found:
    """A session with at least one hit.

    Attributes:
        uid: The session's.
        source: The agent it came from.
        project: Where it worked.
        started_at_us: Microseconds since 1970-01-01 UTC.
        hits: How many of its messages fit.
        role: Who said the best one.
        seq: That message's place in the session, from 1.
        snippet: A part of that message, redacted, hits between « and ».
        score: How well that message fits, above 0; comparable within one search only.
    """

    uid: str
    source: str
    project: str | None
    started_at_us: int
    hits: int
    role: str
    seq: int
    snippet: str
    score: float

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it, the time as ISO 8601."""
        values = {
            name.removesuffix("_us"): value for name, value in asdict(self).items()
        }
        values["started_at"] = to_iso(self.started_at_us)
        return values


def search_sessions(
    store: Store,
    query: str,
    *,
    limit: int = 20,
    fill: bool = True,
    progress: Callable[[int], None] | None = None,
    **filters: Unpack[Filters],
) -> list[Found]:
    """Find sessions in which a message holds all that the query asks for.

    Args:
        store: Where they are.
        query: Words, "phrases", beginnings*, and -words that must not be in the message.
        limit: At most so many sessions.
        fill: Index what waits first; False to search what is indexed.
        progress: Called with the number of messages indexed, where some waited.
        filters: As in `Filters`: source, project, tool, outcome, since, until.

    Returns:
        The best first; of equals the one that changed last.

    Raises:
        InvalidInput: The query has no word to look for, or a filter is none.
        StoreReadOnly: Messages wait for being indexed, and nothing can be written.
    """
    wanted = parse_query(query)
    values = _checked(filters) | {
        "match": wanted.as_fts5(),
        "tsquery": wanted.as_tsquery(),
        "ranked": max(RANKED_MESSAGES, limit * _RANKED_A_SESSION),
        "limit": limit,
    }
    if fill:
        index_pending(store, progress=progress)
    values["floor"] = _floor(store, values, is_filtered=any(filters.values()))
    values["counts"] = counts_of(store, wanted)
    rows = store.query_all(_SQL["search_hits"], values)
    return [_found(store, row, wanted) for row in rows]


def _checked(filters: Filters) -> dict[str, Any]:
    outcome = filters.get("outcome")
    if outcome is not None and outcome not in OUTCOMES:
        raise InvalidInput(
            f"{outcome!r} is no outcome; expected one of {', '.join(OUTCOMES)}"
        )
    return {
        "source": filters.get("source"),
        "project": filters.get("project"),
        "tool": filters.get("tool"),
        "outcome": outcome,
        "since_us": _time(filters.get("since")),
        "until_us": _time(filters.get("until")),
    }


def _time(text: str | None) -> int | None:
    if text is None:
        return None
    at_us = from_iso(text)
    if at_us is None:
        raise InvalidInput(f"{text!r} is no time; expected ISO 8601, as 2026-01-31")
    return at_us


def _floor(store: Store, values: dict[str, Any], *, is_filtered: bool) -> int:
    """Return the id from which hits are ranked: the beginning of a session."""
    row = store.query_one(_SQL["search_floor"], values)
    if row is not None and is_filtered:
        row = store.query_one(_SQL["search_floor_filtered"], values)
    return 0 if row is None else row[0] & ~MAX_SEQ


def _found(store: Store, row: Row, query: SearchQuery) -> Found:
    message_id, uid, source, project, started_at_us, hits, role, score = row
    said = read_sources(store, message_id, message_id + 1, limit=1)
    return Found(
        uid=uid,
        source=source,
        project=project,
        started_at_us=started_at_us,
        hits=hits,
        role=role,
        seq=message_id & MAX_SEQ,
        snippet=snippet(said[0].text(), query) if said else "",  # erased meanwhile
        score=score,
    )

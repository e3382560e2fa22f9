"""Read judged calls back: all of them, or one by its name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from oldhand.errors import InvalidInput, NotFound
from oldhand.sessions.keys import calls_of
from oldhand.sessions.model import OUTCOMES
from oldhand.sessions.payloads import content_of
from oldhand.sessions.read import SessionSummary
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)
_LAST_ID = (1 << 63) - 1
_PAGE_ROWS = 1_000
_CALL_KEYS = (
    "session",
    "call_id",
    "tool",
    "arguments",
    "result",
    "outcome",
    "rule",
    "confidence",
    "error_kind",
    "shape",
)


@dataclass(slots=True, frozen=True)
class JudgedCall:
    """One call with its result and how it went.

    Attributes:
        id: Its key in the database.
        session: The uid of its session.
        call_id: As the agent named it.
        tool: The tool's name.
        arguments: The raw text of the arguments.
        result: The text that came back; None while it is pending.
        outcome: How it went.
        rule: The name of the rule that said so.
        confidence: How sure that rule is, above 0, at most 1.
        error_kind: What went wrong, where the outcome is `error`.
        shape: What the call looks like without its particulars.
        at_us: When, in microseconds since 1970-01-01 UTC.
        duration_us: How long it took, in microseconds.
    """

    id: int
    session: str
    call_id: str
    tool: str
    arguments: str
    result: str | None
    outcome: str
    rule: str
    confidence: float
    error_kind: str | None
    shape: str
    at_us: int | None
    duration_us: int | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it, with the documented keys."""
        return {name: getattr(self, name) for name in _CALL_KEYS}


def iterate_calls(
    store: Store,
    *,
    session: SessionSummary | None = None,
    outcome: str | None = None,
    tool: str | None = None,
    source: str | None = None,
    limit: int | None = None,
) -> Iterator[JudgedCall]:
    """Yield calls in the order in which their sessions were recorded.

    Raises:
        InvalidInput: `outcome` is not one of the eight.
    """
    if outcome is not None and outcome not in OUTCOMES:
        raise InvalidInput(
            f"{outcome!r} is no outcome; expected one of {', '.join(OUTCOMES)}"
        )
    span = (0, _LAST_ID) if session is None else calls_of(session.id)
    after_id = span[0] - 1
    left = _LAST_ID if limit is None else limit
    while left > 0:
        rows = store.query_all(
            _SQL["calls"],
            {
                "after_id": after_id,
                "end_id": span[1],
                "outcome": outcome,
                "tool": tool,
                "source": source,
                "limit": min(left, _PAGE_ROWS),
            },
        )
        yield from map(_judged_call, rows)
        if len(rows) < _PAGE_ROWS:
            return
        left -= len(rows)
        after_id = rows[-1][0]


def find_call(store: Store, name: str) -> int:
    """Return the key of a call.

    Args:
        store: Where it is.
        name: The call's id as its agent named it, or `SESSION/CALL` where several have
            that id; the beginning of the session's uid will do.

    Raises:
        NotFound: There is none.
        InvalidInput: Several have that id.
    """
    beginning, _, last = name.rpartition("/")
    found = [
        (key, session)
        for key, session in store.query_all(_SQL["calls_named"], {"name": last})
        if session.startswith(beginning)
    ]
    if not found and beginning:  # an id may hold a slash itself
        found = [
            (row[0], row[1])
            for row in store.query_all(_SQL["calls_named"], {"name": name})
        ]
    if not found:
        raise NotFound(
            f"no call {name!r}", advice="`oldhand calls list --json` names them"
        )
    if len(found) > 1:
        names = ", ".join(f"{session}/{last}" for _, session in found[:5])
        raise InvalidInput(f"{name!r} fits several calls: {names}")
    return int(found[0][0])


def load_call(store: Store, key: int) -> JudgedCall:
    """Return the call with a key.

    Raises:
        NotFound: There is none.
    """
    wanted = {"after_id": key - 1, "end_id": key + 1, "limit": 1}
    nothing = {"outcome": None, "tool": None, "source": None}
    row = store.query_one(_SQL["calls"], wanted | nothing)
    if row is None:
        raise NotFound("the call is no longer on record")
    return _judged_call(row)


def _judged_call(row: Row) -> JudgedCall:
    *values, body = row
    if values[5] is not None:
        values[5] = content_of(values[5], body)
    return JudgedCall(*values)

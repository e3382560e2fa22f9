"""How calls went: by tool, by their place in the session, by the session's length.

Counted are calls of tools that do work, that were made and judged: a refused or cancelled
call says nothing about the agent, and an unknown outcome nothing at all; how many there
were is said. A failure is one of two things: an error (a bad call), or a negative (a good
call to a checker that said no).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from oldhand.experience.report.rates import Count, Rate, difference, rate
from oldhand.sessions.keys import calls_of
from oldhand.sessions.known_tools import is_idle
from oldhand.store import Queries, Row, Store

FIRST_CALLS = 20
"""How many of a session's first calls are compared over sessions of every length."""

WARM_UP_CALLS = 10
"""How many of a session's first calls are its warm-up."""

_SQL = Queries(__package__)
_POSITIONS = (1, 6, 11, 26, 51, 101, 201)
_LENGTHS = (0, 50, 100, 200, 400)
_MAX_ERRORS = 12
_END_OF_TIME = (1 << 63) - 1
_KINDS = ("error", "negative")
_NOT_MADE = frozenset(("blocked", "cancelled", "pending"))

Progress = Callable[[int, int], None]
"""Told how many sessions are done, of how many."""


class Group(NamedTuple):
    """Some calls, and how they went.

    Attributes:
        name: A tool, or a range as `6-10`.
        sessions: How many they come from.
        calls: How many there are.
        error: The share that were bad calls.
        negative: The share to which a checker said no.
    """

    name: str
    sessions: int
    calls: int
    error: Rate
    negative: Rate

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        rates = {"error": self.error.as_json(), "negative": self.negative.as_json()}
        return self._asdict() | rates


class ErrorPlace(NamedTuple):
    """Where bad calls are.

    Attributes:
        tool: Whose calls they are.
        error_kind: As `stale_state`; None where it is not known.
        calls: How many.
        sessions: In how many sessions.
    """

    tool: str
    error_kind: str | None
    calls: int
    sessions: int


@dataclass(slots=True, frozen=True, kw_only=True)
class CallReport:
    """How the calls of some sessions went.

    Attributes:
        total: All of them.
        by_tool: The most used first.
        by_position: By the call's place in its session, from 1.
        by_length: By the session's number of messages.
        first_calls_by_length: The same, of each session's first `FIRST_CALLS` calls: long
            sessions are those that got far, so only like may be held against like.
        warm_up: By how many points the first `WARM_UP_CALLS` calls have more bad ones
            than the later calls of the same sessions.
        errors: The places with most bad calls, most first.
        refused: How many calls were blocked or cancelled, or wait; counted nowhere else.
        unknown: How many have an unknown outcome; counted nowhere else.
    """

    total: Group
    by_tool: list[Group]
    by_position: list[Group]
    by_length: list[Group]
    first_calls_by_length: list[Group]
    warm_up: Rate
    errors: list[ErrorPlace]
    refused: int
    unknown: int

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        lists = ("by_tool", "by_position", "by_length", "first_calls_by_length")
        return {
            "total": self.total.as_json(),
            **{name: [g.as_json() for g in getattr(self, name)] for name in lists},
            "warm_up": self.warm_up.as_json(),
            "errors": [place._asdict() for place in self.errors],
            "refused": self.refused,
            "unknown": self.unknown,
        }


def report_calls(
    store: Store,
    *,
    since_us: int = 0,
    until_us: int = _END_OF_TIME,
    source: str | None = None,
    project: str | None = None,
    progress: Progress = lambda _done, _total: None,
) -> CallReport:
    """Count how the calls of sessions went.

    Args:
        store: Where they are.
        since_us: Only sessions that began then or later, in microseconds since 1970-01-01
            UTC.
        until_us: Only sessions that began before that.
        source: Only sessions of one source.
        project: Only sessions of one project.
        progress: Called after each session.
    """
    scope = {"since_us": since_us, "until_us": until_us}
    scope_values = scope | {"source": source, "project": project}
    sessions = store.query_all(_SQL["sessions_reported"], scope_values)
    tools: dict[int, str] = dict(store.query_all(_SQL["tool_names"]))
    working = {key for key, name in tools.items() if not is_idle(name)}
    counting = _Counting()
    for number, (session_id, messages) in enumerate(sessions, 1):
        calls = store.query_all(_SQL["calls_reported"], calls_of(session_id))
        _count(counting, [call for call in calls if call[0] in working], messages)
        progress(number, len(sessions))
    return _report(counting, tools)


@dataclass(slots=True)
class _Counting:
    """Counts by table and row; of each, one `[calls, errors, negatives]` a session."""

    tables: dict[str, dict[Any, list[list[int]]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    warm_up: list[tuple[Count, Count]] = field(default_factory=list)
    errors: Counter[tuple[int, str | None]] = field(default_factory=Counter)
    error_sessions: Counter[tuple[int, str | None]] = field(default_factory=Counter)
    refused: int = 0
    unknown: int = 0


def _count(counting: _Counting, calls: Sequence[Row], messages: int) -> None:
    """Count one session; of each call its tool's id, outcome and error kind."""
    made = [call for call in calls if call[1] not in _NOT_MADE]
    known = [call for call in made if call[1] != "unknown"]
    counting.refused += len(calls) - len(made)
    counting.unknown += len(made) - len(known)
    found: dict[tuple[str, Any], list[int]] = {}
    length = _start_of(_LENGTHS, messages)
    for position, (tool, outcome, _) in enumerate(known, 1):
        rows = [
            ("total", ""),
            ("tool", tool),
            ("position", _start_of(_POSITIONS, position)),
            ("length", length),
        ]
        if position <= FIRST_CALLS:
            rows.append(("first", length))
        for row in rows:
            counts = found.setdefault(row, [0, 0, 0])
            counts[0] += 1
            if outcome in _KINDS:
                counts[1 + _KINDS.index(outcome)] += 1
    for (table, row), counts in found.items():
        counting.tables[table][row].append(counts)
    bad = [(tool, kind) for tool, outcome, kind in known if outcome == "error"]
    counting.errors.update(bad)
    counting.error_sessions.update(set(bad))
    outcomes = [outcome for _, outcome, _ in known]
    if len(outcomes) > WARM_UP_CALLS:
        early, late = outcomes[:WARM_UP_CALLS], outcomes[WARM_UP_CALLS:]
        counting.warm_up.append((_errors_in(early), _errors_in(late)))


def _errors_in(outcomes: Sequence[str]) -> Count:
    return Count(len(outcomes), outcomes.count("error"))


def _start_of(starts: Sequence[int], value: int) -> int:
    return next(start for start in reversed(starts) if value >= start)


def _report(counting: _Counting, tools: dict[int, str]) -> CallReport:
    tables = counting.tables
    by_tool = [_group(tools[key], found) for key, found in tables["tool"].items()]
    pairs = counting.warm_up
    return CallReport(
        total=_group("all", tables["total"][""]),
        by_tool=sorted(by_tool, key=lambda group: (-group.calls, group.name)),
        by_position=_ranges(tables["position"], _POSITIONS),
        by_length=_ranges(tables["length"], _LENGTHS),
        first_calls_by_length=_ranges(tables["first"], _LENGTHS),
        warm_up=difference(pairs) if pairs else Rate(None, None),
        errors=[
            ErrorPlace(tools[tool], kind, count, counting.error_sessions[tool, kind])
            for (tool, kind), count in sorted(
                counting.errors.items(), key=lambda item: (-item[1], item[0][0])
            )[:_MAX_ERRORS]
        ],
        refused=counting.refused,
        unknown=counting.unknown,
    )


def _ranges(table: dict[Any, list[list[int]]], starts: Sequence[int]) -> list[Group]:
    ends = (*starts[1:], None)
    return [
        _group(_range_name(start, end), table[start])
        for start, end in zip(starts, ends, strict=True)
        if start in table
    ]


def _range_name(start: int, end: int | None) -> str:
    if end is None:
        return f"{start}+"
    return f"{start}-{end - 1}" if start else f"under {end}"


def _group(name: str, counts: list[list[int]]) -> Group:
    return Group(
        name,
        len(counts),
        sum(calls for calls, _, _ in counts),
        rate(Count(calls, errors) for calls, errors, _ in counts),
        rate(Count(calls, negatives) for calls, _, negatives in counts),
    )

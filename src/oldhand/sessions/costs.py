"""What sessions cost: tokens and dollars by day, by model and by source.

Tokens count at the time of the message that used them, where messages say what they used;
else on the day on which the session began, as a session's cost does. Days are UTC. What
nobody wrote down is unknown: a sum has None where nothing is known, and the number of
sessions that it leaves out beside it, and is never 0 for want of knowledge.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from oldhand.clock import to_iso
from oldhand.store import Queries, Row, Store

K = TypeVar("K", bound=Hashable)

_SQL = Queries(__package__)
_DAY_US = 86_400_000_000
_END_OF_TIME_US = (1 << 63) - 1
_TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


@dataclass(slots=True)
class Sums:
    """What some sessions used, as far as it is known.

    Attributes:
        sessions: How many began here; a message may count on a later day than these.
        input_tokens: Read anew; None where nothing is known.
        output_tokens: Written by the model; the same.
        cache_read_tokens: Read from a cache; the same.
        cache_write_tokens: Put into a cache; the same.
        tokens_unknown_sessions: How many of the sessions say nothing about tokens.
        cost_microusd: Millionths of a US dollar; None where nothing is known.
        cost_unknown_sessions: How many of the sessions say nothing about cost.
    """

    sessions: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    tokens_unknown_sessions: int = 0
    cost_microusd: int | None = None
    cost_unknown_sessions: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it, the cost in dollars; unknown is null."""
        cost = self.cost_microusd
        return {
            "sessions": self.sessions,
            **{name: getattr(self, name) for name in _TOKENS},
            "tokens_unknown_sessions": self.tokens_unknown_sessions,
            "cost_usd": None if cost is None else cost / 1_000_000,
            "cost_unknown_sessions": self.cost_unknown_sessions,
        }


@dataclass(slots=True)
class CostReport:
    """Sums over the same sessions, arranged three ways.

    Attributes:
        by_day: By day in UTC, as `2026-01-31`, oldest first.
        by_model: By model, the most output first; None: no model is named.
        by_source: By source, in alphabetical order.
        total: Over all.
        empty_sessions: By source: sessions without a message that were found at import
            and left out. No filter but that of the source applies to them.
    """

    by_day: dict[str, Sums] = field(default_factory=dict)
    by_model: dict[str | None, Sums] = field(default_factory=dict)
    by_source: dict[str, Sums] = field(default_factory=dict)
    total: Sums = field(default_factory=Sums)
    empty_sessions: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it, with the documented keys."""
        return {
            "by_day": [{"day": k} | v.as_json() for k, v in self.by_day.items()],
            "by_model": [{"model": k} | v.as_json() for k, v in self.by_model.items()],
            "by_source": [
                {"source": k} | v.as_json() for k, v in self.by_source.items()
            ],
            "total": self.total.as_json(),
            "empty_sessions": self.empty_sessions,
        }


def report_costs(
    store: Store,
    *,
    since_us: int = 0,
    until_us: int = _END_OF_TIME_US,
    source: str | None = None,
    project: str | None = None,
) -> CostReport:
    """Add up tokens and cost of the sessions on record.

    Args:
        store: Where they are.
        since_us: Only what happened then or later, in microseconds since 1970-01-01 UTC.
        until_us: Only what happened before that.
        source: Only sessions of one source.
        project: Only sessions of one project.
    """
    scope = {
        "since_us": since_us,
        "until_us": until_us,
        "source": source,
        "project": project,
    }
    report = CostReport()
    for row in store.query_all(_SQL["session_costs"], scope):
        _add(report, row[:3], _of_sessions(row[3:]))
    for row in store.query_all(_SQL["message_costs"], scope):
        _add(report, row[:3], Sums(0, *row[3:]))
    report.by_day = dict(sorted(report.by_day.items()))
    report.by_model = dict(
        sorted(report.by_model.items(), key=lambda item: -(item[1].output_tokens or 0))
    )
    report.by_source = dict(sorted(report.by_source.items()))
    empty = store.query_all(_SQL["empty_sessions_by_source"], {"source": source})
    report.empty_sessions = dict(empty)
    return report


def _of_sessions(row: Row) -> Sums:
    sessions, tokens_unknown, cost_known, cost_microusd, *tokens = row
    return Sums(
        sessions,
        **dict(zip(_TOKENS, tokens, strict=True)),
        tokens_unknown_sessions=tokens_unknown,
        cost_microusd=cost_microusd,
        cost_unknown_sessions=sessions - cost_known,
    )


def _add(report: CostReport, place: Row, part: Sums) -> None:
    day_number, model, source = place
    day = to_iso(day_number * _DAY_US)[:10]
    for sums in (
        _at(report.by_day, day),
        _at(report.by_model, model),
        _at(report.by_source, source),
        report.total,
    ):
        _merge(sums, part)


def _at(sums: dict[K, Sums], key: K) -> Sums:
    return sums.setdefault(key, Sums())


def _merge(into: Sums, part: Sums) -> None:
    into.sessions += part.sessions
    into.tokens_unknown_sessions += part.tokens_unknown_sessions
    into.cost_unknown_sessions += part.cost_unknown_sessions
    for name in (*_TOKENS, "cost_microusd"):
        setattr(into, name, _sum((getattr(into, name), getattr(part, name))))


def _sum(values: Iterable[int | None]) -> int | None:
    """Add what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None

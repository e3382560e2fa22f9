"""Rates of calls, with intervals that know that calls of one session belong together.

A session that goes badly has many bad calls, so that calls are no independent draws:
whole sessions are drawn anew, with what they hold (a cluster bootstrap). Source: Cameron,
Gelbach and Miller (2008), Review of Economics and Statistics 90(3), 414-427.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

RESAMPLES = 1_000
"""How often the sessions are drawn anew for one interval."""

MIN_SESSIONS = 5
"""With fewer there is no interval: so few say nothing about the next."""

_SEED = 1  # the same sessions give the same report
_TAIL = 0.025
_CALLS_BITS = 40
_CALLS = (1 << _CALLS_BITS) - 1


class Count(NamedTuple):
    """What one session did.

    Attributes:
        calls: How many, from 0.
        events: How many of them were of the kind that is counted.
    """

    calls: int
    events: int


class Interval(NamedTuple):
    """Where a figure lies with 95 % confidence, in percent or points."""

    low: float
    high: float


class Rate(NamedTuple):
    """A share of calls.

    Attributes:
        percent: 0 to 100; None where there is no call.
        interval: None where there are fewer than `MIN_SESSIONS` sessions.
    """

    percent: float | None
    interval: Interval | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {
            "percent": _rounded(self.percent),
            "interval": None if self.interval is None else list(self.interval),
        }


def rate(counts: Iterable[Count]) -> Rate:
    """Return the share of events among all calls of some sessions.

    Where none was seen, the interval ends where as many calls would have shown one with
    97.5 % probability, were they independent.
    """
    clusters = [count for count in counts if count.calls]
    calls = sum(count.calls for count in clusters)
    if not calls:
        return Rate(None, None)
    events = sum(count.events for count in clusters)
    percent = 100 * events / calls
    if len(clusters) < MIN_SESSIONS:
        return Rate(percent, None)
    if not events:
        return Rate(0.0, _interval([0.0], highest=100 * (1 - _TAIL ** (1 / calls))))
    draws = _draws([_packed(count) for count in clusters])
    return Rate(percent, _interval([_percent(total) for total in draws]))


def difference(pairs: Sequence[tuple[Count, Count]]) -> Rate:
    """Return by how many points the first counts' rate is above that of the second.

    Args:
        pairs: Of each session its two counts; they are drawn together.
    """
    first, second = (sum_of(column) for column in zip(*pairs, strict=True))
    if not first.calls or not second.calls:
        return Rate(None, None)
    points = _percent(_packed(first)) - _percent(_packed(second))
    if len(pairs) < MIN_SESSIONS:
        return Rate(points, None)
    shift = 2 * _CALLS_BITS
    packed = [_packed(one) | _packed(other) << shift for one, other in pairs]
    whole = (1 << shift) - 1
    drawn = [
        _percent(total & whole) - _percent(total >> shift)
        for total in _draws(packed)
        if total & _CALLS and total >> shift & _CALLS
    ]
    return Rate(points, _interval(drawn))


def sum_of(counts: Iterable[Count]) -> Count:
    """Add counts up."""
    calls = events = 0
    for count in counts:
        calls += count.calls
        events += count.events
    return Count(calls, events)


def _packed(count: Count) -> int:
    # Both in one number: one sum() adds them, a third of the time of two.
    return count.calls | count.events << _CALLS_BITS


def _percent(total: int) -> float:
    return 100 * (total >> _CALLS_BITS) / (total & _CALLS)


def _draws(packed: list[int]) -> list[int]:
    """Draw the sessions anew, again and again; return the sum of each draw."""
    choices = random.Random(_SEED).choices  # noqa: S311 - no secret
    return [sum(choices(packed, k=len(packed))) for _ in range(RESAMPLES)]


def _interval(drawn: list[float], *, highest: float | None = None) -> Interval:
    drawn.sort()
    low = drawn[int(len(drawn) * _TAIL)]
    high = drawn[-1 - int(len(drawn) * _TAIL)] if highest is None else highest
    return Interval(round(low, 2), round(high, 2))


def _rounded(percent: float | None) -> float | None:
    return None if percent is None else round(percent, 2)

"""What the clock on the wall shows, and the moments at which it shows that.

When a clock is put forward, some times are never shown; when it is put back, some are shown
twice. zoneinfo answers for both: the offset of a time that is repeated is that of the first
pass for fold 0 and of the second for fold 1, and for a time that is skipped it is the one
before the change for fold 0 and the one after it for fold 1. So a wall time gives two
moments: equal, the first earlier (repeated), or the first later (skipped).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, tzinfo

from oldhand.named_tuple import NamedTuple

_NO_TIME = timedelta()


class Passes(NamedTuple):
    """When a wall clock shows a time, in seconds since 1970-01-01 UTC.

    Attributes:
        first: The first pass; of a skipped time, as if the clock had not been changed.
        second: The second pass; of a skipped time, as if it had been changed before.
    """

    first: int
    second: int

    @property
    def are_two(self) -> bool:
        """The clock is put back over this time."""
        return self.first < self.second

    @property
    def are_none(self) -> bool:
        """The clock is put forward over this time."""
        return self.first > self.second


def passes(wall: datetime, zone: tzinfo) -> Passes:
    """Find when a clock shows a time.

    Args:
        wall: Without a zone, whole seconds.
        zone: Where the clock hangs.
    """
    aware = wall.replace(tzinfo=zone, fold=0)
    return Passes(
        int(aware.timestamp()),
        int(aware.replace(fold=1).timestamp()),
    )


def once(times: Passes, zone: tzinfo) -> int:
    """Return the one moment for a time: its first pass, or the first one after the gap."""
    if not times.are_none:
        return times.first
    # Both lie around the change, `second` before it and `first` not; a day apart at most.
    before, after = times.second, times.first
    old = datetime.fromtimestamp(before, zone).utcoffset()
    while after - before > 1:
        middle = (before + after) // 2
        if datetime.fromtimestamp(middle, zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after


def by_fixed_times(walls: Iterable[datetime], zone: tzinfo) -> Iterator[int]:
    """Give each wall time one moment, in seconds; those that are repeated come first.

    Several skipped times share the first moment after them, and it comes as often.
    """
    for wall in walls:
        yield once(passes(wall, zone), zone)


def by_every_pass(walls: Iterable[datetime], zone: tzinfo) -> Iterator[int]:
    """Give each wall time all its moments, in seconds and in their order.

    Args:
        walls: In their order; where they begin amid repeated times, from the first of those.
        zone: Where the clock hangs.
    """
    waiting: list[int] = []  # the second pass, until the first has gone by
    for wall in walls:
        times = passes(wall, zone)
        if times.are_none:
            continue
        if times.are_two:
            waiting.append(times.second)
        else:
            yield from waiting
            waiting = []
        yield times.first
    yield from waiting


def wall_before(second: int, zone: tzinfo) -> datetime:
    """Return a wall time from which on all later moments follow.

    That is what the clock shows; amid repeated times it is earlier by as much as the clock is
    put back, so that no time of either pass is left out.

    Args:
        second: Since 1970-01-01 UTC.
        zone: Where the clock hangs.
    """
    shown = datetime.fromtimestamp(second, zone)
    first, again = shown.replace(fold=0).utcoffset(), shown.replace(fold=1).utcoffset()
    back = (first or _NO_TIME) - (again or _NO_TIME)
    return shown.replace(tzinfo=None, fold=0) - max(back, _NO_TIME)

"""A moment that is said as a date and a time, and how it is written back."""

from __future__ import annotations

from datetime import datetime, tzinfo

from oldhand.cron.schedule.firings import SECOND_US
from oldhand.cron.schedule.wall import once, passes
from oldhand.errors import InvalidInput
from oldhand.named_tuple import NamedTuple


class Moment(NamedTuple):
    """A moment, and what was decided to find it.

    Attributes:
        at_us: Microseconds since 1970-01-01 UTC.
        note: What was decided, as a sentence; "" where nothing was.
    """

    at_us: int
    note: str


def moment_of(instant: str, zone: tzinfo) -> Moment:
    """Find the moment of a date and a time.

    Without an offset it is what a clock in the zone shows: the first pass of a time that is
    repeated, the first moment after one that is skipped.

    Args:
        instant: ISO 8601, to the second, with an offset or without.
        zone: Of the clock.

    Raises:
        InvalidInput: No calendar has that day.
    """
    try:
        said = datetime.fromisoformat(instant)
    except ValueError as fault:
        raise InvalidInput(
            f"{instant!r}: {fault}; expected a day that exists"
        ) from fault
    if said.tzinfo is not None:
        return Moment(int(said.timestamp()) * SECOND_US, "")
    times = passes(said, zone)
    at_us = once(times, zone) * SECOND_US
    if times.are_none:
        return Moment(
            at_us,
            f"{instant} is skipped, as the clock is put forward there; it fires at "
            f"the first moment after: {moment_text(at_us, zone)}",
        )
    if times.are_two:
        return Moment(
            at_us,
            f"{instant} comes twice, as the clock is put back there; the first is "
            f"taken: {moment_text(at_us, zone)}",
        )
    return Moment(at_us, "")


def moment_text(at_us: int, zone: tzinfo) -> str:
    """Write a moment as a clock in a zone shows it, with its offset.

    Example:
        >>> from datetime import UTC
        >>> moment_text(1_767_225_600_000_000, UTC)
        '2026-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(at_us // SECOND_US, zone).isoformat()

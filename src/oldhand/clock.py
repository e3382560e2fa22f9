"""The time, as a parameter.

Everything that needs the time takes a `Clock`, so that a test hands in its own and no
test patches. Times in the database are whole microseconds since 1970-01-01 UTC: they
sort, they subtract, and both engines hold them in eight bytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime

Clock = Callable[[], int]
"""Returns the time now, in microseconds since 1970-01-01 UTC."""


def system_clock() -> int:
    """Return the wall clock, in microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1000


def to_iso(at_us: int) -> str:
    """Write a time as ISO 8601 in UTC, to the millisecond.

    Args:
        at_us: Microseconds since 1970-01-01 UTC.

    Example:
        >>> to_iso(1_767_225_600_250_000)
        '2026-01-01T00:00:00.250Z'
    """
    minute, rest = divmod(at_us, 60_000_000)
    seconds, part = divmod(rest // 1_000, 1_000)
    return f"{_minute_iso(minute)}{seconds:02}.{part:03}Z"


@lru_cache(maxsize=1_000)  # times of a session share their minutes: half the time
def _minute_iso(minute: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:", time.gmtime(minute * 60))


def from_iso(text: str) -> int | None:
    """Read an ISO 8601 time; one without a zone is taken as UTC.

    Returns:
        Microseconds since 1970-01-01 UTC; None where `text` is no such time.

    Example:
        >>> from_iso("2026-01-01T00:00:00.250Z")
        1767225600250000
        >>> from_iso("yesterday") is None
        True
    """
    datetime, utc = _calendar()
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=utc)
        return round(moment.timestamp() * 1_000_000)
    except (ValueError, OverflowError):
        return None


@cache  # to import in the function took as long as to read the time
def _calendar() -> tuple[type[datetime.datetime], datetime.tzinfo]:
    import datetime  # noqa: PLC0415 - 2 ms that a recorder need not pay

    return datetime.datetime, datetime.UTC

"""The time, as a parameter.

Everything that needs the time takes a `Clock`, so that a test hands in its own and no
test patches. Times in the database are whole microseconds since 1970-01-01 UTC: they
sort, they subtract, and both engines hold them in eight bytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

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
    seconds, rest = divmod(at_us, 1_000_000)
    return (
        f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest // 1000:03}Z"
    )


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
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1_000_000)
    except (ValueError, OverflowError):
        return None

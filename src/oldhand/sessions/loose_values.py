"""Take a value out of a foreign record, or None where it is not what it should be."""

from __future__ import annotations

from typing import Any

from oldhand.clock import from_iso

_MICROSECONDS_PER_UNIT = (
    (1e11, 1_000_000),  # seconds, to the year 5138
    (1e14, 1_000),  # milliseconds
    (1e17, 1),  # microseconds
)
_MAX_INTEGER = 2**53
_SECONDS_PER_YEAR = 366 * 86_400


def text_or_none(value: object) -> str | None:
    """Return a string as it is, and None for anything else."""
    return value if isinstance(value, str) else None


def text_in(record: dict[str, Any], *keys: str) -> str | None:
    """Return the first of the named values that is a text and not empty.

    Example:
        >>> text_in({"id": "", "uid": "a1"}, "id", "uid")
        'a1'
    """
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value:
            return value
    return None


def object_in(record: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the named object; an empty one where there is none."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def integer_of(value: object) -> int | None:
    """Return a whole number that a database holds; a boolean is none.

    Example:
        >>> integer_of(3.0), integer_of(True), integer_of("3"), integer_of(2**80)
        (3, None, None, None)
    """
    if type(value) is int:
        return value if -_MAX_INTEGER <= value <= _MAX_INTEGER else None
    if not isinstance(value, float) or not -_MAX_INTEGER <= value <= _MAX_INTEGER:
        return None
    return int(value) if value == int(value) else None


def flag_of(value: object) -> bool | None:
    """Return a boolean, and None for anything else."""
    return value if isinstance(value, bool) else None


def duration_us_of(seconds: object) -> int | None:
    """Return a duration given in seconds as microseconds; None below 0 or over a year."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return None
    if not 0 <= seconds <= _SECONDS_PER_YEAR:
        return None
    return round(seconds * 1_000_000)


def time_us_of(value: object) -> int | None:
    """Read a time: ISO 8601, or a number of seconds, milli- or microseconds.

    Returns:
        Microseconds since 1970-01-01 UTC; None where the value is no time.

    Example:
        >>> time_us_of("2026-01-01T00:00:00Z") == time_us_of(1_767_225_600)
        True
        >>> time_us_of(1_767_225_600_000), time_us_of("soon"), time_us_of(True)
        (1767225600000000, None, None)
    """
    if isinstance(value, str):
        return from_iso(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if not value > 0:
        return None
    for limit, factor in _MICROSECONDS_PER_UNIT:
        if value < limit:
            return round(value * factor)
    return None

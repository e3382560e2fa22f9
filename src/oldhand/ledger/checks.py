"""What the ledger takes: each value is looked at before anything is written.

Each function returns the value as it is stored, or raises `InvalidInput`, which names the
field and the value. None is unknown and passes.
"""

from __future__ import annotations

import datetime
import math
from decimal import Decimal, InvalidOperation
from typing import Any

from oldhand.clock import from_iso
from oldhand.errors import InvalidInput

Moment = datetime.datetime | str | int | float
"""A time: aware, or ISO 8601, or seconds since 1970-01-01 UTC."""
Money = Decimal | float | int | str
"""US dollars."""

MAX_NAME_CHARS = 200
MAX_REASON_CHARS = 500
MAX_TOKENS = 10**15
MAX_DOLLARS = 1_000_000
MAX_SECONDS = 10 * 366 * 86_400
AHEAD_US = 86_400_000_000
"""Clocks of other machines differ, but by no more than a day."""
_MICRO = 1_000_000


def wrong(field: str, value: object, expected: str) -> InvalidInput:
    """Make the error for a field's value."""
    said = repr(value)
    shown = said if len(said) <= MAX_NAME_CHARS else said[:MAX_NAME_CHARS] + "…"
    return InvalidInput(f"{field}: {shown}; expected {expected}")


def name(field: str, value: Any, *, most: int = MAX_NAME_CHARS) -> str:  # noqa: ANN401
    """Return a text that is not blank, of one line."""
    if not isinstance(value, str) or not value.strip() or len(value) > most:
        raise wrong(field, value, f"a text of 1 to {most} characters")
    if not value.isprintable():
        raise wrong(field, value, "a text of one line, all of which can be printed")
    return value.strip()


def optional_name(
    field: str,
    value: Any,  # noqa: ANN401 - a caller's
    *,
    most: int = MAX_NAME_CHARS,
) -> str | None:
    """Return a text as `name` does, or None."""
    return None if value is None else name(field, value, most=most)


def truth(field: str, value: Any) -> bool | None:  # noqa: ANN401 - a caller's
    """Return True, False or None."""
    if value is None or isinstance(value, bool):
        return value
    raise wrong(field, value, "True, False or None for unknown")


def tokens(field: str, value: Any) -> int | None:  # noqa: ANN401 - a caller's
    """Return a count of tokens, 0 or more."""
    if value is None:
        return None
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or not 0 <= value <= MAX_TOKENS:
        raise wrong(field, value, f"a whole number from 0 to {MAX_TOKENS}")
    return int(value)


def number(
    field: str,
    value: Any,  # noqa: ANN401 - a caller's
    *,
    most: float,
) -> float | None:
    """Return a finite number from 0 to `most`."""
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= most:  # NaN is not within anything
        raise wrong(field, value, f"a number from 0 to {most:g}")
    return float(value)


def duration_us(field: str, value: Any) -> int | None:  # noqa: ANN401 - a caller's
    """Return seconds as whole microseconds."""
    seconds = number(field, value, most=MAX_SECONDS)
    return None if seconds is None else round(seconds * _MICRO)


def microusd(field: str, value: Any) -> int | None:  # noqa: ANN401 - a caller's
    """Return dollars as whole millionths, rounded half to even."""
    if value is None:
        return None
    expected = f"US dollars from 0 to {MAX_DOLLARS}, or None for unknown"
    if isinstance(value, bool) or not isinstance(value, Decimal | float | int | str):
        raise wrong(field, value, expected)
    try:
        dollars = Decimal(str(value))
    except InvalidOperation as fault:
        raise wrong(field, value, expected) from fault
    if not dollars.is_finite() or not 0 <= dollars <= MAX_DOLLARS:
        raise wrong(field, value, expected)
    return round(dollars * _MICRO)


def moment_us(field: str, value: Any, *, now_us: int) -> int | None:  # noqa: ANN401
    """Return a time as microseconds since 1970-01-01 UTC.

    A time more than a day ahead is refused: it would make all else look old.
    """
    if value is None:
        return None
    expected = "an aware datetime, ISO 8601, or seconds since 1970-01-01 UTC"
    at_us = _moment_us(value)
    if at_us is None:
        raise wrong(field, value, expected)
    if not 0 <= at_us <= now_us + AHEAD_US:
        raise wrong(field, value, "a time from 1970-01-01 to a day from now")
    return at_us


def _moment_us(value: object) -> int | None:
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            return None
        return round(value.timestamp() * _MICRO)
    if isinstance(value, str):
        return from_iso(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(value * _MICRO) if math.isfinite(value) else None

"""Durations and limits as a policy file writes them: `30m`, `20/1h per requester`."""

from __future__ import annotations

import re

from oldhand.confirm.policy.model import Limit
from oldhand.errors import InvalidInput

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_DURATION = re.compile(r"([1-9][0-9]{0,8})([smhd])")
_LIMIT = re.compile(r"([1-9][0-9]{0,8})/([0-9]+[smhd])(?: per requester)?")


def read_duration(value: object, *, least: int, most: int) -> int:
    """Read a duration.

    Args:
        value: As `"30m"`: a whole number and s, m, h or d.
        least: Seconds.
        most: Seconds.

    Raises:
        InvalidInput: It is no duration, or not within the two.

    Example:
        >>> read_duration("30m", least=1, most=86400)
        1800
    """
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise InvalidInput(
            f'{value!r} is no duration; expected a number with s, m, h or d, as "30m"'
        )
    seconds = int(found[1]) * _UNITS[found[2]]
    if not least <= seconds <= most:
        raise InvalidInput(
            f"{value!r} is {seconds} seconds; expected {least} to {most} seconds"
        )
    return seconds


def read_limit(value: object) -> Limit:
    """Read a limit for each requester.

    Raises:
        InvalidInput: It is none.

    Example:
        >>> read_limit("20/1h per requester")
        Limit(calls=20, window_seconds=3600)
    """
    found = _LIMIT.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise InvalidInput(
            f"{value!r} is no limit; expected a count and a window, as "
            '"20/1h per requester"'
        )
    return Limit(int(found[1]), read_duration(found[2], least=1, most=30 * 86_400))

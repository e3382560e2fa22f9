"""Times, spans and names of states as people say them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from oldhand.clock import to_iso

_UNITS = (("day", 86_400), ("h", 3_600), ("min", 60))
STATE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "pending": "waits for a person",
        "approved": "approved, not used yet",
        "denied": "denied",
        "expired": "expired: nobody decided in time",
        "cancelled": "cancelled by the agent",
        "consumed": "approved and used, no result yet",
        "lapsed": "lapsed: approved and not used in time",
        "revoked": "taken back before it was used",
        "succeeded": "approved, used, and worked",
        "failed": "approved, used, and failed",
        "unknown": "approved and used; nobody said what came of it",
        "auto_approved": "let pass without a person, not used yet",
        "blocked": "blocked by a rule",
    }
)
LEVEL_WORDS = (
    "guardrail: nothing shows that an agent could not get round it",
    "separated: the agent cannot reach what decides",
    "brokered: without approval the agent has no means to do it",
)
"""By level, 0 to 2: what an approval keeps an agent from."""


def span(seconds: float) -> str:
    """Say how long, in one or two units.

    Example:
        >>> span(252), span(7), span(90_000), span(3_600)
        ('4 min 12 s', '7 s', '1 day 1 h', '1 h')
    """
    left = max(0, int(seconds))
    said: list[tuple[int, str]] = []
    for name, size in _UNITS:
        count, left = divmod(left, size)
        if count or said:
            said.append((count, name))
    said.append((left, "s"))
    words = [
        f"{count} {name}s" if name == "day" and count > 1 else f"{count} {name}"
        for count, name in said[:2]
        if count
    ]
    return " ".join(words) or "0 s"


def ago(at_us: int, now_us: int) -> str:
    """Say how long ago, in one unit.

    Example:
        >>> ago(0, 125_000_000), ago(0, 500_000)
        ('2 min ago', 'just now')
    """
    seconds = (now_us - at_us) // 1_000_000
    if seconds < 2:  # noqa: PLR2004 - a moment
        return "just now"
    first = span(seconds).split()
    return f"{first[0]} {first[1]} ago"


def clock_time(at_us: int) -> str:
    """Write a time to be read.

    Example:
        >>> clock_time(0)
        '1970-01-01 00:00:00 UTC'
    """
    return to_iso(at_us)[:19].replace("T", " ") + " UTC"

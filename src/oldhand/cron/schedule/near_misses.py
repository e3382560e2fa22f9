"""What was probably meant by a text that is no schedule.

Each of these is what people and models write when they have not seen the grammar. Nothing
here is acted upon: it only goes into the refusal.
"""

from __future__ import annotations

import re

_UNITS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), "m"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("d", "day", "days"), "d"),
    **dict.fromkeys(("w", "week", "weeks"), "w"),
}
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_WORDS = {
    "hourly": "`@hourly`",
    "daily": "`daily 09:00`",
    "weekdays": "`weekdays 09:00`",
    "weekly": "`@weekly`",
    "monthly": "`@monthly`",
    "yearly": "`@yearly`",
    "@midnight": "`@daily`",
    "@annually": "`@yearly`",
    "every minute": "`every 1m`",
    "every hour": "`every 1h` or `@hourly`",
    "every day": "`daily 09:00` or `every 1d`",
    "every weekday": "`weekdays 09:00`",
    "every week": "`@weekly` or `every 7d`",
    "every month": "`@monthly`",
    "every year": "`@yearly`",
}
_PART = re.compile(r"([0-9]{1,6})([a-z]+)")
_LENGTH = re.compile(r"(?:[0-9]{1,6}[a-z]+)+")
_CLOCK = re.compile(r"([0-9]{1,2})(?::([0-9]{2}))?(am|pm)?")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_DAYS = {
    **dict.fromkeys(("", "day", "daily"), "daily {1:02}:{0:02}"),
    **dict.fromkeys(("weekday", "weekdays"), "weekdays {1:02}:{0:02}"),
}
_DAY = re.compile(r"(sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}")
_FILLING = frozenset(("at", "on", "every", "each"))


def near_miss(words: list[str]) -> str:
    """Say what was probably meant, to follow a colon, or "".

    Args:
        words: In small letters.

    Example:
        >>> near_miss(["30m"])
        'did you mean `in 30m` (once) or `every 30m`?'
    """
    if "*" in words:
        return _cron(words)
    meant = (
        _WORDS.get(" ".join(words), "")
        or _length(words)
        or _time_of_day(words)
        or _date(words)
    )
    return f"did you mean {meant}?" if meant else ""


def _cron(words: list[str]) -> str:
    told = f"cron has five fields and this has {len(words)}"
    if len(words) == 6:  # noqa: PLR2004 - with seconds
        told += f"; without seconds it is `{' '.join(words[1:]).upper()}`"
    return told + "."


def _length(words: list[str]) -> str:
    """Understand `30m`, `every 30 minutes`, `every 1h30m`, `in 2 weeks`."""
    lead = words[0] if words and words[0] in {"in", "every"} else ""
    joined = "".join(words[1:] if lead else words)
    if not _LENGTH.fullmatch(joined):
        return ""
    parts = [(int(count), _UNITS.get(unit)) for count, unit in _PART.findall(joined)]
    seconds = sum(count * _SECONDS[unit] for count, unit in parts if unit)
    if not seconds or not all(unit for _, unit in parts):
        return ""
    finest, unit = next(
        (size, unit)
        for unit, size in (("d", 86_400), ("h", 3600), ("m", 60), ("s", 1))
        if seconds % size == 0
    )
    length = f"{seconds // finest}{unit}"
    every = (
        f"`every {length}`" if unit != "s" else "`every 1m`, as minutes are the finest"
    )
    return {"in": f"`in {length}`", "every": every}.get(
        lead, f"`in {length}` (once) or {every}"
    )


def _time_of_day(words: list[str]) -> str:
    """Understand `9am`, `daily at 9:00`, `every monday 17:30`, `weekdays 9 pm`."""
    said = [word for word in words if word not in _FILLING]
    if said[-1:] in (["am"], ["pm"]):
        said = [*said[:-2], "".join(said[-2:])]
    day, clock = (["", *said][-2:]) if len(said) in (1, 2) else ("", "")
    if len(said) == 1 and _DAY.fullmatch(clock):
        day, clock = clock, "9"
    found = _CLOCK.fullmatch(clock)
    if not found:
        return ""
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if half:
        hour = hour % 12 + 12 * (half == "pm")
    hour = 0 if hour == 24 else hour  # noqa: PLR2004 - midnight
    if hour > 23 or minute > 59:  # noqa: PLR2004 - no clock shows them
        return ""
    named = _DAY.fullmatch(day)
    pattern = _DAYS.get(day) or (named and f"{{0}} {{1}} * * {named[1].upper()}")
    return f"`{pattern.format(minute, hour)}`" if pattern else ""


def _date(words: list[str]) -> str:
    """Understand a day without a time, or one that is written carelessly."""
    if words and words[0] in {"tomorrow", "today", "tonight", "next"}:
        return "a day by its date, as `2026-11-23T09:00`"
    found = _DATE.match(words[0]) if words else None
    if not found:
        return ""
    year, month, day = (int(part) for part in found.groups())
    return f"`{year:04}-{month:02}-{day:02}T09:00`"

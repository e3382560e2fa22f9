"""A schedule in plain words, with its next firings: so that who said it sees what it means."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from oldhand.counted import counted
from oldhand.cron.schedule.firings import LAST_US, SECOND_US
from oldhand.cron.schedule.model import Schedule
from oldhand.cron.schedule.zones import load_zone

_SHOWN = 3
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")  # whatever the locale
_UNITS = {"m": "minute", "h": "hour"}


def describe(schedule: Schedule, now_us: int) -> str:
    """Say what a schedule means, and when it fires next, at most three times.

    Args:
        schedule: Any.
        now_us: Microseconds since 1970-01-01 UTC.

    Example:
        >>> from oldhand.cron.schedule import parse_schedule
        >>> now = 1_795_276_800_000_000
        >>> print(describe(parse_schedule("daily 09:00", zone="UTC", now_us=now), now))
        every day at 09:00, by the clock of UTC
        next: Sun 2026-11-22 09:00 UTC (+00:00)
              Mon 2026-11-23 09:00 UTC (+00:00)
              Tue 2026-11-24 09:00 UTC (+00:00)
    """
    place = load_zone(schedule.zone)
    moments = schedule.between(now_us, LAST_US, _SHOWN)
    shown = [show_moment(at_us, place) for at_us in moments]
    lines = [
        _words(schedule, place),
        "next: " + ("\n      ".join(shown) or "never again"),
    ]
    if schedule.note:
        lines.append(f"note: {schedule.note}")
    return "\n".join(lines)


def show_moment(at_us: int, zone: tzinfo) -> str:
    """Write a moment for a person, as `Mon 2026-11-23 09:00 CET (+01:00)`.

    Seconds are shown where there are any; a zone whose abbreviation is only a number, as of
    Apia, shows the offset alone.

    Args:
        at_us: Microseconds since 1970-01-01 UTC.
        zone: Whose clock shows it.
    """
    shown = datetime.fromtimestamp(at_us // SECOND_US, zone)
    seconds = f":{shown.second:02}" if shown.second else ""
    name = shown.tzname() or ""
    return (
        f"{_DAYS[shown.weekday()]} {shown:%Y-%m-%d %H:%M}{seconds} "
        f"{name + ' ' if name.isalpha() else ''}({_offset(shown.utcoffset())})"
    )


def _offset(offset: timedelta | None) -> str:
    minutes = (offset or timedelta()) // timedelta(minutes=1)
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02}:{rest:02}"


def _words(schedule: Schedule, place: tzinfo) -> str:
    if schedule.kind == "once":
        return "once"
    first, _, rest = schedule.text.partition(" ")
    if schedule.kind == "interval":
        begun = show_moment(schedule.anchor_us, place)
        return f"every {_length(rest)}, counted from {begun}"
    match first:
        case "daily":
            said = f"every day at {rest}"
        case "weekdays":
            said = f"Monday to Friday at {rest}"
        case _:
            said = _cron_words(schedule.fields)
    return f"{said}, by the clock of {schedule.zone}"


def _length(length: str) -> str:
    """Write `30m` in words; a day is called what it is here."""
    count, unit = int(length[:-1]), length[-1]
    if unit == "d":
        return "24 hours" if count == 1 else f"{count:,} days of 24 hours"
    noun = _UNITS[unit]
    return noun if count == 1 else counted(count, noun)


def _cron_words(fields: str) -> str:
    from cronsim import CronSim  # noqa: PLC0415 - only crons pay

    simulator = CronSim(fields, datetime(2026, 1, 1))  # noqa: DTZ001 - a clock on a wall
    said = simulator.explain()
    either = "" if simulator.day_and else " (either day)"
    return said[:1].lower() + said[1:] + either

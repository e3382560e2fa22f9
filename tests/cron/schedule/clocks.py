"""What a patient clerk would do: look at a clock each minute and see whether to fire.

He knows nothing of how firings are found, so that what he finds can be held against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from cronsim import CronSim

MINUTE = timedelta(minutes=1)

# A day on which each of these clocks is changed.
CHANGES = [
    ("Europe/Berlin", "2026-03-29"),
    ("Europe/Berlin", "2026-10-25"),
    ("Europe/Dublin", "2026-03-29"),  # its winter time counts as the changed one
    ("Europe/Dublin", "2026-10-25"),
    ("Australia/Lord_Howe", "2026-04-05"),  # by half an hour
    ("Australia/Lord_Howe", "2026-10-04"),
    ("America/Santiago", "2026-04-05"),  # at midnight
    ("America/Santiago", "2026-09-06"),
    ("America/New_York", "2026-03-08"),
    ("America/New_York", "2026-11-01"),
    ("Atlantic/Azores", "2026-03-29"),  # from midnight to one, over UTC
    ("Africa/Casablanca", "2026-02-15"),  # for Ramadan
    ("Antarctica/Troll", "2026-03-29"),  # by two hours
    ("Pacific/Apia", "2011-12-30"),  # a day that was left out
    ("Asia/Kathmandu", "2026-06-01"),  # not at all, and a quarter of an hour off
]


def us(moment: datetime) -> int:
    """Return microseconds since 1970-01-01 UTC."""
    return int(moment.timestamp()) * 1_000_000


def shown(at_us: int, zone: str) -> str:
    """Write a moment as a clock shows it, without the year."""
    return datetime.fromtimestamp(at_us / 1e6, ZoneInfo(zone)).strftime(
        "%m-%d %H:%M %z"
    )


def days_around(day: str) -> tuple[datetime, datetime]:
    """Return when to begin and to stop, a day and more on both sides."""
    middle = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return middle - timedelta(hours=30), middle + timedelta(hours=40)


class Minute(NamedTuple):
    """What a clock shows at a minute, and what it has shown or skipped since the last."""

    at_us: int
    shown: datetime
    is_second_pass: bool
    gone: list[datetime]


@lru_cache(maxsize=40)
def minutes(zone: str, begin: datetime, end: datetime) -> list[Minute]:
    """Look at a clock each minute, after `begin` and not after `end`."""
    place, now, looked = ZoneInfo(zone), begin, []
    before = now.astimezone(place).replace(tzinfo=None)
    while now < end:
        now += MINUTE
        clock = now.astimezone(place)
        shown = clock.replace(tzinfo=None)
        gone = list(_up_to(before, shown))
        looked.append(Minute(us(now), shown, bool(clock.fold), gone))
        before = shown
    return looked


def seen(cron: str, looked: list[Minute]) -> Iterator[int]:
    """Yield when a cron fires, by Debian's rule."""
    fields = CronSim(cron, datetime(2026, 1, 1))  # noqa: DTZ001
    minute, hour = cron.split()[:2]
    follows_the_clock = minute[0] == "*" or hour[0] == "*"
    for each in looked:
        if follows_the_clock:
            is_time = _matches(fields, each.shown)
        else:
            skipped = (_matches(fields, wall) for wall in each.gone)
            is_time = not each.is_second_pass and any(skipped)
        if is_time:
            yield each.at_us


def _up_to(before: datetime, wall: datetime) -> Iterator[datetime]:
    """Yield the minutes that went by on a clock; of one put back, what it shows."""
    each = before + MINUTE if before < wall else wall
    while each <= wall:
        yield each
        each += MINUTE


def _matches(fields: CronSim, wall: datetime) -> bool:
    return (
        wall.minute in fields.minutes
        and wall.hour in fields.hours
        and wall.month in fields.months
        and fields.match_day(wall.date())
    )

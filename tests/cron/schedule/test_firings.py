"""When schedules fire, above all where clocks are changed."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oldhand.cron.schedule import Schedule, parse_schedule
from oldhand.cron.schedule.wall import by_every_pass

from .clocks import CHANGES, days_around, minutes, seen, shown, us

HOUR_US = 3_600_000_000
DAY_US = 24 * HOUR_US
NOW = us(datetime(2026, 1, 1, tzinfo=UTC))


def all_after(schedule: Schedule, begin_us: int, end_us: int) -> list[int]:
    """Ask for one after the other."""
    found: list[int] = []
    at = schedule.next_after(begin_us)
    while at is not None and at <= end_us:
        found.append(at)
        at = schedule.next_after(at)
    return found


def firings(text: str, zone: str, begin: str, count: int) -> list[str]:
    begin_us = us(datetime.fromisoformat(begin).replace(tzinfo=ZoneInfo(zone)))
    schedule = parse_schedule(text, now_us=NOW, zone=zone)
    return [shown(at, zone) for at in schedule.between(begin_us, begin_us * 2, count)]


AROUND_CHANGES = [
    # Nine by the clock stays nine by the clock.
    ("daily 09:00", "Europe/Berlin", "2026-10-24", ["10-24 09:00 +0200", "10-25 09:00 +0100"]),
    ("weekdays 09:00", "Europe/Berlin", "2026-03-27", ["03-27 09:00 +0100", "03-30 09:00 +0200"]),
    # Skipped: once, at the first moment after. Repeated: once, in the first pass.
    ("30 2 * * *", "Europe/Berlin", "2026-03-29", ["03-29 03:00 +0200", "03-30 02:30 +0200"]),
    ("30 2 * * *", "Europe/Berlin", "2026-10-25", ["10-25 02:30 +0200", "10-26 02:30 +0100"]),
    ("0 2,3 * * *", "Europe/Berlin", "2026-03-29", ["03-29 03:00 +0200", "03-30 02:00 +0200"]),
    # A star follows the clock through both passes.
    ("*/30 * * * *", "Europe/Berlin", "2026-03-29T01:00", ["03-29 01:30 +0100", "03-29 03:00 +0200"]),
    ("*/30 * * * *", "Europe/Berlin", "2026-10-25T01:30",
     ["10-25 02:00 +0200", "10-25 02:30 +0200", "10-25 02:00 +0100", "10-25 02:30 +0100", "10-25 03:00 +0100"]),
    ("@hourly", "Europe/Berlin", "2026-10-25T01:00", ["10-25 02:00 +0200", "10-25 02:00 +0100", "10-25 03:00 +0100"]),
    # Half an hour.
    ("0 */3 * * *", "Australia/Lord_Howe", "2026-10-04", ["10-04 03:00 +1100", "10-04 06:00 +1100"]),
    ("15 2 * * *", "Australia/Lord_Howe", "2026-10-04", ["10-04 02:30 +1100", "10-05 02:15 +1100"]),
    ("*/15 * * * *", "Australia/Lord_Howe", "2026-04-05T01:30",
     ["04-05 01:45 +1100", "04-05 01:30 +1030", "04-05 01:45 +1030", "04-05 02:00 +1030"]),
    # Dublin's winter time is the changed one.
    ("30 1 * * *", "Europe/Dublin", "2026-03-29", ["03-29 02:00 +0100", "03-30 01:30 +0100"]),
    ("30 1 * * *", "Europe/Dublin", "2026-10-25", ["10-25 01:30 +0100", "10-26 01:30 +0000"]),
    # Midnight itself is skipped.
    ("@daily", "America/Santiago", "2026-09-05", ["09-06 01:00 -0300", "09-07 00:00 -0300"]),
    ("*/20 1 * * 0", "America/Santiago", "2026-09-05", ["09-06 01:00 -0300", "09-06 01:20 -0300"]),
    # A whole day is skipped.
    ("daily 09:00", "Pacific/Apia", "2011-12-29", ["12-29 09:00 -1000", "12-31 00:00 +1400", "12-31 09:00 +1400"]),
    ("0 */12 * * *", "Pacific/Apia", "2011-12-29T11:00", ["12-29 12:00 -1000", "12-31 00:00 +1400"]),
    ("0 0 29 2 *", "Europe/Berlin", "2026-01-01", ["02-29 00:00 +0100", "02-29 00:00 +0100"]),
    # The very Sundays on which New York has no 02:30; what is skipped for ever ends, too.
    ("30 2 8-14 3 */7", "America/New_York", "2026-01-01", ["03-08 03:00 -0400", "03-14 03:00 -0400"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "zone", "begin", "expected"), AROUND_CHANGES)
def test_it_fires_when_the_clock_says(
    text: str, zone: str, begin: str, expected: list[str]
) -> None:
    assert firings(text, zone, begin, len(expected)) == expected


def test_the_second_pass_comes_though_nothing_follows_it() -> None:
    wall = datetime(2026, 10, 25, 2, 30)  # noqa: DTZ001 - what the clock shows

    found = by_every_pass([wall], ZoneInfo("Europe/Berlin"))

    assert [shown(at * 1_000_000, "Europe/Berlin") for at in found] == [
        "10-25 02:30 +0200",
        "10-25 02:30 +0100",
    ]


def test_24_hours_move_by_the_clock_when_that_is_changed() -> None:
    noon = us(datetime(2026, 10, 24, 12, tzinfo=ZoneInfo("Europe/Berlin")))
    schedule = parse_schedule("every 1d", now_us=noon, zone="Europe/Berlin")

    assert schedule.next_after(noon) == noon + DAY_US
    assert shown(noon + DAY_US, "Europe/Berlin") == "10-25 11:00 +0100"


def test_a_grid_stays_where_it_began_however_late_one_asks() -> None:
    schedule = parse_schedule("every 30m", now_us=NOW + 7, zone="UTC")

    assert schedule.next_after(NOW + 7) == NOW + 7 + HOUR_US // 2
    assert schedule.next_after(NOW + 5 * HOUR_US) == NOW + 7 + 5 * HOUR_US
    assert schedule.next_after(NOW - DAY_US) == NOW + 7 + HOUR_US // 2


def test_once_is_once() -> None:
    schedule = parse_schedule("in 2h", now_us=NOW, zone="UTC")

    assert schedule.next_after(NOW) == NOW + 2 * HOUR_US
    assert schedule.next_after(NOW + 2 * HOUR_US - 1) == NOW + 2 * HOUR_US
    assert schedule.next_after(NOW + 2 * HOUR_US) is None


def test_there_is_an_end_of_time_and_a_beginning() -> None:
    for text in ("daily 09:00", "* * * * *", "every 1h", "0 0 29 2 *"):
        schedule = parse_schedule(text, now_us=NOW, zone="Europe/Berlin")

        assert schedule.next_after(10**18) is None
        assert schedule.next_after(-(10**18)) is not None


def test_between_leaves_out_its_beginning_and_takes_in_its_end() -> None:
    schedule = parse_schedule("every 1h", now_us=NOW, zone="UTC")
    first, second = NOW + HOUR_US, NOW + 2 * HOUR_US

    assert schedule.between(first, second, 9) == [second]
    assert schedule.between(NOW, second, 1) == [first]
    assert schedule.between(NOW, second, 0) == []
    assert schedule.between(second, first, 9) == []


MINUTES = ["*", "*/7", "*/30", "0", "30", "15", "5,45", "59", "10-20/5"]
HOURS = ["*", "*/2", "*/3", "0", "1", "2", "3", "1-3", "23", "0-4", "0-23", "1,2,12"]
DAYS = ["* * *", "* * 0", "* * 6", "* * 1-5", "L * *", "1 * 0", "*/2 * *"]
CRONS = st.tuples(*(st.sampled_from(each) for each in (MINUTES, HOURS, DAYS))).map(
    " ".join
)


@settings(max_examples=100)
@given(CRONS, st.sampled_from(CHANGES))
@example("0 */3 * * *", ("Australia/Lord_Howe", "2026-10-04"))
@example("*/7 0-4 * * 0", ("America/Santiago", "2026-09-06"))
@example("30 1-3 * * *", ("Europe/Berlin", "2026-10-25"))
def test_cron_fires_whenever_one_who_looks_each_minute_would(
    cron: str, change: tuple[str, str]
) -> None:
    zone, day = change
    begin, end = days_around(day)
    schedule = parse_schedule(cron, now_us=NOW, zone=zone)

    found = all_after(schedule, us(begin), us(end))

    assert found == list(seen(cron, minutes(zone, begin, end)))


@settings(max_examples=150)
@given(
    CRONS, st.sampled_from(CHANGES), st.integers(1, 48 * 60), st.integers(0, 59_999_999)
)
@example("30 2 * * *", ("Europe/Berlin", "2026-10-25"), 31 * 60 + 10, 0)
@example("*/30 * * * *", ("Europe/Berlin", "2026-10-25"), 30 * 60 + 35, 1)
def test_wherever_one_begins_the_next_is_the_same(
    cron: str, change: tuple[str, str], gone_minutes: int, rest_us: int
) -> None:
    """Also amid a repeated hour, in either pass."""
    zone, day = change
    begin, end = days_around(day)
    at_us = us(begin) + gone_minutes * 60_000_000 + rest_us
    schedule = parse_schedule(cron, now_us=NOW, zone=zone)

    found = schedule.next_after(at_us)

    fired = seen(cron, minutes(zone, begin, end))
    expected = next((each for each in fired if each > at_us), None)
    assert found == expected or (expected is None and (found or 0) > us(end))


ANY_SCHEDULE = st.one_of(
    CRONS,
    st.sampled_from(
        ["@hourly", "@yearly", "daily 02:30", "weekdays 00:00", "0 0 29 2 *"]
    ),
    st.integers(1, 5_000).map("every {}m".format),
    st.integers(1, 5_000).map("in {}h".format),
)
MOMENTS = st.integers(NOW - 20 * 365 * DAY_US, NOW + 20 * 365 * DAY_US)


@given(ANY_SCHEDULE, st.sampled_from(CHANGES), MOMENTS)
def test_firings_come_after_each_other_and_agree(
    text: str, change: tuple[str, str], at_us: int
) -> None:
    schedule = parse_schedule(text, now_us=NOW, zone=change[0])
    first = schedule.next_after(at_us)
    if first is None:
        assert schedule.kind == "once"
        return

    second = schedule.next_after(first)

    assert at_us < first
    assert second is None or first < second
    assert schedule.next_after(first - 1) == first


@given(ANY_SCHEDULE, st.sampled_from(CHANGES), MOMENTS, st.integers(0, 12))
def test_between_is_one_after_the_other(
    text: str, change: tuple[str, str], at_us: int, limit: int
) -> None:
    schedule = parse_schedule(text, now_us=NOW, zone=change[0])
    until_us = at_us + 3 * HOUR_US

    found = schedule.between(at_us, until_us, limit)

    assert found == all_after(schedule, at_us, until_us)[:limit]


@given(ANY_SCHEDULE, st.sampled_from(CHANGES))
def test_what_was_stored_is_read_back(text: str, change: tuple[str, str]) -> None:
    schedule = parse_schedule(text, now_us=NOW, zone=change[0])

    assert Schedule.from_json(schedule.to_json()) == schedule

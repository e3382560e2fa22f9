"""What may be said for a schedule, and what is told to who says something else."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.cron.schedule import Schedule, parse_schedule
from oldhand.errors import InvalidInput

from .clocks import us

NOW = us(datetime(2026, 11, 21, 16, tzinfo=UTC))
SECOND_US = 1_000_000

KEPT = [
    ("in 90s", "once", "2026-11-21T17:01:30+01:00"),
    ("in 30m", "once", "2026-11-21T17:30:00+01:00"),
    ("in 1d", "once", "2026-11-22T17:00:00+01:00"),
    (" EVERY   30m\n", "interval", "every 30m"),
    ("every 1d", "interval", "every 1d"),
    ("Daily 09:00", "cron", "daily 09:00"),
    ("weekdays 23:59", "cron", "weekdays 23:59"),
    ("@Weekly", "cron", "@weekly"),
    ("0  9 * * mon-fri", "cron", "0 9 * * MON-FRI"),
    ("0 17 * * 5l", "cron", "0 17 * * 5L"),
    ("5/20 * * * 1#2", "cron", "5/20 * * * 1#2"),
    ("*/60 */24 1-7 * */7", "cron", "*/60 */24 1-7 * */7"),
    ("0 0 * * 7", "cron", "0 0 * * 7"),
    ("0 0 * * 5-7", "cron", "0 0 * * 5-7"),
    ("2026-11-23T09:00", "once", "2026-11-23T09:00:00+01:00"),
    ("2026-11-23 09:00:30", "once", "2026-11-23T09:00:30+01:00"),
    ("2026-11-23T09:00:00.000Z", "once", "2026-11-23T10:00:00+01:00"),
    ("2026-11-23T09:00-08:00", "once", "2026-11-23T18:00:00+01:00"),
]


@pytest.mark.parametrize(("text", "kind", "kept"), KEPT)
def test_what_is_accepted_is_kept_in_one_form(text: str, kind: str, kept: str) -> None:
    schedule = parse_schedule(text, now_us=NOW, zone="Europe/Berlin")

    assert (schedule.kind, schedule.text, schedule.zone) == (
        kind,
        kept,
        "Europe/Berlin",
    )


@pytest.mark.parametrize("text", [kept for _, _, kept in KEPT])
def test_what_is_kept_is_accepted_and_kept_as_it_is(text: str) -> None:
    assert parse_schedule(text, now_us=NOW, zone="Europe/Berlin").text == text


NEAR_MISSES = [
    ("30m", "did you mean `in 30m` (once) or `every 30m`?"),
    ("90 seconds", "did you mean `in 90s` (once) or `every 1m`, as minutes are"),
    ("every 30 minutes", "did you mean `every 30m`?"),
    ("every 1h30m", "did you mean `every 90m`?"),
    ("every 90s", "did you mean `every 1m`, as minutes are the finest?"),
    ("in 2 weeks", "did you mean `in 14d`?"),
    ("every day", "did you mean `daily 09:00` or `every 1d`?"),
    ("daily", "did you mean `daily 09:00`?"),
    ("daily 9:00", "did you mean `daily 09:00`?"),
    ("daily 24:00", "did you mean `daily 00:00`?"),
    ("every day at 12 am", "did you mean `daily 00:00`?"),
    ("17:30", "did you mean `daily 17:30`?"),
    ("every weekday at 9am", "did you mean `weekdays 09:00`?"),
    ("every monday at 5 pm", "did you mean `0 17 * * MON`?"),
    ("mondays", "did you mean `0 9 * * MON`?"),
    ("hourly", "did you mean `@hourly`?"),
    ("@midnight", "did you mean `@daily`?"),
    ("tomorrow 9am", "did you mean a day by its date"),
    ("2026-1-3 9:00", "did you mean `2026-01-03T09:00`?"),
    ("0 0 9 * * 1", "cron has five fields and this has 6; without seconds it is `0 9 * * 1`."),
    ("0 9 * *", "cron has five fields and this has 4."),
    ("every\u00a030m", "it has characters beyond ASCII"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), NEAR_MISSES)
def test_a_near_miss_is_named_beside_what_is_accepted(text: str, told: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_schedule(text, now_us=NOW, zone="UTC")

    assert told in str(caught.value)
    assert "Expected `in 30m`, `every 1h`, `daily 09:00`" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "in",
        "every",
        "in 5",
        "daily x",
        "@reboot",
        "20261123T0900",
        "2026-W47-1",
    ],
)
def test_anything_else_is_told_what_is_accepted(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"is no schedule\. Expected `in 30m`"):
        parse_schedule(text, now_us=NOW, zone="UTC")


REFUSED = [
    ("60 * * * *", "minute of a cron is '60'; expected 0 to 59"),
    ("0 24 * * *", "hour of a cron is '24'; expected 0 to 23"),
    ("0 0 32 * *", "day-of-month of a cron is '32'; expected 1 to 31"),
    ("0 0 1 SEPT *", "month of a cron is 'SEPT'; expected 1 to 12 or JAN to DEC"),
    ("0 0 * * 8", "day-of-week of a cron is '8'; expected 0 to 7 or SUN to SAT"),
    ("0 0 * * FRI-MON", "an upward -"),
    ("0 9 ? * *", "day-of-month of a cron is '?'"),
    ("*/0 * * * *", "minute of a cron is '*/0'; expected 0 to 59"),
    ("*/90 * * * *", "steps begin anew with each hour, so expected at most 60; did you mean `every 90m`?"),
    ("0 */48 * * *", "did you mean `every 48h`?"),
    ("0 0 1 */18 *", "steps begin anew with each year, so expected at most 12"),
    ("0 0 30 2 *", "'0 0 30 2 *' never fires"),
    ("0 0 31 4,6 *", "never fires"),
    ("0 0 */29 2 MON#5", "never fires"),
    ("in 0m", "expected from 1s to 3650d"),
    ("every 0m", "expected from 1m to 3650d"),
    ("every 3651d", "expected from 1m to 3650d"),
    ("2026-02-30T09:00", "expected a day that exists"),
    ("2020-01-01T09:00", "has gone by: it is 2026-11-21T16:00:00+00:00"),
    ("2036-12-01T09:00", "over ten years off"),
    ("9" * 201, "a schedule of 201 characters; expected at most 200"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), REFUSED)
def test_what_is_wrong_with_a_value_is_told(text: str, told: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_schedule(text, now_us=NOW, zone="UTC")

    assert told in str(caught.value)


def test_a_cron_whose_times_are_always_skipped_never_fires() -> None:
    with pytest.raises(InvalidInput, match="never fires"):
        parse_schedule("*/30 2 8-14 3 */7", now_us=NOW, zone="America/New_York")


def test_a_moment_that_went_by_while_it_was_written_is_the_next_second() -> None:
    schedule = parse_schedule("2026-11-21T15:59:30", now_us=NOW, zone="UTC")

    assert schedule.next_after(NOW) == NOW + SECOND_US
    assert "has just gone by" in schedule.note
    with pytest.raises(InvalidInput, match="has gone by"):
        parse_schedule("2026-11-21T15:58:59", now_us=NOW, zone="UTC")


def test_a_delay_is_never_shorter_than_said() -> None:
    schedule = parse_schedule("in 90s", now_us=NOW + 1, zone="UTC")

    assert schedule.next_after(NOW + 1) == NOW + 91 * SECOND_US


@pytest.mark.parametrize(
    ("text", "kept", "told"),
    [
        ("2027-03-28T02:30", "2027-03-28T03:00:00+02:00", "is skipped"),
        ("2027-10-31T02:30", "2027-10-31T02:30:00+02:00", "comes twice"),
        ("2027-10-31T02:30+01:00", "2027-10-31T02:30:00+01:00", ""),
    ],
)
def test_a_local_time_that_is_skipped_or_repeated_is_decided_and_told(
    text: str, kept: str, told: str
) -> None:
    schedule = parse_schedule(text, now_us=NOW, zone="Europe/Berlin")

    assert schedule.text == kept
    assert told in schedule.note
    assert bool(told) == bool(schedule.note)


def test_a_moment_that_has_gone_by_is_read_back() -> None:
    schedule = parse_schedule("2027-03-28T02:30", now_us=NOW, zone="Europe/Berlin")

    later = Schedule.from_json(schedule.to_json())

    assert later == schedule
    assert later.next_after(us(datetime(2030, 1, 1, tzinfo=UTC))) is None


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "[]",
        "{",
        "[" * 100_000,
        "{}",
        '{"text": "in 30m", "zone": "UTC"}',
        '{"text": 5, "zone": "UTC"}',
        '{"text": "every 1h", "zone": 5}',
        '{"text": "every 1h", "zone": "UTC", "anchor_us": "0"}',
        '{"text": "every 1h", "zone": "UTC", "anchor_us": -1}',
        '{"text": "every 1h", "zone": "UTC", "anchor_us": 1e30}',
        '{"text": "every 1h", "zone": "Mars/Base", "anchor_us": 0}',
        '{"text": "0 0 31 2 *", "zone": "UTC"}',
        '{"text": "1066-10-14T09:00Z", "zone": "UTC"}',
        '{"text": "9999-12-31T23:59Z", "zone": "Asia/Tokyo"}',
        '{"text": "daily 09:00", "zone": "UTC", "note": 5}',
    ],
)
def test_what_is_stored_wrongly_is_refused(stored: str) -> None:
    with pytest.raises(InvalidInput):
        Schedule.from_json(stored)


CRON_LIKE = st.lists(
    st.text("0123456789*/,-#LW?JANMONSUN", min_size=1, max_size=7),
    min_size=5,
    max_size=5,
).map(" ".join)
WORDS = st.sampled_from(
    ["in", "every", "daily", "weekdays", "at", "9am", "30m", "1h30m", "09:00", "monday", "*",
     "0", "@daily", "tomorrow", "2026-11-30", "2026-11-30t09:00", "99999999999999999999d"]
)  # fmt: skip


@given(st.one_of(st.text(), CRON_LIKE, st.lists(WORDS, max_size=7).map(" ".join)))
def test_any_text_is_a_schedule_that_fires_or_refused(text: str) -> None:
    try:
        schedule = parse_schedule(text, now_us=NOW, zone="Europe/Berlin")
    except InvalidInput:
        return

    assert (schedule.next_after(NOW) or 0) > NOW
    assert Schedule.from_json(schedule.to_json()) == schedule


@given(
    st.datetimes(datetime(2026, 11, 22), datetime(2036, 11, 1)),  # noqa: DTZ001
    st.sampled_from(
        ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/Santiago"]
    ),
)
def test_any_moment_to_come_is_kept_to_the_second(said: datetime, zone: str) -> None:
    text = said.replace(microsecond=0, tzinfo=UTC).isoformat()

    schedule = parse_schedule(text, now_us=NOW, zone=zone)

    assert schedule.anchor_us == us(said.replace(tzinfo=UTC))
    assert Schedule.from_json(schedule.to_json()) == schedule


@given(st.none() | st.booleans() | st.floats() | st.text() | st.lists(st.integers()))
def test_any_json_is_a_schedule_or_refused(value: object) -> None:
    stored = json.dumps({"text": "every 1h", "zone": "UTC", "anchor_us": value})

    with pytest.raises(InvalidInput):
        Schedule.from_json(stored)


def test_only_a_cron_imports_cronsim() -> None:
    program = (
        "import sys; from oldhand.cron.schedule import parse_schedule;"
        "parse_schedule('every 1h', now_us=0, zone='UTC').next_after(0);"
        "assert not {'cronsim', 'zoneinfo'} & set(sys.modules);"
        "parse_schedule('@hourly', now_us=0, zone='UTC');"
        "assert 'cronsim' in sys.modules"
    )

    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_machines_zone_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert parse_schedule("daily 09:00", now_us=NOW).zone == "Asia/Tokyo"

    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    schedule = parse_schedule("daily 09:00", now_us=NOW)
    assert schedule.zone == "UTC"
    assert "so times are in UTC" in schedule.note


def test_an_anchor_is_when_it_was_said() -> None:
    said = us(datetime(2026, 11, 21, 16, 7, tzinfo=UTC))
    schedule = parse_schedule("every 1h", now_us=said, zone="UTC")

    later = Schedule.from_json(schedule.to_json())

    a_week = timedelta(days=7)
    assert later.next_after(said + a_week // timedelta(microseconds=1) - 1) == us(
        datetime(2026, 11, 28, 16, 7, tzinfo=UTC)
    )

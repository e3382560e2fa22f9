"""Schedules in plain words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from oldhand.cron.schedule import describe, load_zone, parse_schedule, show_moment

from .clocks import us

NOW = us(datetime(2026, 11, 21, 16, 0, 12, tzinfo=UTC))

WORDS = [
    ("in 30m", "once"),
    ("every 1h", "every hour, counted from Sat 2026-11-21 17:00:12 CET (+01:00)"),
    ("every 90m", "every 90 minutes, counted from Sat 2026-11-21 17:00:12 CET (+01:00)"),
    ("every 1d", "every 24 hours, counted from Sat 2026-11-21 17:00:12 CET (+01:00)"),
    ("every 7d", "every 7 days of 24 hours, counted from Sat 2026-11-21 17:00:12 CET (+01:00)"),
    ("daily 09:00", "every day at 09:00, by the clock of Europe/Berlin"),
    ("weekdays 09:00", "Monday to Friday at 09:00, by the clock of Europe/Berlin"),
    ("@monthly", "at 00:00 on the first day of every month, by the clock of Europe/Berlin"),
    ("0 9 13 * 5", "at 09:00 on the 13th day of month and on Friday (either day), by the clock of Europe/Berlin"),
    ("0 9 * * 1-5", "at 09:00 on Monday through Friday, by the clock of Europe/Berlin"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_a_schedule_is_said_in_plain_words(text: str, words: str) -> None:
    schedule = parse_schedule(text, now_us=NOW, zone="Europe/Berlin")

    assert describe(schedule, NOW).splitlines()[0] == words


def test_the_next_three_firings_stand_below_with_their_zone() -> None:
    before_spring = us(datetime(2027, 3, 26, 12, tzinfo=UTC))
    schedule = parse_schedule("daily 09:00", now_us=NOW, zone="Europe/Berlin")

    assert describe(schedule, before_spring).splitlines()[1:] == [
        "next: Sat 2027-03-27 09:00 CET (+01:00)",
        "      Sun 2027-03-28 09:00 CEST (+02:00)",
        "      Mon 2027-03-29 09:00 CEST (+02:00)",
    ]


def test_what_was_decided_and_that_it_is_over_are_said() -> None:
    schedule = parse_schedule("2027-10-31T02:30", now_us=NOW, zone="Europe/Berlin")

    assert describe(schedule, NOW).splitlines()[1:] == [
        "next: Sun 2027-10-31 02:30 CEST (+02:00)",
        "note: 2027-10-31T02:30:00 comes twice, as the clock is put back there; the first is "
        "taken: 2027-10-31T02:30:00+02:00",
    ]
    assert "next: never again" in describe(schedule, schedule.anchor_us)


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("UTC", "Sat 2026-11-21 16:00:12 UTC (+00:00)"),
        ("America/New_York", "Sat 2026-11-21 11:00:12 EST (-05:00)"),
        ("America/St_Johns", "Sat 2026-11-21 12:30:12 NST (-03:30)"),
        ("Pacific/Apia", "Sun 2026-11-22 05:00:12 (+13:00)"),
    ],
)
def test_a_moment_is_shown_with_its_zone_and_offset(zone: str, shown: str) -> None:
    assert show_moment(NOW, load_zone(zone)) == shown

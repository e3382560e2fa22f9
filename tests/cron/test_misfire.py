"""What becomes of firings that nobody was there for."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.cron.misfire import MOST_AT_ONCE, plan
from oldhand.cron.model import Job, JobSpec
from oldhand.cron.schedule import parse_schedule

from .acting import DAY, HOUR, MINUTE, SECOND

START = 1_767_268_800 * SECOND


def job(schedule: str = "every 1m", *, fired: int = 0, **fields: Any) -> Job:
    """A job that was made at START, and is due for the first time since."""
    spec = JobSpec("Look", schedule, **fields)
    read = parse_schedule(schedule, zone="UTC", now_us=START)
    due = read.next_after(START)
    return Job(1, "j", spec, read, 1, "scheduled", "", due, fired, (), "", START, START)


def test_what_is_due_on_time_runs() -> None:
    made = plan(job(), START + MINUTE)

    assert [(each.due_us, each.missed) for each in made.firings] == [
        (START + MINUTE, "")
    ]
    assert made.next_due_us == START + 2 * MINUTE


def test_nothing_is_planned_before_its_time() -> None:
    made = plan(job(), START + MINUTE - 1)

    assert made.firings == []
    assert made.next_due_us == START + MINUTE


def test_of_many_missed_firings_the_last_runs_and_the_others_are_one_row() -> None:
    made = plan(job(), START + 10 * MINUTE + 7 * SECOND)

    first, last = made.firings
    assert (first.due_us, last.due_us) == (START + MINUTE, START + 10 * MINUTE)
    assert "9 firings until 2026-01-01T12:10:00" in first.missed
    assert last.missed == ""
    assert made.next_due_us == START + 11 * MINUTE


def test_all_missed_firings_run_where_that_is_asked_for() -> None:
    made = plan(job(on_misfire="all"), START + 5 * MINUTE)

    assert [each.due_us for each in made.firings] == [
        START + n * MINUTE for n in range(1, 6)
    ]
    assert not any(each.missed for each in made.firings)


def test_of_very_many_firings_that_are_made_up_the_newest_run() -> None:
    made = plan(job(on_misfire="all"), START + 12 * HOUR)

    first, *rest = made.firings
    assert "620 firings" in first.missed
    assert len(rest) == MOST_AT_ONCE
    assert rest[-1].due_us == START + 12 * HOUR


def test_more_firings_than_are_counted_are_said_to_be_more() -> None:
    made = plan(job(), START + 7 * DAY)

    assert "1,000 or more firings" in made.firings[0].missed


@pytest.mark.parametrize(
    ("late_us", "runs"), [(30 * SECOND, True), (MINUTE + 1, False)]
)
def test_one_that_skips_runs_only_what_is_on_time(late_us: int, *, runs: bool) -> None:
    hourly = job("every 1h", on_misfire="skip")

    [firing] = plan(hourly, START + HOUR + late_us).firings

    assert (firing.missed == "") is runs


def test_what_is_later_than_its_grace_is_missed() -> None:
    daily = job("daily 09:00", grace_seconds=600)
    assert daily.next_due_us is not None

    [firing] = plan(daily, daily.next_due_us + 601 * SECOND).firings

    assert "nobody was there for 601 s" in firing.missed


def test_a_grace_below_a_minute_leaves_a_minute() -> None:
    made = plan(job("every 1h", grace_seconds=0), START + HOUR + 50 * SECOND)

    assert [each.missed for each in made.firings] == [""]


def test_the_last_of_so_many_repeats_completes_a_job() -> None:
    made = plan(job(repeat=3, fired=2), START + MINUTE)

    assert made.next_due_us is None
    assert [each.missed for each in made.firings] == [""]


def test_what_is_made_up_counts_as_repeats() -> None:
    made = plan(job(repeat=3, on_misfire="all"), START + 9 * MINUTE)

    assert made.next_due_us is None
    assert sum(not each.missed for each in made.firings) == 3


def test_a_missed_firing_is_no_repeat() -> None:
    made = plan(job("every 1h", repeat=1, grace_seconds=60), START + HOUR + 9 * MINUTE)

    assert made.next_due_us == START + 2 * HOUR


def test_a_single_time_that_was_missed_within_its_grace_runs_late() -> None:
    made = plan(job("in 30m"), START + 2 * HOUR)

    assert [each.missed for each in made.firings] == [""]
    assert made.next_due_us is None


def test_a_single_time_beyond_its_grace_is_missed_and_over() -> None:
    made = plan(job("in 30m"), START + 2 * DAY)

    assert [bool(each.missed) for each in made.firings] == [True]
    assert made.next_due_us is None

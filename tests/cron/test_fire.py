"""Jobs that are due become rows, each time once."""

from __future__ import annotations

import threading

import pytest

from oldhand.cron.claims import claim
from oldhand.cron.fire import AT_ONCE, fire_due, reckon_anew
from oldhand.cron.jobs import find_job
from oldhand.cron.model import Job, OnOverlap
from oldhand.store import Store
from oldhand.testing import FakeClock

from .acting import DAY, HOUR, MINUTE, change, count, fire, made, runs_of, states_of


def due_of(job: Job) -> int:
    assert job.next_due_us is not None
    return job.next_due_us


def test_a_firing_is_a_row_that_waits(any_store: Store, clock: FakeClock) -> None:
    job = made(any_store, clock)

    fire(any_store, due_of(job))

    [run] = runs_of(any_store, job)
    assert (run.state, run.started_at_us) == ("due", due_of(job))
    assert find_job(any_store, job.uid).next_due_us == due_of(job) + MINUTE


def test_many_missed_firings_are_one_row_that_says_how_many(
    any_store: Store, clock: FakeClock
) -> None:
    job = made(any_store, clock)

    fire(any_store, due_of(job) + 20 * MINUTE)

    missed, due = runs_of(any_store, job)
    assert (missed.state, due.state) == ("missed", "due")
    assert missed.end_reason is not None
    assert "20 firings" in missed.end_reason
    assert find_job(any_store, job.uid).fired_count == 1


@pytest.mark.parametrize(
    ("overlap", "second"), [("skip", "skipped"), ("queue", "due"), ("allow", "due")]
)
def test_the_next_firing_while_a_run_waits_is_what_the_job_wants(
    any_store: Store, clock: FakeClock, overlap: OnOverlap, second: str
) -> None:
    job = made(any_store, clock, on_overlap=overlap)
    fire(any_store, due_of(job))

    fire(any_store, due_of(job) + MINUTE)

    assert states_of(any_store, job) == ["due", second]


@pytest.mark.parametrize(("overlap", "taken"), [("queue", 1), ("allow", 2)])
def test_runs_of_a_job_that_queues_are_taken_up_one_by_one(
    any_store: Store, clock: FakeClock, overlap: OnOverlap, taken: int
) -> None:
    job = made(any_store, clock, on_overlap=overlap)
    for number in range(2):
        fire(any_store, due_of(job) + number * MINUTE)
    now = due_of(job) + HOUR

    first = claim(any_store, "one", limit=9, now_us=now)
    second = claim(any_store, "two", limit=9, now_us=now)

    assert (len(first), len(second)) == (taken, 0)


def test_a_job_that_completes_fires_no_more(any_store: Store, clock: FakeClock) -> None:
    job = made(any_store, clock, repeat=2, on_overlap="queue")

    for number in range(4):
        fire(any_store, due_of(job) + number * MINUTE)

    assert states_of(any_store, job) == ["due", "due"]
    assert find_job(any_store, job.uid).state == "completed"


def test_what_fired_before_the_clock_was_set_back_fires_once(
    any_store: Store, clock: FakeClock
) -> None:
    job = made(any_store, clock, on_overlap="queue")
    fire(any_store, due_of(job))
    fire(any_store, due_of(job) + MINUTE)
    back = due_of(job) - MINUTE // 2

    reckoned = reckon_anew(any_store, now_us=back)
    assert find_job(any_store, job.uid).next_due_us == due_of(job)
    for number in range(3):
        fire(any_store, due_of(job) + number * MINUTE)

    assert reckoned == 1
    dues = [run.started_at_us for run in runs_of(any_store, job)]
    assert dues == [due_of(job) + number * MINUTE for number in range(3)]
    assert find_job(any_store, job.uid).fired_count == 3


def test_a_repeat_is_not_used_up_by_what_is_on_record_already(
    any_store: Store, clock: FakeClock
) -> None:
    job = made(any_store, clock, repeat=2, on_overlap="queue")
    fire(any_store, due_of(job))
    reckon_anew(any_store, now_us=due_of(job) - MINUTE // 2)

    fire(any_store, due_of(job))
    assert find_job(any_store, job.uid).state == "scheduled"
    fire(any_store, due_of(job) + MINUTE)

    assert len(runs_of(any_store, job)) == 2
    assert find_job(any_store, job.uid).state == "completed"


def test_a_clock_that_was_a_year_ahead_leaves_jobs_due_again(
    any_store: Store, clock: FakeClock
) -> None:
    job = made(any_store, clock, schedule="every 1h")
    now = clock()
    fire(any_store, now + 365 * DAY)

    assert reckon_anew(any_store, now_us=now) == 1
    assert reckon_anew(any_store, now_us=now) == 0
    fire(any_store, due_of(job))  # that one is on record as missed
    fire(any_store, due_of(job) + HOUR)

    states = states_of(any_store, job)
    assert states == ["missed", "due", "skipped"]  # the one of next year waits
    assert find_job(any_store, job.uid).next_due_us == due_of(job) + 2 * HOUR


def test_a_single_time_still_to_come_stays_when_the_clock_is_set_back(
    any_store: Store, clock: FakeClock
) -> None:
    job = made(any_store, clock, schedule="in 2h")

    reckon_anew(any_store, now_us=clock() - DAY)

    assert find_job(any_store, job.uid).next_due_us == due_of(job)


BROKEN = {
    "no JSON": "spec = 'no'",
    "another shape": "spec = '[1]'",
    "a limit of no kind": 'spec = \'{"limits": {"wall": 3}}\'',
    "a repeat of no number": 'spec = \'{"repeat": "x"}\'',
    "a zone that is gone": (
        'schedule = \'{"text": "daily 09:00", "zone": "Europe/Nowhere"}\''
    ),
    "flags of no kind": "flags = '}'",
}


@pytest.mark.parametrize("damage", BROKEN.values(), ids=BROKEN.keys())
def test_a_job_that_cannot_be_read_is_paused_and_stops_no_other(
    any_store: Store, clock: FakeClock, damage: str
) -> None:
    bad = made(any_store, clock, prompt="bad")
    good = made(any_store, clock, prompt="good")
    change(any_store, f"UPDATE jobs SET {damage} WHERE name = 'bad'")  # noqa: S608

    fire(any_store, due_of(good))

    assert states_of(any_store, good) == ["due"]
    assert states_of(any_store, bad) == []
    paused = "SELECT count(*) FROM jobs WHERE state = 'paused' AND reason LIKE 'it cannot be fired: %'"
    assert count(any_store, paused) == 1


def test_a_job_that_cannot_be_read_does_not_keep_others_from_being_reckoned(
    any_store: Store, clock: FakeClock
) -> None:
    made(any_store, clock, prompt="bad")
    good = made(any_store, clock, prompt="good", schedule="* * * * *")
    change(any_store, "UPDATE jobs SET schedule = 'no' WHERE name = 'bad'")

    reckon_anew(any_store, now_us=clock() - DAY)

    due = find_job(any_store, good.uid).next_due_us
    assert due is not None
    assert due <= clock() - DAY + MINUTE


def test_more_jobs_than_fit_into_one_transaction_all_fire(
    store: Store, clock: FakeClock
) -> None:
    with store.transaction():
        jobs = [made(store, clock, prompt=f"job {n}") for n in range(AT_ONCE + 3)]

    first = fire_due(store, now_us=due_of(jobs[0]))
    second = fire_due(store, now_us=due_of(jobs[0]))

    assert (first, second) == (AT_ONCE, 3)
    assert states_of(store) == ["due"] * (AT_ONCE + 3)


def test_two_who_fire_at_once_fire_each_job_once(
    shared_store: Store, clock: FakeClock
) -> None:
    with shared_store.transaction():
        jobs = [
            made(shared_store, clock, prompt=f"job {n}", on_overlap="queue")
            for n in range(300)
        ]
    start = threading.Barrier(2)

    def race() -> None:
        one = shared_store.another()
        start.wait()
        for minute in range(3):
            fire(one, due_of(jobs[0]) + minute * MINUTE)
        one.close()

    threads = [threading.Thread(target=race) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fire(shared_store, due_of(jobs[0]) + 2 * MINUTE)

    twice = """SELECT count(*) FROM (SELECT 1 FROM job_runs
        GROUP BY job_id, due_us HAVING count(*) > 1) AS found"""
    assert count(shared_store, twice) == 0
    assert count(shared_store, "SELECT count(*) FROM job_runs") >= 600
    assert (
        find_job(shared_store, jobs[7].uid).next_due_us == due_of(jobs[0]) + 3 * MINUTE
    )

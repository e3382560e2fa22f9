"""Much at once, and two at once: all of it runs, each firing once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from oldhand.cron.jobs import create_job, edit_job, trigger_job
from oldhand.cron.model import JobSpec
from oldhand.cron.scheduler import Scheduler
from oldhand.store import Query, Store, open_database
from oldhand.testing import FakeClock

from .acting import (
    DAY,
    HOUR,
    MINUTE,
    Says,
    Waits,
    change,
    finish_all,
    fire,
    made,
    runs_of,
    states_of,
)


@pytest.mark.timeout(120)
def test_ten_thousand_jobs_due_at_once_after_a_week_all_run_and_others_write_meanwhile(
    tmp_path: Path,
) -> None:
    store = open_database(str(tmp_path / "oldhand.db"))
    clock = FakeClock()
    with store.transaction():
        for number in range(100):
            made(store, clock, prompt=f"job {number}")
        copies = """INSERT INTO jobs (uid, name, spec, schedule, next_due_us,
            reckoned_at_us, created_by, created_at_us, updated_at_us)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
            SELECT uid || i, name || ' ' || i, spec, schedule, next_due_us,
                reckoned_at_us, created_by, created_at_us, updated_at_us FROM jobs, n"""
        change(store, copies)
    clock.advance(7 * DAY)
    put = Query("put", "INSERT INTO kv VALUES (:key, '')", "")
    other = store.another()
    written, is_over = [0], threading.Event()

    def write() -> None:
        while not is_over.is_set():
            other.execute(put, (f"other{written[0]}",))
            written[0] += 1

    runner = Says()
    with Scheduler(store, {"command": runner}, places=64, clock=clock) as scheduler:
        thread = threading.Thread(target=write)
        thread.start()
        before = written[0]
        made_pass = scheduler.tick()
        between = written[0] - before
        is_over.set()
        thread.join()
        finish_all(scheduler, clock())
    other.close()

    assert made_pass.fired == 10_000
    assert between >= 3
    assert len(runner.tasks) == 10_000
    states = {state: states_of(store).count(state) for state in ("missed", "succeeded")}
    assert states == {"missed": 10_000, "succeeded": 10_000}
    store.close()


def test_two_schedulers_run_each_firing_of_a_job_once(
    shared_store: Store, clock: FakeClock
) -> None:
    with shared_store.transaction():
        jobs = [made(shared_store, clock, prompt=f"job {n}") for n in range(30)]
    runner = Says()
    schedulers = [
        Scheduler(shared_store, {"command": runner}, clock=clock) for _ in range(2)
    ]
    clock.advance(MINUTE)
    threads = [
        threading.Thread(target=finish_all, args=(each, clock())) for each in schedulers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    finish_all(schedulers[0], clock())
    for each in schedulers:
        each.close()

    assert states_of(shared_store) == ["succeeded"] * 30
    assert len({task.run_id for task in runner.tasks}) == len(runner.tasks) == 30
    assert {len(runs_of(shared_store, job)) for job in jobs} == {1}


def test_a_job_that_goes_one_by_one_never_runs_beside_itself(
    shared_store: Store, clock: FakeClock
) -> None:
    job = made(shared_store, clock, on_overlap="queue", on_misfire="all")
    clock.advance(6 * MINUTE)
    fire(shared_store, clock())
    waits = Waits()
    schedulers = [
        Scheduler(shared_store, {"command": waits}, clock=clock) for _ in range(2)
    ]
    for _ in range(6):
        for each in schedulers:
            each.tick()
        assert waits.begun.acquire(timeout=10)
        waits.go.set()
        for each in schedulers:
            each.join()
        waits.go.clear()
    for each in schedulers:
        each.close()

    assert waits.most_at_once == 1
    assert states_of(shared_store, job) == ["succeeded"] * 6


def test_a_run_that_waits_for_another_of_its_job_costs_no_time(
    any_store: Store, clock: FakeClock
) -> None:
    waits = Waits()
    job = made(any_store, clock, on_overlap="queue")
    scheduler = Scheduler(any_store, {"command": waits}, clock=clock)
    clock.advance(MINUTE)
    scheduler.tick()
    assert waits.begun.acquire(timeout=10)
    trigger_job(any_store, job.uid, clock=clock)

    assert scheduler.tick().started == ()
    assert scheduler._seconds_to_wait() > 0.5
    waits.go.set()
    scheduler.join()
    scheduler.close()


def test_a_spec_of_another_day_is_read_as_it_was_stored(
    any_store: Store, clock: FakeClock
) -> None:
    """What is kept of a job's text must not outlive an edit of the job."""
    job = create_job(
        any_store, JobSpec("apricot", "every 1h", zone="UTC", name="fruit"), clock=clock
    )
    runner = Says()
    with Scheduler(any_store, {"command": runner}, clock=clock) as scheduler:
        for prompt in ("apricot", "walnut"):
            edit_job(any_store, job.uid, {"prompt": prompt}, clock=clock)
            clock.advance(HOUR)
            finish_all(scheduler, clock())

    assert ["apricot" in task.prompt for task in runner.tasks] == [True, False]

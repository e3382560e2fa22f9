"""What may happen to schedulers, disks, clocks and children: nothing is lost or doubled."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from oldhand.clock import system_clock
from oldhand.cron.jobs import find_job, trigger_job
from oldhand.cron.scheduler import Scheduler
from oldhand.errors import StoreFull
from oldhand.store import Query, Store, open_database
from oldhand.testing import FakeClock

from .acting import (
    DAY,
    MINUTE,
    Says,
    Waits,
    change,
    count,
    finish_all,
    made,
    runs_of,
    states_of,
    until,
)
from .daemons import Daemon, is_gone
from .victim import Stubborn

OWNED = "SELECT count(*) FROM job_runs WHERE owner IS NOT NULL"


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    """Where children leave their marks."""
    path = tmp_path / "marks"
    path.touch()
    return path


def start(url: str, marks: Path, *, lease: float = 30) -> Daemon:
    daemon = Daemon(url, marks, lease=lease)
    daemon.wait_until_it_works()
    return daemon


def run_victim(url: str, step: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.cron.victim", url, step]
    return subprocess.Popen(command, cwd=Path(__file__).parents[2])


def child_of(store: Store) -> int:
    """Wait for the child of the one run under way; return its number."""
    query = Query("child", *2 * ["SELECT child FROM job_runs WHERE child <> ''"])
    until(lambda: store.query_one(query))
    row = store.query_one(query)
    assert row is not None
    return int(row[0].split(",")[1])


# --- A scheduler that is killed


def test_a_scheduler_that_is_killed_while_it_runs_leaves_a_lost_run_and_no_child(
    shared_store: Store, url: str, marks: Path
) -> None:
    daemon = start(url, marks)
    job = made(shared_store, system_clock, prompt="600")
    trigger_job(shared_store, job.uid)
    child = child_of(shared_store)
    until(marks.read_text)
    daemon.kill()
    assert not is_gone(child)

    with Scheduler(shared_store, {"command": Says()}) as scheduler:
        lost = scheduler.tick().lost

    assert [run.job.uid for run in lost] == [job.uid]
    [run] = runs_of(shared_store, job)
    assert run.state == "lost"
    assert "its scheduler has ended while it ran" in str(run.end_reason)
    until(lambda: is_gone(child))
    assert len(marks.read_text().split()) == 1


@pytest.mark.parametrize("step", ["claimed", "begun", "finished"])
def test_a_scheduler_that_is_killed_between_two_steps_loses_nothing(
    shared_store: Store, url: str, step: str
) -> None:
    job = made(shared_store, system_clock)
    trigger_job(shared_store, job.uid)
    assert run_victim(url, step).wait() == -signal.SIGKILL
    runner = Says()

    with Scheduler(shared_store, {"command": runner}) as scheduler:
        scheduler.tick()
        finish_all(scheduler, system_clock())

    states = {"claimed": ["succeeded"], "begun": ["lost"], "finished": ["succeeded"]}
    assert states_of(shared_store, job) == states[step]
    assert len(runner.tasks) == (1 if step == "claimed" else 0)


# --- A scheduler that is stopped


@pytest.mark.timeout(60)
def test_a_scheduler_that_slept_while_its_run_was_given_up_writes_nothing_and_ends_its_child(
    shared_store: Store, url: str, marks: Path
) -> None:
    daemon = start(url, marks, lease=2)
    job = made(shared_store, system_clock, prompt="600")
    trigger_job(shared_store, job.uid)
    child = child_of(shared_store)
    daemon.stop()
    # As if the child ran where nobody here can end it: only its own scheduler can.
    change(shared_store, "UPDATE job_runs SET child = ''")

    with Scheduler(shared_store, {"command": Says()}, lease_seconds=2) as scheduler:
        until(lambda: scheduler.tick().lost)
        assert not is_gone(child)
        daemon.go_on()
        until(lambda: is_gone(child))
        daemon.close()

    [run] = runs_of(shared_store, job)
    assert run.state == "lost"
    assert "its scheduler fell silent while it ran" in str(run.end_reason)
    assert count(shared_store, OWNED) == 0


@pytest.mark.timeout(60)
def test_a_sleep_of_all_schedulers_is_caught_up_with_once_and_loses_no_run(
    shared_store: Store, url: str, marks: Path
) -> None:
    daemons = [start(url, marks, lease=4) for _ in range(2)]
    hourly = {"schedule": "every 1h"}
    long_job = made(shared_store, system_clock, prompt="7", name="long", **hourly)
    trigger_job(shared_store, long_job.uid)
    child_of(shared_store)
    for daemon in daemons:
        daemon.stop()
    # As if it had been due several times while they slept.
    each_hour = {"schedule": "0 * * * *"}  # unlike a grid, also before it was made
    job = made(shared_store, system_clock, prompt="0", name="short", **each_hour)
    back = (
        "UPDATE jobs SET next_due_us = next_due_us - 18000000000 WHERE name = 'short'"
    )
    change(shared_store, back)
    time.sleep(5)
    for daemon in daemons:
        daemon.go_on()

    until(lambda: states_of(shared_store, job)[1:] == ["succeeded"])
    until(lambda: states_of(shared_store, long_job) == ["succeeded"])
    for daemon in daemons:
        daemon.close()

    assert states_of(shared_store, job) == ["missed", "succeeded"]
    assert len(marks.read_text().split()) == 2


# --- Clocks


def test_jobs_become_due_again_when_the_clock_is_set_back(
    any_store: Store, clock: FakeClock
) -> None:
    job = made(any_store, clock)
    runner = Says()
    with Scheduler(any_store, {"command": runner}, clock=clock) as scheduler:
        clock.advance(30 * DAY)
        finish_all(scheduler, clock())
        clock.advance(-30 * DAY)
        finish_all(scheduler, clock())
        for _ in range(3):
            clock.advance(MINUTE)
            finish_all(scheduler, clock())

    dues = [run.started_at_us for run in runs_of(any_store, job)]
    assert len(dues) == len(set(dues))
    # The first of these is on record as missed: it stood for a month.
    assert len(runner.tasks) == 3
    due = find_job(any_store, job.uid).next_due_us
    assert due is not None
    assert due <= clock() + MINUTE


def test_no_leap_of_the_wall_clock_loses_a_run_that_goes_on(
    any_store: Store, clock: FakeClock
) -> None:
    waits, steady = Waits(), [0.0]
    job = made(any_store, clock)
    with (
        Scheduler(any_store, {"command": waits}, clock=clock) as one,
        Scheduler(
            any_store, {"command": Says()}, clock=clock, steady=lambda: steady[0]
        ) as other,
    ):
        clock.advance(MINUTE)
        one.tick()
        assert waits.begun.acquire(timeout=10)
        for leap in (DAY, -2 * DAY, 400 * DAY):
            clock.advance(leap)
            steady[0] += 6
            assert other.tick().lost == ()
        waits.go.set()
        one.join()

    assert "succeeded" in states_of(any_store, job)


# --- Databases and disks


@pytest.mark.timeout(60)
@pytest.mark.parametrize("seconds", [5, 12])
def test_a_database_that_is_locked_for_a_while_loses_nothing(
    tmp_path: Path, seconds: float
) -> None:
    path = str(tmp_path / "oldhand.db")
    store = open_database(path)
    waits, says = Waits(), Says()
    first = made(store, system_clock, runner=("waits",), name="first")
    second = made(store, system_clock, runner=("says",), name="second")
    scheduler = Scheduler(store, {"waits": waits, "says": says})
    thread = threading.Thread(target=scheduler.run)
    thread.start()
    trigger_job(store, first.uid)
    trigger_job(store, second.uid)
    assert waits.begun.acquire(timeout=10)
    until(lambda: says.tasks)
    locking = subprocess.Popen(
        [sys.executable, "-c", _LOCK, path, str(seconds)], stdout=subprocess.PIPE
    )
    assert locking.stdout is not None
    assert locking.stdout.readline() == b"locked\n"
    waits.go.set()  # it ends while nothing can be written
    locking.communicate()
    until(lambda: states_of(store, first) == ["succeeded"], 30)
    run_id = trigger_job(store, second.uid)
    until(lambda: run_id in [task.run_id for task in says.tasks])
    scheduler.close()
    thread.join()

    assert states_of(store, first) == ["succeeded"]
    assert states_of(store, second) == ["succeeded", "succeeded"]
    store.close()


_LOCK = """
import apsw, sys, time
connection = apsw.Connection(sys.argv[1])
connection.set_busy_timeout(10_000)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
time.sleep(float(sys.argv[2]))
connection.execute("ROLLBACK")
"""


@pytest.mark.timeout(60)
def test_an_end_that_does_not_fit_on_the_disk_is_written_when_there_is_room(
    small_disk: Path,
) -> None:
    store = open_database(str(small_disk / "oldhand.db"))
    ballast = small_disk / "ballast"
    waits = Waits()
    scheduler = Scheduler(store, {"command": waits})
    job = made(store, system_clock)
    trigger_job(store, job.uid)
    scheduler.tick()
    assert waits.begun.acquire(timeout=10)
    fill(ballast)
    with pytest.raises(StoreFull):
        grow(store)
    waits.go.set()
    time.sleep(1)
    assert states_of(store, job) == ["running"]
    ballast.unlink()

    until(lambda: states_of(store, job) == ["succeeded"], 30)
    scheduler.close()
    store.close()


def fill(file: Path) -> None:
    """Write until there is no room."""
    with file.open("wb", buffering=0) as opened, suppress(OSError):
        while True:
            opened.write(bytes(4096))


def grow(store: Store) -> None:
    """Write until the database's log has no room either."""
    put = Query("put", "INSERT INTO kv VALUES (:key, hex(zeroblob(2000)))", "")
    for number in range(10_000):
        store.execute(put, (f"grow{number}",))


# --- Children


def test_a_child_that_ignores_being_told_to_end_does_not_keep_a_scheduler(
    any_store: Store,
) -> None:
    runner = Stubborn()
    scheduler = Scheduler(any_store, {"command": runner})
    trigger_job(any_store, made(any_store, system_clock).uid)
    scheduler.tick()
    assert runner.begun.wait(10)

    scheduler.close()

    assert states_of(any_store) == ["cancelled"]
    assert runner.child is not None
    assert runner.child.returncode == -signal.SIGKILL


def test_a_deaf_child_of_a_killed_scheduler_is_killed(
    shared_store: Store, url: str
) -> None:
    trigger_job(shared_store, made(shared_store, system_clock).uid)
    victim = run_victim(url, "stubborn")
    child = child_of(shared_store)
    victim.kill()
    victim.wait()

    with Scheduler(shared_store, {"command": Says()}) as scheduler:
        scheduler.tick()

    until(lambda: is_gone(child))
    assert states_of(shared_store) == ["lost"]

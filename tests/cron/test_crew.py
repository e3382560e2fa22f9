"""Runs under way: cancelled, limited, held, stopped, and broken in ways of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from oldhand.clock import system_clock
from oldhand.cron.cancel import cancel_run
from oldhand.cron.claims import claim
from oldhand.cron.jobs import trigger_job
from oldhand.cron.model import Limits
from oldhand.cron.runner import Control, Done, Runner, Task
from oldhand.cron.scheduler import Scheduler
from oldhand.errors import Conflict, StoreBusy, StoreReadOnly
from oldhand.store import Store, open_database

from .acting import (
    HOUR,
    Raises,
    Says,
    Waits,
    finish_all,
    made,
    runs_of,
    states_of,
    until,
)

Start = Callable[..., Scheduler]


@pytest.fixture
def start(any_store: Store) -> Iterator[Start]:
    """Make schedulers that are closed in the end."""
    started: list[Scheduler] = []

    def make(runner: Runner, **fields: Any) -> Scheduler:
        started.append(Scheduler(any_store, {"command": runner}, **fields))
        return started[-1]

    yield make
    for scheduler in started:
        scheduler.close()


@pytest.fixture
def waits() -> Iterator[Waits]:
    runner = Waits()
    yield runner
    runner.go.set()


def begin(store: Store, scheduler: Scheduler, waits: Waits, **fields: Any) -> int:
    """Trigger a job and wait until its runner works; return the run's id."""
    job = made(store, system_clock, **fields)
    run_id = trigger_job(store, job.uid)
    assert len(scheduler.tick().started) == 1
    assert waits.begun.acquire(timeout=10)
    return run_id


def test_a_run_under_way_ends_when_it_is_cancelled(
    any_store: Store, start: Start, waits: Waits
) -> None:
    scheduler = start(waits)
    run_id = begin(any_store, scheduler, waits)

    cancel_run(any_store, run_id, reason="not today")
    scheduler.join()

    [run] = runs_of(any_store)
    assert (run.state, run.success) == ("cancelled", None)
    assert run.end_reason == "cancelled: not today"


def test_a_run_that_waits_is_cancelled_at_once(any_store: Store, start: Start) -> None:
    runner = Says()
    job = made(any_store, system_clock)
    run_id = trigger_job(any_store, job.uid)

    cancel_run(any_store, run_id)
    assert start(runner).tick().started == ()

    assert states_of(any_store) == ["cancelled"]
    with pytest.raises(Conflict, match="it is over"):
        cancel_run(any_store, run_id)


def test_a_run_that_goes_on_for_too_long_is_ended(
    any_store: Store, start: Start, waits: Waits
) -> None:
    scheduler = start(waits)
    begin(any_store, scheduler, waits, limits=Limits(wall_seconds=1))

    scheduler.join()

    [run] = runs_of(any_store)
    assert run.state == "failed"
    assert run.end_reason == "limit of time: it went on for more than 1 s"


def test_a_run_that_waits_for_a_person_lives_on_past_its_limit(
    any_store: Store, start: Start, waits: Waits
) -> None:
    held, asked = threading.Event(), threading.Semaphore(0)
    held.set()

    def is_held(_: Store, key: str) -> bool:
        assert key.startswith("run-")
        asked.release()
        return held.is_set()

    # It looks six times in a lease, that is, six times a second.
    scheduler = start(waits, is_held=is_held, lease_seconds=1)
    begin(any_store, scheduler, waits, limits=Limits(wall_seconds=2))
    for _ in range(18):
        assert asked.acquire(timeout=10)
    held.clear()
    for _ in range(2):  # it was held for longer than its limit, and that is free
        assert asked.acquire(timeout=10)
    assert states_of(any_store) == ["running"]
    waits.go.set()
    scheduler.join()

    assert states_of(any_store) == ["succeeded"]


def test_whether_a_run_is_held_cannot_be_found_out_and_limits_hold(
    any_store: Store, start: Start, waits: Waits
) -> None:
    def is_held(_: Store, __: str) -> bool:
        raise RuntimeError("no confirmations here")

    scheduler = start(waits, is_held=is_held)
    begin(any_store, scheduler, waits, limits=Limits(wall_seconds=1))
    scheduler.join()

    assert states_of(any_store) == ["failed"]


FAULTS = [
    RuntimeError("no luck"),
    SystemExit(3),
    KeyboardInterrupt(),
    StoreBusy("of some other database"),
    MemoryError(),
]


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_a_runner_that_raises_fails_its_run_and_stops_no_other(
    any_store: Store, start: Start, fault: BaseException
) -> None:
    good, bad = Says(), Raises(fault)
    scheduler = Scheduler(any_store, {"good": good, "bad": bad}, places=1)
    for name in ("bad", "good"):
        job = made(any_store, system_clock, prompt=name, runner=(name,))
        trigger_job(any_store, job.uid)

    for _ in range(2):
        scheduler.tick()
        scheduler.join()
    scheduler.close()

    assert states_of(any_store) == ["failed", "succeeded"]
    reason = runs_of(any_store)[0].end_reason
    assert reason is not None
    assert type(fault).__name__ in reason


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_a_run_that_cannot_be_prepared_fails_and_stops_no_other(
    any_store: Store, start: Start, fault: BaseException
) -> None:
    from oldhand.cron.guards.prepare import prepare  # noqa: PLC0415

    def prepared(run: Any, **fields: Any) -> Any:
        if run.job.name == "bad":
            raise fault
        return prepare(run, **fields)

    runner = Says()
    scheduler = start(runner, prepare=prepared, places=1)
    for name in ("bad", "good"):
        trigger_job(any_store, made(any_store, system_clock, prompt=name).uid)

    for _ in range(2):
        scheduler.tick()
        scheduler.join()

    assert states_of(any_store) == ["failed", "succeeded"]
    assert len(runner.tasks) == 1


def test_what_a_runner_says_that_cannot_be_kept_is_a_failure(
    any_store: Store, start: Start
) -> None:
    class Lies:
        def run(self, _: Task, __: Control) -> Done:
            return Done(success=True, output_tokens=-5)

    scheduler = start(Lies())
    trigger_job(any_store, made(any_store, system_clock).uid)
    scheduler.tick()
    scheduler.join()

    [run] = runs_of(any_store)
    assert run.state == "failed"
    assert "output_tokens" in str(run.end_reason)


def test_a_scheduler_that_is_stopped_cancels_its_runs_and_says_so(
    any_store: Store, start: Start, waits: Waits
) -> None:
    scheduler = start(waits)
    begin(any_store, scheduler, waits)

    scheduler.close()

    [run] = runs_of(any_store)
    assert run.state == "cancelled"
    assert run.end_reason == "cancelled: the scheduler was stopped"


def test_what_had_not_begun_when_its_scheduler_was_stopped_waits_again(
    any_store: Store, start: Start
) -> None:
    from oldhand.cron.guards.prepare import prepare  # noqa: PLC0415

    inside, leave = threading.Event(), threading.Event()

    def slowly(run: Any, **fields: Any) -> Any:
        inside.set()
        leave.wait(10)
        return prepare(run, **fields)

    scheduler = start(Says(), prepare=slowly)
    trigger_job(any_store, made(any_store, system_clock).uid)
    scheduler.tick()
    inside.wait(10)
    closing = threading.Thread(target=scheduler.close)
    closing.start()
    scheduler._is_over.wait(10)
    until(lambda: all(w.stop_reason for w in scheduler._crew._snapshot()))
    leave.set()
    closing.join()

    assert states_of(any_store) == ["due"]
    assert len(claim(any_store, "next", limit=1, now_us=system_clock() + HOUR)) == 1


def test_no_more_runs_go_on_at_once_than_there_are_places(
    any_store: Store, start: Start, waits: Waits
) -> None:
    scheduler = start(waits, places=2)
    for number in range(5):
        trigger_job(
            any_store, made(any_store, system_clock, prompt=f"job {number}").uid
        )
    scheduler.tick()
    scheduler.tick()
    waits.go.set()
    scheduler.join()
    finish_all(scheduler, system_clock())

    assert waits.most_at_once <= 2
    assert states_of(any_store) == ["succeeded"] * 5


def test_a_scheduler_refuses_a_database_that_cannot_be_written(tmp_path: Any) -> None:
    path = tmp_path / "oldhand.db"
    open_database(str(path)).close()
    store = open_database(str(path))
    store.read_only_reason = "it lies on a disk of that kind"  # type: ignore[misc]

    with pytest.raises(StoreReadOnly, match="nothing can be run"):
        Scheduler(store, {})

    store.close()


def test_a_job_whose_runner_is_not_there_is_blocked(any_store: Store) -> None:
    with Scheduler(any_store, {}) as scheduler:
        trigger_job(any_store, made(any_store, system_clock).uid)
        scheduler.tick()
        scheduler.join()

    [run] = runs_of(any_store)
    assert (run.state, run.success) == ("blocked", None)


def test_a_run_that_cannot_be_carried_out_falls_silent_and_is_given_up(
    any_store: Store,
) -> None:
    """A run whose thread broke must not be kept alive by the signs of the others."""

    class Breaks(Says):
        pass

    steady = [0.0]
    with Scheduler(any_store, {"command": Breaks()}, steady=lambda: steady[0]) as one:
        job = made(any_store, system_clock)
        trigger_job(any_store, job.uid)
        with any_store.transaction():
            claim(any_store, one.owner, limit=1, now_us=system_clock())
        for _ in range(9):
            steady[0] += 5
            one.tick()
        one.join()

    assert states_of(any_store) == ["succeeded"]

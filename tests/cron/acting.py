"""Runners that tests direct, and short ways to make jobs and to read what became of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from oldhand.clock import Clock
from oldhand.cron.fire import fire_due
from oldhand.cron.jobs import create_job
from oldhand.cron.model import Job, JobSpec
from oldhand.cron.runner import Control, Done, Stopped, Task
from oldhand.cron.scheduler import Scheduler
from oldhand.ledger.model import Run
from oldhand.ledger.runs import list_runs
from oldhand.store import Query, Store

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
PATIENCE_SECONDS = 30


class Says:
    """Succeeds at once; keeps what it was told."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def run(self, task: Task, control: Control) -> Done:
        """Say what it was told."""
        self.tasks.append(task)
        control.say(f"told: {task.prompt}")
        return Done(answer="done", success=True, output_tokens=5)


class Waits:
    """Goes on until it is let go, or told to end."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.go = threading.Event()
        self.stopped: list[str] = []
        self.going_on = 0
        self.most_at_once = 0
        self._lock = threading.Lock()

    def run(self, task: Task, control: Control) -> Done:
        """Wait."""
        del task
        with self._lock:
            self.going_on += 1
            self.most_at_once = max(self.most_at_once, self.going_on)
        self.begun.release()
        try:
            while not self.go.wait(0.005):
                if control.stop_reason:
                    self.stopped.append(control.stop_reason)
                    raise Stopped(control.stop_reason)
        finally:
            with self._lock:
                self.going_on -= 1
        return Done(success=True)


class Raises:
    """Fails in a way of its own."""

    def __init__(self, fault: BaseException) -> None:
        self.fault = fault

    def run(self, task: Task, control: Control) -> Done:
        """Raise."""
        raise self.fault


def made(store: Store, clock: Clock, **fields: Any) -> Job:
    """Make a job that fires each minute, or as said."""
    spec: Mapping[str, Any] = {
        "prompt": "Look", "schedule": "every 1m", "zone": "UTC",
        "name": fields.get("prompt", "a job"),
    }  # fmt: skip
    return create_job(store, JobSpec(**{**spec, **fields}), clock=clock)


def fire(store: Store, now_us: int) -> None:
    """Fire all that is due."""
    while fire_due(store, now_us=now_us):
        pass


def runs_of(store: Store, job: Job | None = None) -> list[Run]:
    """Return the runs of a job, or of all, oldest first."""
    uid = None if job is None else job.uid
    return list_runs(store, job=uid, limit=100_000)[::-1]


def states_of(store: Store, job: Job | None = None) -> list[str]:
    """Return the states of the runs of a job, or of all, oldest first."""
    return [run.state for run in runs_of(store, job)]


def until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came about"
        threading.Event().wait(0.01)


def finish_all(scheduler: Scheduler, now_us: int) -> None:
    """Make passes until nothing is taken up any more, and wait for the runs."""
    while scheduler.tick(now_us).started:
        scheduler.join()
    scheduler.join()


def change(store: Store, statement: str) -> int:
    """Do to a database what no function of ours would."""
    return store.execute(Query("change", statement, statement))


def count(store: Store, statement: str) -> int:
    """Return the one number that a statement asks for."""
    row = store.query_one(Query("count", statement, statement))
    assert row is not None
    return int(row[0])

"""Schedulers on a real database: what fires, who runs it, and what is on record."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from oldhand.clock import system_clock
from oldhand.cron.jobs import create_job, find_job, trigger_job
from oldhand.cron.model import JobSpec
from oldhand.cron.output import find_output
from oldhand.cron.runner import Control, Done, Task
from oldhand.cron.scheduler import Scheduler
from oldhand.ledger.runs import list_runs
from oldhand.store import Store


class Says:
    """A runner that says what it was told."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def run(self, task: Task, control: Control) -> Done:
        """Say it."""
        self.tasks.append(task)
        control.say(f"told: {task.prompt}")
        return Done(answer="done", success=True, output_tokens=5)


@pytest.fixture
def runner() -> Says:
    return Says()


@pytest.fixture
def scheduler(store: Store, runner: Says) -> Iterator[Scheduler]:
    with Scheduler(store, {"command": runner}) as made:
        yield made


def test_a_job_that_is_due_runs_once(
    store: Store, scheduler: Scheduler, runner: Says
) -> None:
    job = create_job(store, JobSpec("Count the logs", "every 1h", zone="UTC"))
    assert job.next_due_us is not None
    assert scheduler.tick(job.next_due_us - 1).fired == 0

    made = scheduler.tick(job.next_due_us)
    again = scheduler.tick(job.next_due_us)
    scheduler.join()

    assert [run.due_us for run in made.started] == [job.next_due_us]
    assert again.started == ()
    [run] = list_runs(store, job=job.uid)
    assert (run.state, run.output_tokens, run.success) == ("succeeded", 5, True)
    kept = find_output(store, run.id)
    assert kept is not None
    assert kept.text.startswith("told: ")
    assert kept.text.endswith("\n\nCount the logs")
    assert find_job(store, job.uid).fired_count == 1


def test_a_trigger_starts_at_once(
    store: Store, scheduler: Scheduler, runner: Says
) -> None:
    job = create_job(store, JobSpec("Now", "daily 09:00", zone="UTC"))
    thread = threading.Thread(target=scheduler.run)
    thread.start()
    run_id = trigger_job(store, job.uid)
    deadline = system_clock() + 5_000_000
    while not runner.tasks and system_clock() < deadline:
        time.sleep(0.01)
    scheduler.stop()
    thread.join()
    scheduler.join()

    assert [task.run_id for task in runner.tasks] == [run_id]

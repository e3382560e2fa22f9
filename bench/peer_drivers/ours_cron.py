"""Our scheduler, with a runner that does nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from bench.peer_drivers.firing import Call, run
from oldhand.cron.jobs import create_job, trigger_job
from oldhand.cron.model import JobSpec
from oldhand.cron.runner import Control, Done, Task
from oldhand.cron.scheduler import Scheduler
from oldhand.store import Query, open_database

PLACES = 64
_DUE = Query("due", *2 * ["SELECT due_us FROM job_runs WHERE run_id = :run_id"])


class Noop:
    """Says that it was called, and is done."""

    def __init__(self, called: Callable[[str, float | None], None]) -> None:
        self._called = called
        self.calls: list[tuple[int, float]] = []

    def run(self, task: Task, control: Control) -> Done:
        """Do nothing."""
        del control
        self.calls.append((task.run_id, time.time()))
        self._called(str(task.run_id), None)
        return Done(success=True)


class Ours:
    """Jobs fire each minute at the finest: sixty stand for one that fires each second."""

    def __init__(self, url: str) -> None:
        self._store = open_database(url)
        self._scheduler: Scheduler | None = None
        self._thread: threading.Thread | None = None
        self._runner: Noop | None = None

    def make(self, count: int) -> None:
        """Make sixty jobs for each."""
        now = int(time.time()) * 1_000_000
        with self._store.transaction():
            for second in range(60):
                anchor = now + (second - 57) * 1_000_000
                for number in range(count):
                    name = f"job {number} at {second}"
                    spec = JobSpec("x", "every 1m", zone="UTC", name=name)
                    create_job(self._store, spec, clock=lambda at=anchor: at)  # type: ignore[misc]

    def make_idle(self, count: int) -> None:
        """Make jobs of tomorrow."""
        with self._store.transaction():
            for number in range(count):
                spec = JobSpec("x", "every 1d", zone="UTC", name=f"job {number}")
                create_job(self._store, spec)

    def put(self, names: list[str]) -> None:
        """Trigger each."""
        with self._store.transaction():
            for name in names:
                self.trigger(name)

    def trigger(self, name: str) -> str:
        """Trigger a job of that name, which is made for it."""
        spec = JobSpec("x", "every 1d", zone="UTC", name=name)
        with self._store.transaction():
            return str(trigger_job(self._store, create_job(self._store, spec).uid))

    def work(self, called: Callable[[str, float | None], None]) -> None:
        """Start a scheduler."""
        self._runner = Noop(called)
        self._scheduler = Scheduler(
            self._store, {"command": self._runner}, places=PLACES
        )
        self._thread = threading.Thread(target=self._scheduler.run)
        self._thread.start()

    def stop(self) -> list[Call]:
        """End; the database knows when each was due."""
        if self._scheduler is None or self._thread is None or self._runner is None:
            self._store.close()
            return []
        self._scheduler.close()
        self._thread.join()
        calls: list[Call] = []
        for run_id, at in self._runner.calls:
            row = self._store.query_one(_DUE, (run_id,))
            calls.append((str(run_id), row[0] / 1e6 if row else None, at))
        self._store.close()
        return calls


if __name__ == "__main__":
    run(Ours)

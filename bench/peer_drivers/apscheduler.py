"""APScheduler 3: one scheduler, its jobs in a database through SQLAlchemy."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

from bench.peer_drivers.firing import Call, run

_THREADS = 64
_TELL: list[Callable[[str, float | None], None]] = []


def fired(name: str) -> None:
    """Say what was called; it was due at the last whole second."""
    _TELL[0](name, float(int(time.time())))


def noop(name: str) -> None:
    """Say what was called."""
    _TELL[0](name, None)


class ApScheduler:
    """Jobs name their function by its place, so that any process finds it."""

    def __init__(self, url: str) -> None:
        store = import_module("apscheduler.jobstores.sqlalchemy").SQLAlchemyJobStore
        pool = import_module("apscheduler.executors.pool").ThreadPoolExecutor
        background = import_module("apscheduler.schedulers.background")
        self._scheduler: Any = background.BackgroundScheduler(
            jobstores={"default": store(url=url)},
            executors={"default": pool(_THREADS)},
            timezone=UTC,
        )
        self._scheduler.start(paused=True)

    def make(self, count: int) -> None:
        """Its crons know seconds."""
        for number in range(count):
            self._scheduler.add_job(
                "bench.peer_drivers.apscheduler:fired",
                "cron",
                second="*",
                args=[f"job {number}"],
            )

    def make_idle(self, count: int) -> None:
        """Each fires tomorrow."""
        self._put([f"job {number}" for number in range(count)], timedelta(days=1))

    def put(self, names: list[str]) -> None:
        """Each fires now, however late."""
        self._put(names, timedelta())

    def _put(self, names: list[str], ahead: timedelta) -> None:
        for name in names:
            self._scheduler.add_job(
                "bench.peer_drivers.apscheduler:noop",
                "date",
                run_date=datetime.now(UTC) + ahead,  # noqa: TID251 - a program of its own
                args=[name],
                misfire_grace_time=None,
            )

    def trigger(self, name: str) -> str:
        """Put one; the other process is not told."""
        self.put([name])
        return name

    def work(self, called: Callable[[str, float | None], None]) -> None:
        """Let it go on."""
        # Run as a program this file is another module than the one that jobs name.
        import_module("bench.peer_drivers.apscheduler")._TELL.append(called)  # noqa: SLF001
        self._scheduler.resume()

    def stop(self) -> list[Call]:
        """End it."""
        self._scheduler.shutdown()
        return []


if __name__ == "__main__":
    run(ApScheduler)

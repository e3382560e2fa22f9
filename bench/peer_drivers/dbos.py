"""DBOS: schedules kept in its database, and a queue for what is to start at once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from bench.peer_drivers.firing import Call, run

_QUEUE = "bench"


class Dbos:
    """Every process is an executor of its own name, as its documentation asks."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._dbos: Any = None
        self._client: Any = None
        self._fired: Any = None
        self._called: Callable[[str, float | None], None] = lambda _name, _due: None

    def _launch(self) -> None:
        dbos = self._dbos = import_module("dbos").DBOS
        config = {
            "name": "bench",
            "system_database_url": self._url,
            "run_admin_server": False,
            "log_level": "ERROR",
            "executor_id": f"p{os.getpid()}",
        }
        dbos(config=config)

        @dbos.workflow(name="fired")  # type: ignore[untyped-decorator]
        def fired(scheduled_at: Any, context: Any) -> None:  # noqa: ANN401
            self._called(str(context), scheduled_at.timestamp())

        @dbos.workflow(name="noop")  # type: ignore[untyped-decorator]
        def noop(name: str) -> None:
            self._called(name, None)

        self._fired = fired
        dbos.launch()
        dbos.register_queue(_QUEUE)

    def make(self, count: int) -> None:
        """Its crons know seconds."""
        self._schedules(count, "* * * * * *")

    def make_idle(self, count: int) -> None:
        """Once a year, in another month."""
        month = (time.gmtime().tm_mon + 5) % 12 + 1
        self._schedules(count, f"0 0 0 1 {month} *")

    def _schedules(self, count: int, cron: str) -> None:
        self._launch()
        for number in range(count):
            self._dbos.create_schedule(
                schedule_name=f"job {number}",
                workflow_fn=self._fired,
                schedule=cron,
                context=f"job {number}",
            )

    def put(self, names: list[str]) -> None:
        """Put them into the queue."""
        for name in names:
            self.trigger(name)

    def trigger(self, name: str) -> str:
        """Put one into the queue, by its client."""
        if self._client is None:
            client = import_module("dbos").DBOSClient
            self._client = client(system_database_url=self._url)
        self._client.enqueue({"queue_name": _QUEUE, "workflow_name": "noop"}, name)
        return name

    def work(self, called: Callable[[str, float | None], None]) -> None:
        """Launch it."""
        self._called = called
        self._launch()

    def stop(self) -> list[Call]:
        """End it."""
        if self._client is not None:
            self._client.destroy()
        if self._dbos is not None:
            self._dbos.destroy()
        return []


if __name__ == "__main__":
    run(Dbos)

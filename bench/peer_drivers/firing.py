"""What a driver does for `bench.cron`, and how it answers: JSON objects on stdout, one a line.

A driver is run as `python driver.py TASK URL ARGUMENTS`, URL being the database and
ARGUMENTS a JSON object. Times are seconds since 1970, of the one machine's clock.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

Call = tuple[str, float | None, float]
"""What was called, when it was due where that is known, and when it was called."""


class Engine(Protocol):
    """A scheduler, of ours or of a peer, on a database."""

    def make(self, count: int) -> None:
        """Put so many schedules on record that together fire so often each second."""

    def make_idle(self, count: int) -> None:
        """Put so many on record of which none fires within the hour."""

    def put(self, names: list[str]) -> None:
        """Put no-op runs on record that may start at once; nobody is at work yet."""

    def trigger(self, name: str) -> str:
        """Have one run start as soon as may be, in whichever process; return its name."""

    def work(self, called: Callable[[str, float | None], None]) -> None:
        """Begin to run what is due, in threads, and say what is called."""

    def stop(self) -> list[Call]:
        """End; return calls that can only now be told in full."""


def run(open_engine: Callable[[str], Engine]) -> None:
    """Do the task that the command line names."""
    name, url, text = sys.argv[1:]
    _TASKS[name](open_engine(url), **json.loads(text))


def _say(answer: object) -> None:
    print(json.dumps(answer), flush=True)


def _make(engine: Engine, *, count: int, is_idle: bool) -> None:
    (engine.make_idle if is_idle else engine.make)(count)
    engine.stop()
    _say({})


def _work(engine: Engine) -> None:
    """Say when it works, work until the input closes, and tell all calls."""
    calls: list[Call] = []

    def called(name: str, due: float | None) -> None:
        calls.append((name, due, time.time()))

    engine.work(called)
    _say({"ready": True})
    sys.stdin.read()
    told = engine.stop()
    _say({"calls": told or calls})


def _trigger(engine: Engine, *, count: int, pause_seconds: float) -> None:
    """Have runs start in another process, and say when each was asked for."""
    asked: dict[str, float] = {}
    for number in range(count):
        at = time.time()
        asked[engine.trigger(f"t{number}")] = at
        time.sleep(pause_seconds * (1 + number % 7 / 7))  # not in step with any poll
    engine.stop()
    _say({"asked": asked})


def _rate(engine: Engine, *, count: int) -> None:
    """Run so many that wait; say how many a second, and what each took."""
    engine.put([f"r{number}" for number in range(count)])
    calls: list[float] = []
    began, worked = time.time(), time.process_time()
    engine.work(lambda _name, _due: calls.append(time.time()))
    end = began + 120
    while len(calls) < count and time.time() < end:
        time.sleep(0.02)
    engine.stop()
    _say(
        {
            "count": len(calls),
            "per_second": len(calls) / (calls[-1] - began),
            "cpu_us": (time.process_time() - worked) / len(calls) * 1e6,
        }
    )


_TASKS: dict[str, Callable[..., Any]] = {
    "make": _make,
    "work": _work,
    "trigger": _trigger,
    "rate": _rate,
}

"""Schedulers of ours and of peers as processes, and what they answer, for `bench.cron`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from bench.peers import DRIVERS, ROOT, Peer

Answer = dict[str, Any]
_TICKS = os.sysconf("SC_CLK_TCK")
_SECONDS = 300


class Kind(NamedTuple):
    """A scheduler that is measured.

    Attributes:
        title: As the table names it.
        python: Its interpreter.
        driver: The program that runs it.
        sqlite: How a URL of a SQLite file begins.
        postgres: How a URL of PostgreSQL begins.
    """

    title: str
    python: Path
    driver: Path
    sqlite: str = "sqlite:///"
    postgres: str = "postgresql+psycopg://"

    def url(self, place: str) -> str:
        """Write a URL, or the path of a file, as this one takes it."""
        if place.startswith("postgresql://"):
            return place.replace("postgresql://", self.postgres)
        return f"{self.sqlite}{place}"


OURS = Kind(
    "oldhand", Path(sys.executable), DRIVERS / "ours_cron.py", "", "postgresql://"
)


def kind_of(peer: Peer) -> Kind:
    """Return a peer as something that is measured."""
    return Kind(peer.title, peer.python, peer.driver)


class Worker:
    """A process that runs what is due until it is told to end."""

    def __init__(self, kind: Kind, place: str) -> None:
        """Start it, and wait until it works."""
        self._process = _start(kind, place, "work", {})
        self._line()

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def end(self) -> list[tuple[str, float | None, float]]:
        """Tell it to end; return all calls: what, when due, when called."""
        if self._process.stdin is None:
            raise RuntimeError("no pipe")
        self._process.stdin.close()
        calls = self._line()["calls"]
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        return [tuple(call) for call in calls]

    def _line(self) -> Answer:
        if self._process.stdout is None:
            raise RuntimeError("no pipe")
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("a scheduler ended before it said anything")
        answer: Answer = json.loads(line)
        return answer


def ask(kind: Kind, place: str, task: str, **arguments: object) -> Answer:
    """Have a process do one task, and return what it said last."""
    process = _start(kind, place, task, arguments)
    said, _ = process.communicate(timeout=_SECONDS)
    if process.returncode:
        raise RuntimeError(f"{kind.title}: {task} failed")
    answer: Answer = json.loads(said.splitlines()[-1])
    return answer


def _start(
    kind: Kind, place: str, task: str, arguments: object
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [kind.python, "-P", kind.driver, task, kind.url(place), json.dumps(arguments)],
        env={
            "HOME": str(ROOT),
            "PATH": os.defpath,
            "PYTHONPATH": str(ROOT),
            "TZ": "UTC",
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process, all threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_mb(pid: int) -> float:
    """Return what a process holds of the machine's memory."""
    return _status(pid, "VmRSS") / 1_000


def threads(pid: int) -> int:
    """Return how many threads a process has."""
    return _status(pid, "Threads")


def _status(pid: int, name: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0])
    raise LookupError(name)

"""Starts schedulers as processes, kills and stops them, and keeps the books of their runs."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Self

from oldhand.cron.jobs import list_jobs, pause_job
from oldhand.cron.scheduler import Scheduler
from oldhand.ledger.model import END_STATES
from oldhand.store import Query, Store

from .acting import MINUTE, count, until
from .daemon import Marks, fast_clock

OPEN = """SELECT count(*) FROM job_runs
    WHERE owner IS NOT NULL OR ready_at_us IS NOT NULL"""
_ROWS = Query("rows", *2 * ["""
    SELECT r.id, r.job, j.name, w.cause, w.due_us, r.state, coalesce(r.end_reason, '')
    FROM runs r JOIN job_runs w ON w.run_id = r.id JOIN jobs j ON j.id = w.job_id
    ORDER BY r.id"""])  # fmt: skip


class Daemon:
    """One scheduler in a process of its own."""

    def __init__(
        self,
        url: str,
        marks: Path,
        *,
        speed: float = 1,
        lease: float = 30,
        places: int = 4,
    ) -> None:
        self._works = False
        said = [url, str(marks), str(speed), str(lease), str(places)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.cron.daemon", *said],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def wait_until_it_works(self) -> None:
        """Wait for its line, once."""
        if not self._works:
            assert self.process.stdout is not None
            assert self.process.stdout.readline() == "works\n"
        self._works = True

    def stop(self) -> None:
        """Stop it as a laptop's sleep does."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, and wait until it is gone."""
        self.process.kill()
        self._end()

    def close(self) -> None:
        """Have it end by itself."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self._end()

    def _end(self) -> None:
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


class Storm:
    """Kills and stops schedulers at random while they work.

    Args:
        url: The database.
        marks: Where children leave their marks.
        processes: So many schedulers at once.
        seed: Of what happens when.
    """

    SPEED = 60.0
    LEASE = 2.0

    def __init__(self, url: str, marks: Path, *, processes: int, seed: int) -> None:
        self._url = url
        self._marks = marks
        self._random = random.Random(seed)  # noqa: S311 - which is killed when
        self._daemons = [self._new() for _ in range(processes)]
        self._waking: list[tuple[float, Daemon]] = []
        self.kills = 0
        self.stops = 0

    def rage(self, seconds: float) -> None:
        """Do one thing after another for so long."""
        for daemon in self._daemons:
            daemon.wait_until_it_works()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            at = self._random.randrange(len(self._daemons))
            self._wake()
            # On a slow machine none would else live long enough to do anything.
            self._daemons[at].wait_until_it_works()
            time.sleep(self._random.uniform(0.2, 1.2))
            self._wake()
            if self._random.random() < 0.5:
                self._kill(at)
            else:
                self._stop(self._daemons[at])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for daemon in self._daemons:
            daemon.kill()

    def _kill(self, at: int) -> None:
        self._daemons[at].kill()
        self._daemons[at] = self._new()
        self.kills += 1

    def _stop(self, daemon: Daemon) -> None:
        daemon.stop()
        # Some wake before their runs were given up, some after.
        until_at = time.monotonic() + self._random.uniform(0.05, 2.5 * self.LEASE)
        self._waking.append((until_at, daemon))
        self.stops += 1

    def _wake(self) -> None:
        now = time.monotonic()
        for at, daemon in self._waking:
            if at <= now and daemon.process.poll() is None:
                daemon.go_on()
        self._waking = [each for each in self._waking if each[0] > now]

    def _new(self) -> Daemon:
        return Daemon(
            self._url, self._marks, speed=self.SPEED, lease=self.LEASE, places=8
        )


def settle(store: Store, marks: Path, *, seconds: float) -> None:
    """Fire nothing more, and have one scheduler do what is left."""
    for job in list_jobs(store):
        if job.state == "scheduled":
            pause_job(store, job.uid)
    with Scheduler(
        store,
        {"command": Marks(str(marks))},
        places=8,
        clock=lambda: fast_clock(Storm.SPEED),
        lease_seconds=Storm.LEASE,
    ) as scheduler:
        until(lambda: (scheduler.tick(), count(store, OPEN) == 0)[1], seconds)


class Books:
    """What is on record, and what children did."""

    def __init__(self, store: Store, marks: Path) -> None:
        self.rows = store.query_all(_ROWS)
        self.marks = Counter(map(int, marks.read_text().split()))

    @property
    def states(self) -> Counter[str]:
        """How many runs ended how."""
        return Counter(row[5] for row in self.rows)

    def doubled(self) -> list[int]:
        """Return the runs whose children did their work twice."""
        return [run_id for run_id, times in self.marks.items() if times > 1]

    def doubled_times(self) -> list[tuple[str, int]]:
        """Return what was due once, and was done twice, by jobs with side effects."""
        done = Counter(
            (name, due)
            for run_id, _, name, _, due, *_ in self.rows
            if name.startswith("effects") and self.marks[run_id]
        )
        return [each for each, times in done.items() if times > 1]

    def untold(self) -> list[tuple[object, ...]]:
        """Return the runs without an end, or without a reason for one that is not well."""
        return [
            row
            for row in self.rows
            if row[5] not in END_STATES or (row[5] != "succeeded" and not row[6])
        ]

    def false(self) -> list[int]:
        """Return the runs that are said to have succeeded, or not started, and did not."""
        return [
            run_id
            for run_id, *_, state, _ in self.rows
            if (state == "succeeded" and self.marks[run_id] != 1)
            or (state in {"missed", "skipped"} and self.marks[run_id])
        ]

    def gaps(self) -> list[tuple[str, int]]:
        """Return the times at which a job was due and for which there is not one row."""
        found = []
        dues: dict[str, list[int]] = {}
        for _, _, name, cause, due, *_ in self.rows:
            if cause == "schedule":
                dues.setdefault(name, []).append(due)
        for name, times in dues.items():
            expected = list(range(min(times), max(times) + 1, MINUTE))
            if sorted(times) != expected:
                odd = Counter(times) - Counter(expected) or Counter(expected) - Counter(
                    times
                )
                found += [(name, at) for at in odd]
        return found


def is_gone(pid: int) -> bool:
    """Say whether a process has ended; one that nobody waited for has."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"

"""Run the drivers of stores: one task in a process of its own, or several at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from bench.peers import DRIVERS, ROOT, Peer

Answer = dict[str, Any]
LONGEST_SECONDS = 900


class DriverFailed(Exception):
    """A driver ended without an answer; the message is the last line it wrote."""


class Store(NamedTuple):
    """A store to measure.

    Attributes:
        name: A short word for it.
        title: What it is, with its version.
        python: The interpreter that has it.
        driver: The program that drives it.
    """

    name: str
    title: str
    python: Path
    driver: Path

    @classmethod
    def of_peer(cls, peer: Peer) -> Store:
        """Return the store that a peer is."""
        return cls(peer.name, peer.title, peer.python, peer.driver)

    def library(self) -> Store:
        """Return the driver of what this store alone is asked, over a large database."""
        return self._replace(
            driver=self.driver.with_stem(f"{self.driver.stem}_library")
        )


OURS = Store("oldhand", "oldhand", Path(sys.executable), DRIVERS / "ours.py")
JUDGED = OURS._replace(driver=DRIVERS / "ours_judged.py")
FLOOR = Store("floor", "one INSERT", Path(sys.executable), DRIVERS / "floor.py")
PAGES = Store("pages", "pages", Path(sys.executable), DRIVERS / "pages.py")


class Together(NamedTuple):
    """What several writers did at once.

    Attributes:
        per_second: Acknowledged messages of all, from the first start to the last end.
        worst_ms: The longest that one append took.
        acknowledged: Appends that returned.
        errors: What those that raised said.
    """

    per_second: float
    worst_ms: float
    acknowledged: int
    errors: list[str]


def ask(store: Store, task: str, path: Path, **arguments: Any) -> Answer:  # noqa: ANN401
    """Let a driver do one task, and return its answer.

    Raises:
        DriverFailed: It ended with an error, or gave no answer in time.
    """
    process = start(store, task, path, **arguments)
    return _answer(process)


def ask_all(asked: Sequence[subprocess.Popen[str]]) -> list[Answer]:
    """Wait for drivers that were started; return their answers in order.

    Raises:
        DriverFailed: One of them gave no answer; the others are ended.
    """
    with _ending(asked):
        return [_answer(process) for process in asked]


def start(
    store: Store,
    task: str,
    path: Path,
    **arguments: Any,  # noqa: ANN401 - any JSON value
) -> subprocess.Popen[str]:
    """Start a driver on one task; its home is the folder of its database."""
    folder = path.parent
    folder.mkdir(parents=True, exist_ok=True)
    environment = {
        "HOME": str(folder),
        "PATH": os.defpath,
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.Popen(
        # -P: a driver's own folder would hide the package of the same name
        [store.python, "-P", store.driver, task, path, json.dumps(arguments)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )


def first_write_seconds(store: Store, path: Path) -> float:
    """Return how long it is from starting a process to its first durable message."""
    began = time.perf_counter()
    answer = ask(store, "first", path)
    return float(answer["at_seconds"]) - began


def write_together(
    store: Store, path: Path, *, processes: int, messages: int
) -> Together:
    """Let several processes append to one database at once, each its own session."""
    ask(store, "first", path)  # the tables are there before the race
    asked = [
        start(store, "write", path, seed=seed, messages=messages)
        for seed in range(1, processes + 1)
    ]
    with _ending(asked):
        for process in asked:
            if not _pipe(process.stdout).readline():
                _answer(process)
        for process in asked:
            _pipe(process.stdin).write("go\n")
            _pipe(process.stdin).flush()
        answers = ask_all(asked)
    began = min(answer["began_seconds"] for answer in answers)
    ended = max(answer["ended_seconds"] for answer in answers)
    acknowledged = sum(answer["count"] for answer in answers)
    return Together(
        acknowledged / (ended - began),
        max(answer["max_us"] for answer in answers) / 1e3,
        acknowledged,
        [error for answer in answers for error in answer["errors"]],
    )


def stored_bytes(path: Path) -> int:
    """Return the size of a database with all that lies beside it."""
    return sum(part.stat().st_size for part in path.parent.glob(f"{path.name}*"))


@contextmanager
def _ending(asked: Sequence[subprocess.Popen[str]]) -> Iterator[None]:
    """End what still runs when the block is left: nothing writes into a folder after."""
    try:
        yield
    finally:
        for process in asked:
            if process.poll() is None:
                process.kill()
                process.communicate()


def _answer(process: subprocess.Popen[str]) -> Answer:
    try:
        out, err = process.communicate(timeout=LONGEST_SECONDS)
    except subprocess.TimeoutExpired as fault:
        process.kill()
        process.communicate()
        raise DriverFailed(f"no answer in {LONGEST_SECONDS} s") from fault
    if process.returncode:
        said = err.strip().splitlines() or [f"exit code {process.returncode}"]
        raise DriverFailed(said[-1])
    answer: Answer = json.loads(out.splitlines()[-1])
    return answer


def _pipe(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise DriverFailed("was started without pipes")
    return pipe

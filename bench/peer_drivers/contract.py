# ruff: noqa: PLC0415 - a cold start is measured: what it does not need is not read
"""What a driver does for `bench.store`, and how it answers: one JSON object on stdout.

A driver is run as `python driver.py TASK PATH ARGUMENTS`, PATH being the database and
ARGUMENTS a JSON object. It opens its store as a `Keeper`, and the task is timed here, by
the same lines for every store. Tasks of one store alone stand in a `NAME_library.py` with
its large database. A driver imports its store by name when it opens it: the packages are in the
environment of that store only.

The standard library suffices, and little of it is read, so that a cold start shows the
store and not this file.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from typing import Any, Protocol

Answer = dict[str, Any]
Task = Callable[[str, dict[str, Any]], Answer]
FIRST = {"role": "user", "content": "What changed since yesterday?"}
WARMING_SEED = 0  # of no session that is measured
WARMING_MESSAGES = 60


class Keeper(Protocol):
    """An open store, of ours or of a peer."""

    is_async: bool
    """Whether `append` and `load` are to be awaited."""

    def shaped(self, message: dict[str, Any]) -> Any:  # noqa: ANN401 - the store's own
        """Turn a message into what the store takes; not timed."""

    def append(self, uid: str, entry: Any) -> Awaitable[None] | None:  # noqa: ANN401
        """Add one entry to a session and commit it."""

    def load(self, uid: str) -> Any:  # noqa: ANN401 - a sized value, or an awaitable of it
        """Return all messages of a session."""

    def end(self, uid: str) -> None:
        """Note that a session has ended, where the store has a word for it."""

    def settle(self) -> None:
        """Do what the store leaves for later, as filling an index."""

    def close(self) -> None:
        """Close it."""


def run(open_keeper: Callable[[str], Keeper]) -> None:
    """Do the task that the command line names with the store that is opened.

    Args:
        open_keeper: Opens the store at a path.
    """
    name, path, text = sys.argv[1:]
    keeper = open_keeper(path)
    print(json.dumps(_finish(keeper, _WORK[name](keeper, **json.loads(text)))))


def run_tasks(**tasks: Task) -> None:
    """Do the task that the command line names, out of those of one store alone."""
    name, path, text = sys.argv[1:]
    print(json.dumps(tasks[name](path, json.loads(text))))


def summary(seconds: Sequence[float], worked: float = 0.0) -> Answer:
    """Return the figures of some measured times, in microseconds.

    Args:
        seconds: What each took by the clock on the wall.
        worked: What all took of processor time, in seconds, in all threads.
    """
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return {
        "count": len(ordered),
        "cpu_us": worked / len(ordered) * 1e6,
        "mean_us": sum(ordered) / len(ordered) * 1e6,
        **{f"p{p}_us": ordered[last * p // 100] * 1e6 for p in (50, 95, 99)},
        "max_us": ordered[-1] * 1e6,
    }


def timed(action: Callable[[], object], *, rounds: int) -> Answer:
    """Do something once to warm up, then so many times measured."""
    action()
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - start)
    return summary(seconds)


def _finish(keeper: Keeper, work: Coroutine[Any, Any, Answer]) -> Answer:
    """Run the task; a store that is not async does not pay for an event loop."""
    if keeper.is_async:
        import asyncio

        return asyncio.run(work)
    try:
        work.send(None)
    except StopIteration as end:
        answer: Answer = end.value
        return answer
    raise RuntimeError("a store that is not async was awaited")


async def _append(keeper: Keeper, *, seed: int, sessions: int) -> Answer:
    """Append sessions message by message, each with its commit; each session ends.

    One before them is not timed: what a process does once, as importing what its first
    call needs, is part of a cold start and of no append after it.
    """
    from bench.store_workload import Workload, text_bytes

    warming = Workload(WARMING_SEED).session(0, WARMING_MESSAGES)
    made = [warming, *Workload(seed).sessions(sessions)]
    shaped = [
        [(session.uid, keeper.shaped(message)) for message in session.messages]
        for session in made
    ]
    seconds: list[float] = []
    worked = ending = 0.0
    for session, entries in zip(made, shaped, strict=True):
        began = time.process_time()
        seconds += await _timed_appends(keeper, entries)
        done = time.process_time()
        keeper.end(session.uid)
        if session is warming:
            seconds.clear()
            continue
        worked += done - began
        ending += time.process_time() - done
    keeper.settle()
    keeper.close()
    messages = [message for session in made for message in session.messages]
    figures = {
        "stored": len(messages),
        "text_bytes": sum(map(text_bytes, messages)),
        "ending_us": ending / len(seconds) * 1e6,
    }
    return summary(seconds, worked) | figures


async def _timed_appends(
    keeper: Keeper, entries: Iterable[tuple[str, Any]]
) -> list[float]:
    seconds = []
    for uid, entry in entries:
        start = time.perf_counter()
        waiting = keeper.append(uid, entry)
        if waiting is not None:
            await waiting
        seconds.append(time.perf_counter() - start)
    return seconds


async def _load(keeper: Keeper, *, seed: int, messages: int, rounds: int) -> Answer:
    """Load one session whole, again and again."""
    from bench.store_workload import Workload

    session = Workload(seed).session(0, messages)
    for message in session.messages:
        waiting = keeper.append(session.uid, keeper.shaped(message))
        if waiting is not None:
            await waiting
    seconds: list[float] = []
    before = time.process_time()
    for number in range(rounds + 1):
        if number == 1:  # the first one warms the cache
            before = time.process_time()
        start = time.perf_counter()
        found = keeper.load(session.uid)
        if keeper.is_async:
            found = await found
        seconds.append(time.perf_counter() - start)
        if len(found) != messages:
            raise RuntimeError(f"{len(found)} messages came back, not {messages}")
    worked = time.process_time() - before
    keeper.close()
    return summary(seconds[1:], worked)


async def _first(keeper: Keeper) -> Answer:
    """Write one message and say when it was durable, on the clock of all processes."""
    waiting = keeper.append("bench-first", keeper.shaped(FIRST))
    if waiting is not None:
        await waiting
    return {"at_seconds": time.perf_counter()}


async def _write(keeper: Keeper, *, seed: int, messages: int) -> Answer:
    """Write beside other processes: say when ready, wait for a line, then append."""
    from bench.store_workload import Workload

    session = Workload(seed).session(0, messages)
    entries = [(session.uid, keeper.shaped(message)) for message in session.messages]
    print(json.dumps({"ready": True}), flush=True)
    sys.stdin.readline()
    began = time.perf_counter()
    seconds: list[float] = []
    errors: list[str] = []
    for entry in entries:
        try:
            seconds += await _timed_appends(keeper, [entry])
        except Exception as fault:  # noqa: BLE001 - any error of any store is counted
            errors.append(f"{type(fault).__name__}: {fault}"[:120])
    ended = time.perf_counter()
    keeper.close()
    return {
        "began_seconds": began,
        "ended_seconds": ended,
        "errors": errors,
        **summary(seconds or [0.0]),
        "count": len(seconds),
    }


_WORK: dict[str, Callable[..., Coroutine[Any, Any, Answer]]] = {
    "append": _append,
    "load": _load,
    "first": _first,
    "write": _write,
}

"""Do a thing again and again, killed each time one step later, and look at what is there.

A step is a line of the code that does it, or a call of the store. A child is forked for
each, from a process that has no thread.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from oldhand.clock import system_clock
from oldhand.confirm.audit.checkpoint import (
    checkpoints_in,
    make_checkpoint,
    read_checkpoints,
)
from oldhand.confirm.audit.verify import verify_chain
from oldhand.confirm.policies import active_policy, put_policy
from oldhand.store import Query, Store, open_database
from oldhand.store.sqlite import SqliteStore

from .office import Office

_SPAWN = multiprocessing.get_context("spawn")
_LINES_OF = ("policies.py", "checkpoint.py")
_POLICY = """
version = 1
[[rule]]
id = "free"
match = { action = "free" }
effect = "EFFECT"
[[rule]]
id = "held"
match = { action = "held" }
effect = "HELD"
"""
_BEFORE = _POLICY.replace("EFFECT", "allow").replace("HELD", "ask")
_AFTER = _POLICY.replace("EFFECT", "deny").replace("HELD", "deny")
_STATES = Query("states", *["SELECT state FROM requests"] * 2)


class Fallen(NamedTuple):
    """What was there when a process had been killed.

    Attributes:
        is_intact: The log verifies.
        is_done: What it was doing is done.
        is_done_by_halves: Some of it is.
        is_done_when_tried_again: Another process could do it then.
    """

    is_intact: bool
    is_done: bool
    is_done_by_halves: bool
    is_done_when_tried_again: bool


def fall_at_each_step(folder: Path, what: str, *, every: int = 1) -> list[Fallen]:
    """Kill `policy`, `checkpoint` or `naive policy` at its first step, and the next.

    Args:
        folder: For the databases.
        what: What it does.
        every: Leave out the steps between; 1: none.
    """
    said = _SPAWN.SimpleQueue()
    process = _SPAWN.Process(target=_fall, args=(folder, what, every, said))
    process.start()
    process.join()
    assert process.exitcode == 0
    return [Fallen(*each) for each in said.get()]


def _fall(folder: Path, what: str, every: int, said: Any) -> None:
    begun = folder / "begun.db"
    store = open_database(str(begun))
    office = Office(store)
    put_policy(store, _BEFORE, by=None, clock=system_clock)
    for action in ("free", "free", "held"):
        office.ask(action=action)
    store.close()
    do, look = _WORKS[what]
    found = []
    for step in count(1, every):
        path = folder / f"{step}.db"
        shutil.copy(begun, path)
        was_killed = _do_until(path, do, step)
        found.append(tuple(look(path)))
        for each in folder.glob(f"{step}.*"):
            each.unlink()
        if not was_killed:
            break
    said.put(found)


def _do_until(path: Path, do: Callable[[Store, Path], object], step: int) -> bool:
    """Do it in a child that is killed at a step; False where it came to its end."""
    child = os.fork()
    if not child:
        store = open_database(str(path))
        sys.settrace(_Killer(step))
        do(store, path)
        sys.settrace(None)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


class _Killer:
    """Counts steps, and kills the process at one of them."""

    def __init__(self, step: int) -> None:
        self._left = step

    def __call__(self, frame: FrameType, event: str, _: object) -> Any:
        name = os.path.basename(frame.f_code.co_filename)  # noqa: PTH119 - of each call
        if name in _LINES_OF or (name == "sqlite.py" and event == "call"):
            self._left -= 1
            if not self._left:
                os.kill(os.getpid(), signal.SIGKILL)
        return self if name in {*_LINES_OF, "sqlite.py"} else None


def _put(store: Store, _: Path) -> object:
    return put_policy(store, _AFTER, by="ann", clock=system_clock)


class _Careless(SqliteStore):
    """A store for which each statement is a transaction of its own."""

    def transaction(self) -> AbstractContextManager[None]:
        return nullcontext()


def _put_carelessly(store: Store, path: Path) -> object:
    return _put(_Careless(path), path)


def _look_at_policy(path: Path) -> Fallen:
    store = open_database(str(path))
    states = {state for (state,) in store.query_all(_STATES)}
    active = active_policy(store)
    assert active is not None
    is_new = active.version > 1
    is_weighed = states == {"revoked", "denied"}
    is_untouched = states == {"auto_approved", "pending"}
    is_intact = verify_chain(store).is_intact
    _put(store, path)
    again = {state for (state,) in store.query_all(_STATES)}
    store.close()
    return Fallen(
        is_intact,
        is_new and is_weighed,
        not ((is_new and is_weighed) or (not is_new and is_untouched)),
        again == {"revoked", "denied"},
    )


def _check(store: Store, path: Path) -> object:
    return make_checkpoint(
        store, key_id="k", sign=lambda _: bytes(64), clock=system_clock,
        file=path.with_suffix(".jsonl"),
    )  # fmt: skip


def _look_at_checkpoint(path: Path) -> Fallen:
    store = open_database(str(path))
    file = path.with_suffix(".jsonl")
    kept = checkpoints_in(store)
    outside = read_checkpoints(file) if file.exists() else []
    is_intact = verify_chain(store, checkpoints=kept + outside).is_intact
    _put(store, path)  # the log goes on
    _check(store, path)
    again = checkpoints_in(store)
    verdict = verify_chain(store, checkpoints=again + read_checkpoints(file))
    store.close()
    return Fallen(
        is_intact,
        bool(outside),
        bool(set(outside) - set(kept)),
        verdict.is_intact and read_checkpoints(file)[-1] == again[-1],
    )


_WORKS = {
    "policy": (_put, _look_at_policy),
    "naive policy": (_put_carelessly, _look_at_policy),
    "checkpoint": (_check, _look_at_checkpoint),
}

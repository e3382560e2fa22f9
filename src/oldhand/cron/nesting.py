"""Whether this process is inside a scheduled run, which may not schedule more.

An agent that nobody watches could else have itself started again and again. The scheduler
tells the child in its environment; as a child can take that away, the processes above this
one are held against those of runs that go on, too. What has left its session and has been
adopted by the system's first process is not found.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from oldhand.cron.processes import Process, parent_of, process_from, process_of
from oldhand.errors import Forbidden
from oldhand.store import Queries, Store

_MOST_ANCESTORS = 100
_SQL = Queries("oldhand.cron")


def refuse_inside_run(store: Store, run: str, *, doing: str) -> None:
    """Refuse to a scheduled run what only people, and agents beside them, may do.

    Args:
        store: Where runs are.
        run: What the environment says: a run's id, or "".
        doing: What was asked for, as `make a job`.

    Raises:
        Forbidden: This process is inside a run.
    """
    inside = run or _run_above(store)
    if inside:
        raise Forbidden(
            f"this is scheduled run {inside[:40]}: a run may not {doing}; it may look at "
            "jobs and runs, and say in its answer what should be scheduled"
        )


def _run_above(store: Store) -> str:
    """Return the run whose child this process descends from, or ""."""
    rows = store.query_all(_SQL["children"])
    children = {
        child: run_id
        for run_id, text in rows
        if (child := process_from(text)) is not None and child.is_here
    }
    if not children:
        return ""
    for each in _above():
        if each in children:
            return str(children[each])
    return ""


def _above() -> Iterator[Process]:
    """Yield the leaders of this process's session and group, itself, and its ancestors."""
    yield process_of(os.getsid(0))
    yield process_of(os.getpgrp())
    pid = os.getpid()
    for _ in range(_MOST_ANCESTORS):
        yield process_of(pid)
        pid = parent_of(pid)
        if pid <= 1:
            return

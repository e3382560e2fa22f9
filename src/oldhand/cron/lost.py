"""Runs whose scheduler is gone: found, ended, and never silently repeated.

A scheduler that was killed cannot say so. On its own machine its process is looked for, and
where that has ended its runs are lost at once. Elsewhere, or where the process is there and
does nothing, its signs of life are watched: one that gave none for as long as a lease, by
the watcher's own steady clock, is given up. So neither a wall clock that was set nor a
machine that slept, which stops both, makes a run that goes on look lost.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from oldhand.cron.claims import LEASE_US, add_retry, may_retry
from oldhand.cron.deliver import put_lost
from oldhand.cron.model import Cause, Claimed
from oldhand.cron.owners import process_of_owner
from oldhand.cron.processes import process_from
from oldhand.cron.rows import job_of
from oldhand.errors import Conflict
from oldhand.ledger.model import END_STATES, RunEnd, RunState
from oldhand.ledger.runs import close_run
from oldhand.ledger.waiting import set_due
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.cron")

logger = logging.getLogger(__name__)


class Abandoned(NamedTuple):
    """A run that somebody took up, as it was seen."""

    run_id: int
    job_id: int
    due_us: int
    cause: Cause
    attempt: int
    owner: str
    beat: int
    lease_until_us: int
    child: str
    state: RunState


class Watcher:
    """Remembers when the runs under way gave their last signs of life.

    Silence is counted from look to look, and of the time between two looks only a third of
    a lease: when this process was stopped others were perhaps, too, and must have the time
    to give a sign once all go on.
    """

    def __init__(
        self, *, lease_us: int = LEASE_US, steady: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin to watch.

        Args:
            lease_us: So much silence is too much.
            steady: Seconds that never go back and stand still while the machine sleeps.
        """
        self._lease_seconds = lease_us / 1_000_000
        self._steady = steady
        self._looked = steady()
        self._awake = 0.0
        self._seen: dict[int, tuple[int, float]] = {}

    def look(self, store: Store) -> list[Abandoned]:
        """Return the runs that nobody is at work on any more."""
        rows = store.query_all(_SQL["runs_under_way"])
        now = self._steady()
        self._awake += min(now - self._looked, self._lease_seconds / 3)
        self._looked = now
        runs = [Abandoned(*row) for row in rows]
        known, unseen = self._seen, (None, 0.0)
        self._seen = {
            run.run_id: (run.beat, self._awake)
            if known.get(run.run_id, unseen)[0] != run.beat
            else known[run.run_id]
            for run in runs
        }
        gone = _gone({run.owner for run in runs})
        return [run for run in runs if run.owner in gone or self._is_silent(run)]

    def forget(self) -> None:
        """Begin to count anew, as where nothing could be written, by others neither."""
        self._seen.clear()

    def _is_silent(self, run: Abandoned) -> bool:
        return self._awake - self._seen[run.run_id][1] > self._lease_seconds


def _gone(owners: Iterable[str]) -> set[str]:
    """Return those schedulers whose processes have certainly ended."""
    return {owner for owner in owners if _is_gone(owner)}


def _is_gone(owner: str) -> bool:
    process = process_of_owner(owner)
    return process is not None and process.is_gone


def seize(store: Store, run: Abandoned, *, by: str) -> Abandoned | None:
    """Take an abandoned run, so that nobody else gives it up, or wakes and writes of it.

    What its scheduler left behind is to be killed after that and before `give_up`: should
    this process be killed in between, the next one still knows of it.

    Returns:
        The run as it is then; None where its owner lives after all, or it is over.
    """
    row = {"run_id": run.run_id, "owner": by, "old": run.owner, "beat": run.beat}
    if not store.execute(_SQL["seize"], row):
        return None
    return run._replace(beat=run.beat + 1)


def end_child(run: Abandoned) -> None:
    """Kill what an abandoned run left behind, if it lives on this machine."""
    child = process_from(run.child) if run.child else None
    if child is not None and child.kill_group():
        logger.warning("run %s: killed what its scheduler left behind", run.run_id)


def give_up(store: Store, run: Abandoned, *, by: str, now_us: int) -> Claimed | None:
    """End a run that nobody is at work on; in the caller's transaction.

    One that was taken up and did not start waits again. One that had started is lost: what
    it did is not known. Only a job without side effects is tried again.

    Args:
        store: With a transaction open.
        run: As `look` saw it, and `seize` took it.
        by: The scheduler that gives it up.
        now_us: In microseconds since 1970-01-01 UTC.

    Returns:
        The run, if it is lost; None where it waits again, was over, or has no job to read.

    Raises:
        Conflict: It is not ours; the caller's transaction is to be undone.
    """
    if run.state == "claimed":
        back = {"run_id": run.run_id, "owner": by, "ready": now_us}
        if store.execute(_SQL["give_back"], back):
            set_due(store, run.run_id)
        return None
    lost = _claimed(store, run, by)
    is_over = run.state in END_STATES
    is_retried = lost is not None and not is_over and may_retry(lost)
    delivery = "none"
    if lost is not None and not is_over and not is_retried:
        delivery = put_lost(store, lost, now_us=now_us)
    row = {"run_id": run.run_id, "owner": by, "delivery": delivery}
    if not store.execute(_SQL["let_go"], row):
        raise Conflict(f"run {run.run_id}: somebody else gives it up")
    if is_over:
        return None
    end = RunEnd(state="lost", end_reason=_why(run))
    close_run(store, run.run_id, end, clock=lambda: now_us)
    if lost is not None and is_retried:
        add_retry(store, lost, now_us=now_us)
    return lost


def _claimed(store: Store, run: Abandoned, by: str) -> Claimed | None:
    """Return a run with its job; None where that cannot be read."""
    row = store.query_one(_SQL["job_of_run"], (run.run_id,))
    if row is None:
        return None
    try:
        job = job_of(row)
    except Exception:
        logger.exception("run %s: its job cannot be read", run.run_id)
        return None
    return Claimed(run.run_id, job, run.due_us, run.cause, run.attempt, by)


def _why(run: Abandoned) -> str:
    how = "has ended" if _is_gone(run.owner) else "fell silent"
    return f"its scheduler {how} while it ran; what it did until then is not known"

"""Who is at work on a run: taken up, kept by signs of life, let go.

A run belongs to the scheduler that its row names. Every statement about it names that
scheduler again, so that one that was stopped for a while, and whose run was declared lost
meanwhile, changes nothing when it wakes: it is told, and ends the child that it started.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from oldhand.cron.model import SOURCE, Claimed
from oldhand.cron.rows import job_of
from oldhand.errors import Conflict
from oldhand.ledger.model import RunEnd
from oldhand.ledger.runs import close_run
from oldhand.ledger.waiting import (
    Begun,
    add_waiting,
    begin_row,
    begin_run,
    begin_runs,
    end_unstarted,
    set_claimed,
    set_due,
)
from oldhand.store import Queries, Store

LEASE_US = 30_000_000
"""A run whose scheduler gave no sign of life for so long is lost."""
_FIRST_BACKOFF_US = 30_000_000
_LONGEST_BACKOFF_US = 3_600_000_000
_SQL = Queries("oldhand.cron")

logger = logging.getLogger(__name__)


class LeaseLost(Conflict):
    """The run was declared lost meanwhile, and is not ours to write of any more."""

    code = "lease_lost"


class Finish(NamedTuple):
    """How a run is let go.

    Attributes:
        end: For the ledger.
        delivery: `none`, `silent`, or `put` where the outbox has the result.
        retry: Whether it is to be tried again.
    """

    end: RunEnd
    delivery: str = "none"
    retry: bool = False


def claim(
    store: Store,
    owner: str,
    *,
    limit: int,
    now_us: int,
    lease_us: int = LEASE_US,
) -> list[Claimed]:
    """Take up runs that wait, oldest first; in the caller's transaction or its own.

    One whose job cannot be read is over: it is blocked, with the reason.
    """
    taken = []
    with store.transaction():
        scope = {"now": now_us, "limit": limit}
        for run_id, due_us, cause, attempt, *job in store.query_all(
            _SQL["ready_runs"], scope
        ):
            try:
                read = job_of(tuple(job))
            except Exception as fault:
                logger.exception("run %s: its job cannot be read", run_id)
                _block(store, run_id, fault, now_us=now_us)
            else:
                taken.append(Claimed(run_id, read, due_us, cause, attempt, owner))
        lease = now_us + lease_us
        store.execute_many(
            _SQL["take_run"], [(owner, lease, run.run_id) for run in taken]
        )
        set_claimed(store, [run.run_id for run in taken])
    return taken


def _block(store: Store, run_id: int, fault: Exception, *, now_us: int) -> None:
    store.execute(_SQL["forget_ready"], {"run_id": run_id})
    reason = f"its job cannot be read: {type(fault).__name__}: {fault}"
    end_unstarted(store, run_id, "blocked", reason=reason, at_us=now_us)


def begin(store: Store, run: Claimed, begun: Begun, *, notes: Sequence[str]) -> None:
    """Write that a run that was taken up starts now; before anything of it is done.

    Raises:
        LeaseLost: It is not ours any more.
    """
    with store.transaction():
        row = {
            "run_id": run.run_id, "owner": run.owner, "notes": json.dumps(list(notes))
        }  # fmt: skip
        if not store.execute(_SQL["begin_job_run"], row):
            raise _lost(run)
        begin_run(store, run.run_id, begun)


class Beginning(NamedTuple):
    """A run that begins, as its rows are.

    Attributes:
        run_id: The run's.
        row: For the ledger.
        notes: As JSON.
    """

    run_id: int
    row: tuple[Any, ...]
    notes: str

    @classmethod
    def of(cls, run_id: int, begun: Begun, notes: Sequence[str]) -> Beginning:
        """Look at the values.

        Raises:
            InvalidInput: One is not what the ledger takes.
        """
        return cls(run_id, begin_row(run_id, begun), json.dumps(list(notes)))


def begin_all(
    store: Store, owner: str, beginnings: Sequence[Beginning]
) -> frozenset[int]:
    """Write that runs without skills start now, before anything of them is done.

    Returns:
        Those that do; any other is not the owner's any more.
    """
    with store.transaction():
        ours = {row[0] for row in store.query_all(_SQL["claimed_of_owner"], (owner,))}
        begun = [each for each in beginnings if each.run_id in ours]
        store.execute_many(
            _SQL["begin_job_run"],
            [(each.notes, each.run_id, owner) for each in begun],
        )
        begin_runs(store, [each.row for each in begun])
    return frozenset(each.run_id for each in begun)


def beat(
    store: Store,
    owner: str,
    run_ids: Iterable[int],
    *,
    now_us: int,
    lease_us: int = LEASE_US,
) -> None:
    """Give a sign of life for runs that a scheduler is at work on.

    Those that it has and is not at work on, because something went wrong with them, stay
    silent, and are given up for lost in the end.
    """
    lease = now_us + lease_us
    store.execute_many(_SQL["beat"], [(lease, run_id, owner) for run_id in run_ids])


def find_cancels(store: Store, owner: str) -> dict[int, str]:
    """Return the runs of a scheduler, each with why it is to be cancelled, or ""."""
    return dict(store.query_all(_SQL["runs_of_owner"], (owner,)))


def finish(store: Store, run: Claimed, done: Finish, *, now_us: int) -> None:
    """Write how a run went, and that nobody is at work on it any more.

    Raises:
        LeaseLost: It is not ours any more; nothing is written.
    """
    with store.transaction():
        row = {"run_id": run.run_id, "owner": run.owner, "delivery": done.delivery}
        if not store.execute(_SQL["let_go"], row):
            raise _lost(run)
        close_run(store, run.run_id, done.end, clock=lambda: now_us)
        if done.retry:
            add_retry(store, run, now_us=now_us)


def give_back(store: Store, run: Claimed, *, now_us: int) -> None:
    """Let somebody else have a run that was taken up and did not start.

    Raises:
        LeaseLost: It is not ours any more.
    """
    with store.transaction():
        row = {"run_id": run.run_id, "owner": run.owner, "ready": now_us}
        if not store.execute(_SQL["give_back"], row):
            raise _lost(run)
        set_due(store, run.run_id)


def add_retry(store: Store, run: Claimed, *, now_us: int) -> None:
    """Write that a run is to be tried again, later each time; in the caller's transaction."""
    wait = min(_LONGEST_BACKOFF_US, _FIRST_BACKOFF_US << min(run.attempt - 1, 10))
    run_id = add_waiting(
        store,
        key=f"job:{run.job.uid}:after:{run.run_id}",
        source=SOURCE,
        job=run.job.uid,
        due_us=run.due_us,
    )
    row = {
        "run_id": run_id, "job_id": run.job.id, "due": run.due_us, "cause": "retry",
        "attempt": run.attempt + 1, "ready": now_us + wait,
        "is_alone": int(run.job.spec.on_overlap != "allow"),
    }  # fmt: skip
    store.execute(_SQL["add_job_run"], row)


def may_retry(run: Claimed) -> bool:
    """Say whether a run that failed or was lost is tried again by itself."""
    spec = run.job.spec
    return not spec.side_effects and run.attempt <= spec.retries


def _lost(run: Claimed) -> LeaseLost:
    return LeaseLost(f"run {run.run_id}: it was given up for lost meanwhile")

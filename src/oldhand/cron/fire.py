"""Jobs that are due become runs.

Whoever moves a job's next time first has fired it: the time that it was due at is part of
the condition, and the row of the run is in the same transaction. A run is also unique by
its job and time, so that a clock that was set back fires nothing twice.

The rows of many jobs are written by four statements, each run once for each row: with
PostgreSQL these are a few round trips where there were six for each job.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from oldhand.cron.deliver import Missed, put_missed
from oldhand.cron.misfire import Firing, Plan, plan
from oldhand.cron.model import SOURCE, Job
from oldhand.cron.rows import COLUMNS, job_of
from oldhand.ledger.waiting import Fired, add_fired
from oldhand.store import Queries, Row, Store

AT_ONCE = 200
"""Jobs fired in one transaction: others want to write as well."""
MAX_REASON_CHARS = 500
_CLOCK_SLACK_US = 2_000_000
_SQL = Queries("oldhand.cron")

logger = logging.getLogger(__name__)


class _Due(NamedTuple):
    """A job that is due, and what becomes of it.

    Attributes:
        job: As it stands.
        planned: What it does now; of the firings only those that are not on record.
        is_busy: Whether a run of it waits or goes on.
    """

    job: Job
    planned: Plan
    is_busy: bool


def fire_due(store: Store, *, now_us: int) -> int:
    """Make runs of the jobs that are due, the longest due first; at most `AT_ONCE`.

    One that cannot be read is paused, with the reason, and stops no other.

    Returns:
        How many jobs were due; 0 says that no more are, or that others are at them.
    """
    with store.transaction():
        rows = store.query_all(_SQL["due_jobs"], {"now": now_us, "limit": AT_ONCE})
        due = [each for row in rows if (each := _due(store, row, now_us)) is not None]
        _write(store, due, now_us)
        put_missed(store, _missed(due), now_us=now_us)
    return len(rows)


def reckon_anew(store: Store, *, now_us: int) -> int:
    """Work out anew when jobs are due whose times were worked out in the future.

    That is when the clock was set back. What fired already does not fire again.

    Returns:
        How many there were.
    """
    late = {"after": now_us + _CLOCK_SLACK_US}
    if not store.query_all(_SQL["jobs_of_the_future"], late):
        return 0
    with store.transaction():
        rows = store.query_all(_SQL["jobs_of_the_future"], late)
        for row in rows:
            _reckon(store, row, now_us)
    return len(rows)


def _due(store: Store, row: Row, now_us: int) -> _Due | None:
    """Read a job that is due, and say what it does; None: it cannot be read."""
    is_busy, is_fired = row[COLUMNS:]
    try:
        job = job_of(row[:COLUMNS])
        planned = plan(job, now_us)
    except Exception as fault:
        logger.exception("job %s cannot be fired, and is paused", row[1])
        _pause(store, row, fault, now_us)
        return None
    firings = [
        firing
        for firing in planned.firings
        if not (
            is_fired
            if firing.due_us == job.next_due_us
            else store.query_one(_SQL["has_run_of"], (_key(job, firing),))
        )
    ]
    next_due = planned.next_due_us
    if len(firings) < len(planned.firings):  # what is on record does not count again
        next_due = job.schedule.next_after(now_us)
    return _Due(job, Plan(firings, next_due), bool(is_busy))


def _reckon(store: Store, row: Row, now_us: int) -> None:
    try:
        job = job_of(row)
        next_due = job.schedule.next_after(now_us)
    except Exception as fault:
        logger.exception("job %s cannot be fired, and is paused", row[1])
        _pause(store, row, fault, now_us)
        return
    if next_due is None:  # a single time that is still to come
        next_due = job.next_due_us
    moved = {"id": job.id, "rev": job.rev, "now": now_us, "next_due": next_due}
    store.execute(_SQL["reckon_job"], moved)


def _pause(store: Store, row: Row, fault: Exception, now_us: int) -> None:
    """Let a job that cannot be read wait for somebody to look at it."""
    said = f"it cannot be fired: {type(fault).__name__}: {fault}"
    pause = {
        "id": row[0], "rev": row[4], "state": "paused", "now": now_us,
        "reason": said[:MAX_REASON_CHARS], "next_due": None,
    }  # fmt: skip
    store.execute(_SQL["set_job_state"], pause)


def _write(store: Store, due: list[_Due], now_us: int) -> None:
    if not due:
        return
    fired = [(job, each) for job, each in _fired(due, now_us)]
    add_fired(store, (each for _, each in fired))
    store.execute_many(
        _SQL["add_fired_job_run"],
        [
            (
                job.id,
                each.due_us,
                int(job.spec.on_overlap != "allow"),
                None if each.reason else now_us,
                each.key,
            )
            for job, each in fired
        ],
    )
    store.execute_many(_SQL["fire_job"], _moved(due, now_us))


def _fired(due: Iterable[_Due], now_us: int) -> Iterator[tuple[Job, Fired]]:
    """Yield the rows of all firings, also of those that are not run."""
    for job, planned, is_busy in due:
        for firing in planned.firings:
            yield job, _row(job, firing, now_us, is_busy=is_busy)


def _missed(due: Iterable[_Due]) -> Iterator[Missed]:
    """Yield what somebody may have to be told: jobs of which nothing runs instead."""
    for job, planned, _ in due:
        firings = planned.firings
        if firings and all(firing.missed for firing in firings):
            last = firings[-1]
            yield Missed(job, _key(job, last), last.due_us, last.missed)


def _row(job: Job, firing: Firing, now_us: int, *, is_busy: bool) -> Fired:
    due = Fired(_key(job, firing), SOURCE, job.uid, "due", None, firing.due_us, None)
    ended = max(now_us, firing.due_us)
    if firing.missed:
        return due._replace(state="missed", reason=firing.missed, ended_at_us=ended)
    if is_busy and job.spec.on_overlap == "skip":
        reason = "a run of this job was still going on"
        return due._replace(state="skipped", reason=reason, ended_at_us=ended)
    return due


def _moved(due: Iterable[_Due], now_us: int) -> Iterator[tuple[object, ...]]:
    for job, planned, _ in due:
        state = "scheduled" if planned.next_due_us is not None else "completed"
        count = sum(not firing.missed for firing in planned.firings)
        yield (planned.next_due_us, now_us, count, state, job.id, job.rev,
               job.next_due_us)  # fmt: skip


def _key(job: Job, firing: Firing) -> str:
    return f"job:{job.uid}:{firing.due_us}"

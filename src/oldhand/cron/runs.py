"""Runs of jobs, read back: how each went, what it was told, and what people heard of it."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from oldhand.clock import to_iso
from oldhand.cron.delivery import Delivery, delivery_from
from oldhand.cron.jobs import find_job
from oldhand.cron.model import Cause
from oldhand.errors import NotFound
from oldhand.ledger.model import Run, RunState
from oldhand.ledger.rows import run_of
from oldhand.store import Queries, Row, Store

_RUN_COLUMNS = len(Run._fields)
_NEWEST = (1 << 62) - 1
_SQL = Queries("oldhand.cron")


class JobRun(NamedTuple):
    """One run of a job; times in microseconds since 1970-01-01 UTC.

    Attributes:
        run: As the ledger has it.
        job_uid: Of its job, which may have been removed since.
        job_name: The name that this has.
        due_us: When it was to start.
        cause: `schedule`, `trigger` or `retry`.
        attempt: 1, or more for a retry.
        ready_at_us: While it waits: from when on it may start.
        owner: The scheduler that has it; None: none has.
        cancel_reason: Why somebody wants it to end, or "".
        notes: What it was told or kept from, each a sentence.
        delivery: What became of its result.
    """

    run: Run
    job_uid: str
    job_name: str
    due_us: int
    cause: Cause
    attempt: int
    ready_at_us: int | None
    owner: str | None
    cancel_reason: str
    notes: tuple[str, ...]
    delivery: Delivery

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens to it."""
        return self.ready_at_us is None and self.owner is None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it: the keys of the ledger's run, and its own."""
        return {
            **self.run.as_json(),
            "job": self.job_uid,
            "job_name": self.job_name,
            "due_at": to_iso(self.due_us),
            "cause": self.cause,
            "attempt": self.attempt,
            "cancel_reason": self.cancel_reason,
            "notes": list(self.notes),
            "delivery": {
                **self.delivery._asdict(),
                "sent_to": [*self.delivery.sent_to],
            },
        }


class LastRun(NamedTuple):
    """The newest run of a job.

    Attributes:
        state: As in the ledger.
        started_at_us: When it started, or was due where it has not.
    """

    state: RunState
    started_at_us: int


def list_job_runs(
    store: Store,
    *,
    job: str | None = None,
    state: RunState | None = None,
    upto: int = _NEWEST,
    limit: int = 100,
) -> list[JobRun]:
    """Return runs of jobs, the newest first.

    Args:
        store: Where they are.
        job: Only of this one, by name or id; one that was removed as well.
        state: Only in this state.
        upto: Only those with an id up to it.
        limit: At most so many.

    Raises:
        NotFound: There is no such job, and never was.
        InvalidInput: Several begin so.
    """
    scope = {
        "job_id": None if job is None else _job_id(store, job),
        "state": state,
        "upto": upto,
        "limit": limit,
    }
    return [_job_run_of(row) for row in store.query_all(_SQL["job_runs"], scope)]


def find_job_run(store: Store, run_id: int) -> JobRun:
    """Return one run of a job.

    Raises:
        NotFound: There is none of that id.
    """
    upto = min(max(run_id, 0), _NEWEST)
    for found in list_job_runs(store, upto=upto, limit=1):
        if found.run.id == run_id:
            return found
    raise NotFound(
        f"run {run_id}: no job has a run of that id", advice="oldhand jobs runs"
    )


def last_runs(store: Store) -> dict[str, LastRun]:
    """Return the newest run of each job that has one, by the job's id."""
    rows = store.query_all(_SQL["last_runs"])
    return {uid: LastRun(state, at_us) for uid, state, at_us in rows}


def _job_id(store: Store, ref: str) -> int:
    try:
        return find_job(store, ref).id
    except NotFound:
        row = store.query_one(_SQL["job_id_of"], {"ref": ref})
        if row is None:
            raise
        return int(row[0])


def _job_run_of(row: Row) -> JobRun:
    uid, name, due_us, cause, attempt, ready, owner, cancel, notes, *delivered = row[
        _RUN_COLUMNS:
    ]
    return JobRun(
        run_of(row[:_RUN_COLUMNS]),
        uid,
        name,
        due_us,
        cause,
        attempt,
        ready,
        owner,
        cancel,
        tuple(json.loads(notes)),
        delivery_from(*delivered),
    )

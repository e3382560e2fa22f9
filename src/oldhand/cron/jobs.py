"""Jobs: made, found, changed, paused, triggered, removed.

Each change is one UPDATE that holds the revision it was made from, so that two people who
change a job at once do not undo each other. A job that was removed stays as a row: what it
ran is on record by its name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from oldhand.clock import Clock, system_clock
from oldhand.cron.guards.flags import flags_of
from oldhand.cron.guards.means import NO_MEANS, Means
from oldhand.cron.model import SOURCE, Job, JobSpec
from oldhand.cron.rows import job_of
from oldhand.cron.schedule import parse_schedule
from oldhand.cron.spec import changed_spec, checked_spec, spec_to_json, wrong
from oldhand.errors import Conflict, InvalidInput, NotFound
from oldhand.ids import new_id
from oldhand.ledger.waiting import add_waiting
from oldhand.store import Queries, Store

MAX_REASON_CHARS = 500
_LEAST_UID_CHARS = 4
_SQL = Queries(__package__)


def create_job(
    store: Store,
    spec: JobSpec,
    *,
    created_by: str = "",
    is_paused: str = "",
    means: Means = NO_MEANS,
    clock: Clock = system_clock,
) -> Job:
    """Put a job on record; it fires from then on.

    Args:
        store: Where jobs are.
        spec: What is asked for.
        created_by: Who asks.
        is_paused: Why it does not fire yet; "" is that it does.
        means: With what its script, its skills and its model are looked at for flags.
        clock: Says now.

    Raises:
        InvalidInput: A field is not what it must be, or no schedule; nothing is written.
        Conflict: There is a job of that name.

    Example:
        >>> from oldhand.store import open_database
        >>> store = open_database(":memory:")
        >>> create_job(store, JobSpec("Check the backups", "daily 09:00", zone="UTC")).name
        'Check the backups'
    """
    kept = checked_spec(spec)
    now = clock()
    schedule = parse_schedule(kept.schedule, zone=kept.zone, now_us=now)
    kept = kept._replace(zone=schedule.zone)
    row = {
        "uid": new_id(clock=clock),
        "name": kept.name,
        "spec": spec_to_json(kept),
        "schedule": schedule.to_json(),
        "state": "paused" if is_paused else "scheduled",
        "reason": is_paused[:MAX_REASON_CHARS],
        "next_due": schedule.next_after(now),
        "flags": json.dumps(flags_of(kept, means, clock=clock)),
        "created_by": created_by,
        "now": now,
    }
    with store.transaction():
        _refuse_taken(store, kept.name)
        store.execute(_SQL["add_job"], row)
    return find_job(store, str(row["uid"]))


def find_job(store: Store, ref: str) -> Job:
    """Return a job by its name, its id, or the beginning of that.

    Raises:
        NotFound: There is none, or it was removed.
        InvalidInput: Several begin so.
    """
    named = store.query_one(_SQL["job_of_name"], (ref,))
    if named is not None:
        return job_of(named)
    rows = store.query_all(_SQL["jobs_beginning"], (ref,)) if _may_be_uid(ref) else []
    if len(rows) > 1:
        raise InvalidInput(f"{ref}: several jobs begin so; say more of the id")
    if not rows:
        raise NotFound(f"{ref}: there is no such job", advice="oldhand jobs list")
    return job_of(rows[0])


def list_jobs(store: Store) -> list[Job]:
    """Return all jobs but removed ones, also those that are paused; by name."""
    return [job_of(row) for row in store.query_all(_SQL["jobs"])]


def edit_job(
    store: Store,
    ref: str,
    changes: Mapping[str, Any],
    *,
    rev: int | None = None,
    means: Means = NO_MEANS,
    clock: Clock = system_clock,
) -> Job:
    """Change fields of a job; its other fields stay.

    Args:
        store: Where jobs are.
        ref: Which one, as `find_job` takes it.
        changes: New values by field of `JobSpec`; "" or None clears a field, so that it
            is as if it had not been said. Of `limits` only those named change.
        rev: The job must still be in this revision.
        means: As `create_job` takes it.
        clock: Says now.

    Raises:
        InvalidInput: A field is not what it must be; nothing is written.
        NotFound: There is no such job.
        Conflict: It was changed meanwhile, or its new name is taken.
    """
    job = find_job(store, ref)
    if rev is not None and rev != job.rev:
        raise _changed(job)
    kept = checked_spec(changed_spec(job.spec, changes))
    now = clock()
    schedule, due = job.schedule, job.next_due_us
    is_new_time = bool({"schedule", "zone", "repeat"} & changes.keys())
    if is_new_time:
        schedule = parse_schedule(kept.schedule, zone=kept.zone, now_us=now)
        due = schedule.next_after(now)
    kept = kept._replace(zone=schedule.zone)
    row = {
        "id": job.id,
        "rev": job.rev,
        "name": kept.name,
        "spec": spec_to_json(kept),
        "schedule": schedule.to_json(),
        "next_due": due,
        "state": "scheduled" if is_new_time and job.state == "completed" else job.state,
        "fired": 0 if is_new_time else job.fired_count,
        "flags": json.dumps(flags_of(kept, means, clock=clock)),
        "now": now,
    }
    with store.transaction():
        if kept.name != job.name:
            _refuse_taken(store, kept.name)
        if not store.execute(_SQL["edit_job"], row):
            raise _changed(job)
    return find_job(store, job.uid)


def pause_job(
    store: Store, ref: str, *, reason: str = "", clock: Clock = system_clock
) -> Job:
    """Let a job fire no more until it is resumed; a run under way goes on.

    Raises:
        NotFound: There is no such job.
        Conflict: It is completed, or was changed meanwhile.
    """
    job = find_job(store, ref)
    if job.state == "completed":
        raise Conflict(f"{job.name}: it is completed, and does not fire any more")
    return _set_state(store, job, "paused", reason, job.next_due_us, clock())


def resume_job(store: Store, ref: str, *, clock: Clock = system_clock) -> Job:
    """Let a paused job fire again, from now on: what fell due meanwhile is not made up.

    Raises:
        NotFound: There is no such job.
        Conflict: It is not paused, its time is over, or it was changed meanwhile.
    """
    job = find_job(store, ref)
    if job.state != "paused":
        raise Conflict(f"{job.name}: it is not paused, but {job.state}")
    now = clock()
    due = job.schedule.next_after(now)
    if due is None:
        raise Conflict(
            f"{job.name}: its time was while it was paused; give it a new schedule",
            advice=f"oldhand jobs edit {job.uid} --schedule …",
        )
    return _set_state(store, job, "scheduled", "", due, now)


def remove_job(store: Store, ref: str, *, clock: Clock = system_clock) -> Job:
    """Take a job out of the list; its runs stay on record, and one under way goes on.

    Raises:
        NotFound: There is no such job.
        Conflict: It was changed meanwhile.
    """
    job = find_job(store, ref)
    now = clock()
    row = {"id": job.id, "rev": job.rev, "now": now}
    with store.transaction():
        if not store.execute(_SQL["remove_job"], row):
            raise _changed(job)
        drop_waiting(store, job, reason="its job was removed", now_us=now)
    return job._replace(state="removed", next_due_us=None)


def drop_waiting(store: Store, job: Job, *, reason: str, now_us: int) -> None:
    """End the runs of a job that did not start yet; in the caller's transaction."""
    row = {"job_id": job.id, "reason": reason, "now": now_us}
    store.execute(_SQL["cancel_waiting_runs"], row)
    store.execute(_SQL["forget_waiting"], {"job_id": job.id})


def trigger_job(store: Store, ref: str, *, clock: Clock = system_clock) -> int:
    """Have a job run once, as soon as a scheduler has room; return the run's id.

    Its schedule stays as it is. One that is paused runs as well: somebody wants it.

    Raises:
        NotFound: There is no such job.
    """
    job = find_job(store, ref)
    now = clock()
    with store.transaction():
        run_id = add_waiting(
            store,
            key=f"job:{job.uid}:trigger:{new_id(clock=clock)}",
            source=SOURCE,
            job=job.uid,
            due_us=now,
        )
        row = {
            "run_id": run_id, "job_id": job.id, "due": now, "cause": "trigger",
            "attempt": 1, "is_alone": int(job.spec.on_overlap != "allow"), "ready": now,
        }  # fmt: skip
        store.execute(_SQL["add_job_run"], row)
    return run_id


def _set_state(
    store: Store, job: Job, state: str, reason: str, due: int | None, now: int
) -> Job:
    if not reason.isprintable() or len(reason) > MAX_REASON_CHARS:
        raise wrong("reason", reason, f"one line of at most {MAX_REASON_CHARS}")
    row = {
        "id": job.id, "rev": job.rev, "state": state, "reason": reason.strip(),
        "next_due": due, "now": now,
    }  # fmt: skip
    if not store.execute(_SQL["set_job_state"], row):
        raise _changed(job)
    return find_job(store, job.uid)


def _refuse_taken(store: Store, name: str) -> None:
    if store.query_one(_SQL["job_of_name"], (name,)) is not None:
        raise Conflict(
            f"{name}: there is a job of that name; give this one another",
            advice="--name NAME",
        )


def _changed(job: Job) -> Conflict:
    return Conflict(f"{job.name}: it was changed meanwhile; look again")


def _may_be_uid(ref: str) -> bool:
    return len(ref) >= _LEAST_UID_CHARS and ref.isascii() and ref.isalnum()

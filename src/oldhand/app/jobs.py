"""Scheduled work: jobs made as the settings say, and a scheduler with all that it needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oldhand import settings as all_settings
from oldhand.app.confirmation import channels_of
from oldhand.app.job_runners import default_runner
from oldhand.app.scheduling import may_schedule, means_of
from oldhand.clock import Clock, system_clock, to_iso
from oldhand.cron import jobs
from oldhand.cron.delivery import redeliver
from oldhand.cron.liveness import Liveness
from oldhand.cron.model import Job, JobSpec
from oldhand.cron.runner.script_file import script_words
from oldhand.cron.runs import JobRun, find_job_run
from oldhand.cron.spec import changed_spec, checked_spec
from oldhand.cron.targets import LOCAL, check_deliver
from oldhand.notices import deliver_due
from oldhand.settings import SCRIPTS, Settings
from oldhand.store import Store

NEXT_COUNT = 3
"""So many firings to come are shown, so that who asked sees what was understood."""


def create_job(
    store: Store,
    spec: JobSpec,
    *,
    settings: Settings | None = None,
    created_by: str | None = None,
    clock: Clock = system_clock,
) -> Job:
    """Put a job on record; it fires from then on, while a scheduler runs.

    Args:
        store: Where jobs are.
        spec: What is asked for; where it has a prompt and names no runner, the
            settings' or the first agent that is found is put into it.
        settings: By default read from the environment.
        created_by: Who asks; by default the settings' principal.
        clock: Says now.

    Raises:
        InvalidInput: A field is not what it must be, or there is no agent; nothing is
            written.
        Conflict: There is a job of that name.
        Forbidden: This is a scheduled run.

    Example:
        >>> from oldhand.store import open_database
        >>> spec = JobSpec("Check the backups", "daily 09:00", runner=("claude", "-p"))
        >>> create_job(open_database(":memory:"), spec).spec.name
        'Check the backups'
    """
    known = settings or all_settings.load()
    may_schedule(store, known, doing="make a job")
    if _lacks_runner(spec):
        spec = spec._replace(runner=default_runner(known))
    _check_script(spec, known)
    _check_told(spec, known)
    by = known.principal if created_by is None else created_by
    means = means_of(store, known)
    return jobs.create_job(store, spec, created_by=by, means=means, clock=clock)


def edit_job(
    store: Store,
    ref: str,
    changes: Mapping[str, Any],
    *,
    rev: int | None = None,
    settings: Settings | None = None,
    clock: Clock = system_clock,
) -> Job:
    """Change fields of a job; its other fields stay.

    Args:
        store: Where jobs are.
        ref: A job's name, its id, or the beginning of that.
        changes: New values by field of `JobSpec`; "" or None clears a field.
        rev: The job must still be in this revision.
        settings: By default read from the environment.
        clock: Says now.

    Raises:
        InvalidInput: A field is not what it must be; nothing is written.
        NotFound: There is no such job.
        Conflict: It was changed meanwhile, or its new name is taken.
        Forbidden: This is a scheduled run.
    """
    known = settings or all_settings.load()
    may_schedule(store, known, doing="change a job")
    changed = changed_spec(jobs.find_job(store, ref).spec, changes)
    if _lacks_runner(changed):
        changes = {**changes, "runner": default_runner(known)}
    if "script" in changes:
        _check_script(changed, known)
    if {"deliver", "origin"} & changes.keys():
        _check_told(changed, known)
    means = means_of(store, known)
    return jobs.edit_job(store, ref, changes, rev=rev, means=means, clock=clock)


def resume_job(
    store: Store,
    ref: str,
    *,
    settings: Settings | None = None,
    clock: Clock = system_clock,
) -> Job:
    """Let a paused job fire again, from now on: what fell due meanwhile is not made up.

    Raises:
        NotFound: There is no such job.
        Conflict: It is not paused, its time is over, or it was changed meanwhile.
        Forbidden: This is a scheduled run.
    """
    may_schedule(store, settings or all_settings.load(), doing="resume a job")
    return jobs.resume_job(store, ref, clock=clock)


def trigger_job(
    store: Store,
    ref: str,
    *,
    settings: Settings | None = None,
    clock: Clock = system_clock,
) -> int:
    """Have a job run once, as soon as a scheduler has room; return the run's id.

    Raises:
        NotFound: There is no such job.
        Forbidden: This is a scheduled run.
    """
    may_schedule(store, settings or all_settings.load(), doing="trigger a job")
    return jobs.trigger_job(store, ref, clock=clock)


def next_firings(job: Job, now_us: int) -> list[int]:
    """Return when a job fires next, at most three times; none where it does not.

    Args:
        job: Any.
        now_us: In microseconds since 1970-01-01 UTC.
    """
    if job.state != "scheduled" or job.next_due_us is None:
        return []
    left = NEXT_COUNT
    if job.spec.repeat is not None:
        left = min(left, job.spec.repeat - job.fired_count)
    found: list[int] = []
    at_us: int | None = job.next_due_us
    while at_us is not None and len(found) < left:
        found.append(at_us)
        at_us = job.schedule.next_after(max(at_us, now_us))
    return found


def job_as_json(job: Job, now_us: int) -> dict[str, Any]:
    """Return a job as JSON takes it, with its next firings in ISO 8601."""
    return job.as_json() | {"next": [to_iso(at) for at in next_firings(job, now_us)]}


def say_liveness(found: Liveness) -> str:
    """Say whether jobs fire now, and what to do if they do not."""
    ago = "" if found.seconds_ago is None else _ago(found.seconds_ago)
    if found.is_running and found.is_tick:
        return (
            f"`oldhand jobs tick` looked for what is due {ago} ago; jobs fire when it is "
            "run again"
        )
    if found.is_running:
        return f"a scheduler runs: {found.place}"
    last = f"; one looked last {ago} ago ({found.place})" if ago else ""
    return (
        f"no scheduler runs, so nothing fires{last}: start `oldhand serve`, or have the "
        "system's cron run `oldhand jobs tick` each minute"
    )


def redeliver_run(
    store: Store, run_id: int, *, settings: Settings | None = None
) -> JobRun:
    """Send the result of a run again, to where its job now says; run nothing.

    Returns:
        The run, with what became of the message.

    Raises:
        NotFound: There is no such run, or no message of it any more.
        Conflict: All channels have it, or its job wants nothing delivered.
    """
    known = settings or all_settings.load()
    redeliver(store, run_id)
    deliver_due(store, channels_of(known))
    return find_job_run(store, run_id)


def _lacks_runner(spec: JobSpec) -> bool:
    """Say whether an agent is to be asked, and none is named; a script needs none."""
    return bool(spec.prompt) and not spec.runner


def _check_script(spec: JobSpec, settings: Settings) -> None:
    """Refuse a script that is not there now: at night nobody sees the refusal."""
    if spec.script:
        script_words(settings.home / SCRIPTS, spec.script)


def _check_told(spec: JobSpec, settings: Settings) -> None:
    """Refuse a channel that is not there now: at night nobody sees the refusal."""
    kept = checked_spec(spec)
    if kept.deliver != (LOCAL,):
        check_deliver(kept, channels_of(settings))


def _ago(seconds: float) -> str:
    for name, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {name}"
    return f"{seconds:.0f} s"

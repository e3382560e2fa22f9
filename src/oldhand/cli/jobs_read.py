"""`oldhand jobs list`, `show` and `runs`: what is scheduled, and what ran."""

from __future__ import annotations

from typing import cast, get_args

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.jobs_options import RUN
from oldhand.errors import InvalidInput
from oldhand.ledger.model import RunState

_SHOWN_RUNS = 5
_NO_JOBS = "no jobs; make one: oldhand jobs add 'PROMPT' --schedule 'daily 09:00'"


@click.command("list")
@common_options
def list_(face: Face) -> None:
    """List jobs, paused ones among them."""
    from oldhand.app.jobs import job_as_json, say_liveness
    from oldhand.clock import system_clock, to_iso
    from oldhand.cron.jobs import list_jobs
    from oldhand.cron.liveness import find_liveness
    from oldhand.cron.runs import last_runs

    store = face.store(nothing_yet=_NO_JOBS)
    found, last, now = list_jobs(store), last_runs(store), system_clock()
    if face.as_json:
        for job in found:
            of_job = last.get(job.uid)
            row = None if of_job is None else {
                "state": of_job.state, "started_at": to_iso(of_job.started_at_us)
            }  # fmt: skip
            face.emit(job_as_json(job, now) | {"last_run": row})
        return
    if not found:
        if face.has_database:
            talk(_NO_JOBS)
        return
    from oldhand.cli.jobs_page import print_jobs

    print_jobs(found, last, now)
    live = find_liveness(store)
    if not live.is_running:
        talk(say_liveness(live))


@click.command()
@click.argument("job")
@common_options
def show(face: Face, job: str) -> None:
    """Show a job, and how its last runs went."""
    from oldhand.app.jobs import job_as_json
    from oldhand.clock import system_clock
    from oldhand.cron.jobs import find_job
    from oldhand.cron.runs import list_job_runs

    store = face.store(nothing_yet=_NO_JOBS)
    found, now = find_job(store, job), system_clock()
    runs = list_job_runs(store, job=found.uid, limit=_SHOWN_RUNS)
    if face.as_json:
        face.emit(job_as_json(found, now) | {"runs": [run.as_json() for run in runs]})
        return
    from oldhand.cli.jobs_page import print_job, print_prompt, print_runs

    print_job(found, now)
    print_prompt(found)
    if runs:
        print_runs(runs, of_one=True)


@click.command()
@click.argument("job", required=False)
@click.option(
    "--state", type=click.Choice(get_args(RunState)), help="Only those in this state."
)
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True)
@click.option("--show", "shown", type=RUN, metavar="RUN", help="All of one run.")
@click.option(
    "--redeliver", type=RUN, metavar="RUN", help="Send the result of a run again."
)
@common_options
def runs(
    face: Face,
    job: str | None,
    state: str | None,
    limit: int,
    shown: int | None,
    redeliver: int | None,
) -> None:
    """List runs: how each went, and what it cost.

    The newest come first.     due, claimed: waiting; running; succeeded, failed; ended: nobody knows how; blocked: a
    guard did not let it start; missed: nobody was there; skipped: the one before still went
    on; lost: its scheduler was killed; cancelled. With --show the whole output of one.
    """
    one = [number for number in (shown, redeliver) if number is not None]
    if len(one) > 1 or (one and (job or state)):
        raise InvalidInput(
            "--show and --redeliver name one run; say nothing beside them"
        )
    if shown is not None:
        _show_run(face, shown)
    elif redeliver is not None:
        _redeliver(face, redeliver)
    else:
        _list_runs(face, job, state, limit)


def _list_runs(face: Face, job: str | None, state: str | None, limit: int) -> None:
    from oldhand.cron.runs import list_job_runs

    found = list_job_runs(
        face.store(nothing_yet=_NO_JOBS),
        job=job,
        state=cast("RunState | None", state),
        limit=limit,
    )
    if face.as_json:
        for run in found:
            face.emit(run.as_json())
        return
    if not found:
        if face.has_database:
            talk("no such run" if job or state else "no job has run yet")
        return
    from oldhand.cli.jobs_page import print_runs

    print_runs(found, of_one=job is not None)
    if len(found) == limit:
        talk(f"the newest {limit}; --limit N shows more")


def _show_run(face: Face, run_id: int) -> None:
    from oldhand.cron.output import find_output
    from oldhand.cron.runs import find_job_run

    store = face.store()
    found = find_job_run(store, run_id)
    kept = find_output(store, run_id)
    if face.as_json:
        output = {
            "output": None if kept is None else kept.text,
            "output_chars": None if kept is None else kept.chars,
            "output_dropped_chars": None if kept is None else kept.dropped,
        }
        face.emit(found.as_json() | output)
        return
    from oldhand.cli.jobs_page import print_run

    print_run(found, kept)


def _redeliver(face: Face, run_id: int) -> None:
    from oldhand.app.jobs import redeliver_run
    from oldhand.cli.jobs_page import delivery_of

    store = face.store(for_writing=True)
    found = redeliver_run(store, run_id, settings=face.settings)
    if face.as_json:
        face.emit(found.as_json())
    else:
        talk(f"run {run_id}: {delivery_of(found.delivery)}")

"""`oldhand jobs trigger`, `tick` and `cancel`: runs begun and ended by hand."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.jobs_options import RUN
from oldhand.counted import counted
from oldhand.errors import Conflict, Forbidden, NeedsAttention

if TYPE_CHECKING:
    from oldhand.cron.model import Pass
    from oldhand.cron.runs import JobRun
    from oldhand.store import Store

_LOOK_SECONDS = 0.2
_ENDS_WELL = ("succeeded", "ended")


@click.command()
@click.argument("job")
@click.option("--wait", is_flag=True, help="Wait until it is over, and show it.")
@click.option(
    "--timeout",
    type=click.IntRange(0),
    metavar="SECONDS",
    help="With --wait: not longer.  [default: for ever]",
)
@common_options
def trigger(face: Face, job: str, *, wait: bool, timeout: int | None) -> None:
    """Have a job run once now, and print the run's id.

    Its schedule stays as it is.

    Exit codes with --wait: 0 it succeeded, or nobody knows; 9 it failed, was lost, or is
    not over yet; 11 a guard blocked it; 4 it was cancelled.
    """
    from oldhand.app.jobs import say_liveness, trigger_job
    from oldhand.cron.liveness import find_liveness
    from oldhand.cron.runs import find_job_run

    store = face.store(for_writing=True)
    run_id = trigger_job(store, job, settings=face.settings)
    live = find_liveness(store)
    if not live.is_running:
        talk(say_liveness(live))
    if not wait:
        found = find_job_run(store, run_id)
        face.emit(found.as_json()) if face.as_json else click.echo(run_id)
        return
    if not face.as_json:
        talk(f"run {run_id} waits for its turn")
    found = _wait(store, run_id, timeout)
    _show(face, store, found)
    _raise_for(found)


@click.command()
@common_options
def tick(face: Face) -> None:
    """Start what is due, and wait until it is over.

    This is one pass of a scheduler.

    For a system's own cron, as `* * * * * oldhand jobs tick`, where no `oldhand serve` runs.
    """
    from oldhand.app.scheduling import tick as one_pass
    from oldhand.cron.runs import find_job_run, list_job_runs

    def told(made: Pass) -> None:
        for run in made.lost:
            talk(f"run {run.run_id}, {run.job.name}: lost, as its scheduler has ended")
        for run in made.started:
            talk(f"run {run.run_id}, {run.job.name}: started")

    store = face.store(for_writing=True)
    # As Ctrl-C: the runs are ended and that is written, where they would else be lost.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        made = one_pass(store, settings=face.settings, told=told)
    finally:
        signal.signal(signal.SIGTERM, before)
    found = [find_job_run(store, run.run_id) for run in made]
    if face.as_json:
        for run in found:
            face.emit(run.as_json())
    elif found:
        from oldhand.cli.jobs_page import print_runs

        print_runs(found)
    else:
        talk("nothing is due")
    if left := list_job_runs(store, state="due"):
        talk(f"{counted(len(left), 'more run')} waiting for the next pass")


@click.command()
@click.argument("run", type=RUN)
@click.option("--reason", default="", metavar="TEXT", help="Why; one line.")
@common_options
def cancel(face: Face, run: int, reason: str) -> None:
    """End a run.

    One that waits ends at once, one that goes on within seconds.
    """
    from oldhand.cron.cancel import cancel_run

    found = cancel_run(face.store(for_writing=True), run, reason=reason)
    if face.as_json:
        face.emit(found.as_json())
    elif found.is_over:
        talk(f"run {run}: cancelled")
    else:
        talk(f"run {run}: its scheduler ends it now")


def _wait(store: Store, run_id: int, timeout: int | None) -> JobRun:
    from oldhand.cron.runs import find_job_run

    until = None if timeout is None else time.monotonic() + timeout
    while True:
        found = find_job_run(store, run_id)
        if found.is_over:
            return found
        if until is not None and time.monotonic() >= until:
            raise NeedsAttention(
                f"run {run_id}: not over yet: {found.run.state}",
                advice=f"oldhand jobs runs --show {run_id}",
            )
        time.sleep(_LOOK_SECONDS)


def _show(face: Face, store: Store, found: JobRun) -> None:
    from oldhand.cron.output import find_output

    if face.as_json:
        face.emit(found.as_json())
        return
    from oldhand.cli.jobs_page import print_run

    print_run(found, find_output(store, found.run.id))


def _raise_for(found: JobRun) -> None:
    """End with the exit code of how the run went."""
    run = found.run
    if run.state in _ENDS_WELL:
        return
    reason = f": {run.end_reason}" if run.end_reason else ""
    said = f"run {run.id}: {run.state}{reason}"
    if run.state == "blocked":
        raise Forbidden(said)
    if run.state in {"failed", "lost"}:
        raise NeedsAttention(said)
    raise Conflict(said)

"""`oldhand jobs add`, `edit`, `pause`, `resume` and `remove`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.jobs_options import job_options, prompt_of
from oldhand.errors import InvalidInput

if TYPE_CHECKING:
    from oldhand.cron.model import Job


@click.command()
@click.argument("prompt", required=False)
@job_options
@common_options
def add(face: Face, prompt: str | None, changes: dict[str, Any]) -> None:
    """Have an agent do PROMPT on a schedule; - reads it from stdin.

    WHEN is `in 30m` or `2026-11-23T09:00`, once; `every 1h`, a grid of elapsed time;
    `daily 09:00`, `weekdays 09:00`, @hourly, @daily, @weekly, @monthly, @yearly or cron with
    five fields as `0 9 * * 1-5`, by the clock of the zone. The next three firings are shown.

    An empty text is as if nothing was said; of a limit it is none: --max-seconds ''.
    """
    from oldhand.app import jobs
    from oldhand.cron.model import JobSpec
    from oldhand.cron.spec import changed_spec

    spec = changed_spec(JobSpec(), _with_prompt(changes, prompt))
    made = jobs.create_job(face.store(for_writing=True), spec, settings=face.settings)
    _show_with_liveness(face, made)


@click.command()
@click.argument("job")
@click.option("--prompt", metavar="TEXT", help="What the agent is to do; - is stdin.")
@job_options
@common_options
def edit(face: Face, job: str, prompt: str | None, changes: dict[str, Any]) -> None:
    """Change fields of a job; '' clears one.

    A new schedule, zone or number of firings counts from now on.
    """
    from oldhand.app.jobs import edit_job

    changes = _with_prompt(changes, prompt)
    if not changes:
        raise InvalidInput(
            "nothing to change; name a field, as --schedule 'daily 09:00'"
        )
    store = face.store(for_writing=True)
    _show(face, edit_job(store, job, changes, settings=face.settings))


@click.command()
@click.argument("job")
@click.option("--reason", default="", metavar="TEXT", help="Why; one line.")
@common_options
def pause(face: Face, job: str, reason: str) -> None:
    """Let a job fire no more until it is resumed.

    A run that goes on is not ended by it: oldhand jobs cancel.
    """
    from oldhand.cron.jobs import pause_job

    _tell(face, pause_job(face.store(for_writing=True), job, reason=reason), "paused")


@click.command()
@click.argument("job")
@common_options
def resume(face: Face, job: str) -> None:
    """Let a paused job fire again from now on.

    What fell due meanwhile is not made up.
    """
    from oldhand.app.jobs import resume_job

    store = face.store(for_writing=True)
    _show_with_liveness(face, resume_job(store, job, settings=face.settings))


@click.command()
@click.argument("job")
@common_options
def remove(face: Face, job: str) -> None:
    """Take a job out of the list; its runs stay.

    A run that goes on is not ended by it, one that waits is.
    """
    from oldhand.cron.jobs import remove_job

    _tell(face, remove_job(face.store(for_writing=True), job), "removed")


def _with_prompt(changes: dict[str, Any], said: str | None) -> dict[str, Any]:
    if said is None:
        return changes
    if "prompt" in changes:
        raise InvalidInput("a prompt beside --prompt-file; take one of them")
    return changes | {"prompt": prompt_of(said)}


def _show(face: Face, job: Job) -> None:
    from oldhand.clock import system_clock

    if face.as_json:
        _emit(face, job)
        return
    from oldhand.cli.jobs_page import print_job

    print_job(job, system_clock())


def _show_with_liveness(face: Face, job: Job) -> None:
    """Show a job that is to fire, and whether anybody fires it: else it is found out late."""
    from oldhand.app.jobs import say_liveness
    from oldhand.cron.liveness import find_liveness

    live = find_liveness(face.store())
    if face.as_json:
        _emit(face, job, scheduler=live.as_json())
    else:
        _show(face, job)
    talk(say_liveness(live))


def _tell(face: Face, job: Job, done: str) -> None:
    if face.as_json:
        _emit(face, job)
    else:
        talk(f"{job.name}: {done}")


def _emit(face: Face, job: Job, **more: object) -> None:
    from oldhand.app.jobs import job_as_json
    from oldhand.clock import system_clock

    face.emit(job_as_json(job, system_clock()) | more)

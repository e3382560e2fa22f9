"""Jobs and their runs as a person reads them; unknown is a dash, never a zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.tables import plain, print_table

if TYPE_CHECKING:
    from oldhand.cron.delivery import Delivery
    from oldhand.cron.model import Job
    from oldhand.cron.output import Kept
    from oldhand.cron.runs import JobRun, LastRun

_DASH = "\N{EN DASH}"
_STATES = {
    "succeeded": "green",
    "failed": "red",
    "lost": "red",
    "blocked": "magenta",
    "missed": "yellow",
    "skipped": "yellow",
    "cancelled": "yellow",
}
_ALONE = ("prompt", "schedule", "name", "zone", "limits")
_UNITS = {
    "wall_seconds": "s",
    "turns": "turns",
    "tokens": "tokens",
    "cost_usd": "US dollars",
}
_JOBS = {
    "id": "id",
    "name": "name",
    "state": "state",
    "when": "when",
    "next": "next",
    "last": "last run",
}
_RUNS = {
    "id": "run",
    "job": "job",
    "state": "state",
    "why": "reason",
    "due": "due",
    "started": "started",
    "took": "took",
    "model": "model",
    "tokens": "tokens",
    "cost_usd": "cost",
    "delivery": "delivery",
}


def print_job(job: Job, now_us: int) -> None:
    """Print what is known of a job, and when it fires next."""
    click.secho(plain(job.name), bold=True)
    click.echo(f"  id: {job.uid}")
    if job.state != "scheduled":
        reason = f": {plain(job.reason)}" if job.reason else ""
        click.secho(f"  {job.state}{reason}", fg="yellow")
    for line in _when(job, now_us):
        click.echo(f"  {plain(line)}")
    for name, value in _asked_for(job).items():
        click.echo(f"  {name}: {plain(value)}")
    for flag in job.flags:
        click.secho(f"  look: {plain(flag)}", fg="yellow")


def print_prompt(job: Job) -> None:
    """Print all of a job's prompt."""
    click.echo("  prompt:")
    for line in job.spec.prompt.split("\n"):
        click.echo(f"    {plain(line)}")


def print_jobs(jobs: Sequence[Job], last: Mapping[str, LastRun], now_us: int) -> None:
    """Print jobs as a table, those that are paused among them."""
    rows = [
        {
            "id": job.uid,
            "name": job.name,
            "state": f"{job.state}: {job.reason}" if job.reason else job.state,
            "when": f"{job.schedule.text}, {job.schedule.zone}",
            "next": _next_of(job, now_us),
            "last": _last(job, last.get(job.uid)),
        }
        for job in jobs
    ]
    print_table(rows, columns=_JOBS)


def print_runs(runs: Sequence[JobRun], *, of_one: bool = False) -> None:
    """Print runs as a table; the job's name only where they are not all of one."""
    rows = [
        {
            "id": found.run.id,
            "job": found.job_name,
            "state": state_of(found),
            "why": found.run.end_reason or "",
            "due": _minute(found.due_us),
            "started": _started(found),
            "took": _took(found.run.duration_us),
            "model": found.run.model or _DASH,
            "tokens": _tokens(found),
            "cost_usd": _dollars(found.run.cost_microusd),
            "delivery": delivery_of(found.delivery),
        }
        for found in runs
    ]
    columns = {key: head for key, head in _RUNS.items() if key != "job" or not of_one}
    print_table(rows, columns=columns)


def print_run(found: JobRun, kept: Kept | None) -> None:
    """Print all that is on record of a run, and its whole output."""
    run = found.run
    click.secho(f"run {run.id} of {plain(found.job_name)}", bold=True)
    click.secho(f"  {state_of(found)}", fg=_STATES.get(run.state))
    facts = {
        "reason": run.end_reason,
        "due": _minute(found.due_us),
        "started": _started(found),
        "took": _took(run.duration_us),
        "cause": found.cause + (f", try {found.attempt}" if found.attempt > 1 else ""),
        "model": run.model,
        "provider": run.provider,
        "drawn with a chance of": run.draw_probability,
        "tokens": _tokens(found),
        "cost": _dollars(run.cost_microusd),
        "session": run.session_uid,
        "delivery": delivery_of(found.delivery),
    }
    for name, value in facts.items():
        if value not in (None, "", _DASH):
            click.echo(f"  {name}: {plain(value)}")
    for note in found.notes:
        click.echo(f"  note: {plain(note)}")
    if kept is None:
        click.echo("  no output is on record")
        return
    dropped = f", {kept.dropped:,} of them not kept" if kept.dropped else ""
    click.echo(f"  output, {kept.chars:,} characters{dropped}:")
    for line in kept.text.split("\n"):
        click.echo(plain(line))


def state_of(found: JobRun) -> str:
    """Say how a run is, and whether it is to end."""
    if found.cancel_reason and not found.is_over:
        return f"{found.run.state}, to be cancelled"
    return found.run.state


def delivery_of(delivery: Delivery) -> str:
    """Say what became of a run's result, in a few words."""
    said: str = delivery.state
    if delivery.sent_to:
        names = ", ".join(delivery.sent_to)
        said += f" to {names}" if said == "sent" else f", {names} has it"
    if delivery.fault and delivery.state != "sent":
        said += f": {delivery.fault}"
    return _DASH if said == "none" else said


def _when(job: Job, now_us: int) -> list[str]:
    """Say when a job fires: in words, and the next times with their zone."""
    from oldhand.app.jobs import next_firings
    from oldhand.cron.schedule import describe, load_zone, show_moment

    words, *_ = describe(job.schedule, now_us).split("\n")
    lines = [f"when: {words}" if words != "once" else f"when: {job.schedule.text}"]
    zone = load_zone(job.schedule.zone)
    firings = [show_moment(at, zone) for at in next_firings(job, now_us)]
    if firings:
        lines += ["next: " + firings[0], *(f"      {each}" for each in firings[1:])]
    elif job.state == "scheduled":
        lines.append("next: never again")
    if job.schedule.note:
        lines.append(f"note: {job.schedule.note}")
    return lines


def _asked_for(job: Job) -> dict[str, str]:
    """Return the fields that somebody said, and the runner, for people."""
    spec = job.spec
    defaults = type(spec)._field_defaults
    shown: dict[str, Any] = {"runner": _words(spec.runner)}
    for name, value in spec._asdict().items():
        if name not in _ALONE and name != "runner" and value != defaults[name]:
            shown[name.replace("_", " ")] = _written(value)
    limits = spec.limits._asdict().items()
    shown["limits of a run"] = ", ".join(
        f"{value:,.10g} {_UNITS[name]}" for name, value in limits if value is not None
    )
    shown["made by"] = job.created_by
    return {name: value for name, value in shown.items() if value}


def _words(words: Sequence[str]) -> str:
    import shlex

    return shlex.join(words)


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={each}" for key, each in value.items())
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _next_of(job: Job, now_us: int) -> str:
    from oldhand.app.jobs import next_firings
    from oldhand.cron.schedule import load_zone, show_moment

    firings = next_firings(job, now_us)
    return show_moment(firings[0], load_zone(job.schedule.zone)) if firings else _DASH


def _last(job: Job, last: LastRun | None) -> str:
    if last is None:
        return _DASH
    return f"{last.state} {_minute(last.started_at_us, job.schedule.zone)}"


def _started(found: JobRun) -> str:
    """A run that never started has the time it was due in the same column."""
    if found.run.state in {"due", "claimed", "missed", "skipped"}:
        return _DASH
    return _minute(found.run.started_at_us)


def _minute(at_us: int, zone: str | None = None) -> str:
    """Write a time by this machine's clock, or by a zone's, to the second."""
    import datetime

    from oldhand.cron.schedule import load_zone, machine_zone
    from oldhand.settings import time_zone_variable

    name = zone or machine_zone(time_zone_variable()).name
    at = datetime.datetime.fromtimestamp(at_us // 1_000_000, load_zone(name))
    return f"{at:%Y-%m-%d %H:%M:%S}"


def _took(duration_us: int | None) -> str:
    if duration_us is None:
        return _DASH
    seconds = duration_us / 1_000_000
    if seconds < 100:  # noqa: PLR2004 - what is read at a glance
        return f"{seconds:.1f} s"
    hours, rest = divmod(round(seconds), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}"


def _tokens(found: JobRun) -> str:
    run = found.run
    parts = (
        run.input_tokens,
        run.output_tokens,
        run.cache_read_tokens,
        run.cache_write_tokens,
    )
    known = [part for part in parts if part is not None]
    return f"{sum(known):,}" if known else _DASH


def _dollars(microusd: int | None) -> str:
    return _DASH if microusd is None else f"${microusd / 1_000_000:,.4f}"

"""Scheduled work: what is to run, what ran, and what it said."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from oldhand.app.jobs import create_job, edit_job, next_firings, say_liveness
from oldhand.cron import jobs
from oldhand.cron.cancel import cancel_run
from oldhand.cron.liveness import find_liveness
from oldhand.cron.model import Job, JobSpec
from oldhand.cron.output import find_output
from oldhand.cron.runs import JobRun, LastRun, find_job_run, last_runs, list_job_runs
from oldhand.cron.schedule import load_zone, show_moment
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.api.job_runs import run_number
from oldhand.web.desk import Desk
from oldhand.web.forms import read_form
from oldhand.web.pages.frame import Frame, back_to, framed
from oldhand.web.pages.look import page
from oldhand.web.routes import Page

_RUNS_SHOWN = 50
_CHARS_SHOWN = 100_000
"""Of a run's output: a page of five million would take a browser a minute."""
_EDITED = ("prompt", "schedule", "zone", "model")


class Listed(NamedTuple):
    """A job as it is listed: with its next firings in its own zone, and its last run."""

    job: Job
    next: list[str]
    last: LastRun | None


async def show(desk: Desk, request: Request) -> Response:
    """List the jobs, and offer to make one."""

    def part(store: Store, frame: Frame) -> Response:
        last = last_runs(store)
        found = [
            _listed(job, last.get(job.uid), frame.now_us)
            for job in jobs.list_jobs(store)
        ]
        seen = find_liveness(store)
        return page(
            "jobs.html", frame=frame, listed=found, is_running=seen.is_running,
            liveness=say_liveness(seen),
        )  # fmt: skip

    return await framed(desk, request, part)


async def show_one(desk: Desk, request: Request) -> Response:
    """Show a job and its runs."""
    job_id = fields.request_id(request)

    def part(store: Store, frame: Frame) -> Response:
        job = jobs.find_job(store, job_id)
        runs = list_job_runs(store, job=job.uid, limit=_RUNS_SHOWN)
        each = _listed(job, None, frame.now_us)
        return page("job.html", frame=frame, each=each, runs=runs, facts=_facts(job))

    return await framed(desk, request, part)


async def show_run(desk: Desk, request: Request) -> Response:
    """Show a run, with all that it said."""
    run_id = run_number(request)

    def part(store: Store, frame: Frame) -> Response:
        found = find_job_run(store, run_id)
        kept = find_output(store, run_id)
        hidden = 0 if kept is None else max(0, len(kept.text) - _CHARS_SHOWN)
        if kept is not None:
            kept = kept._replace(text=kept.text[hidden:])
        return page(
            "run.html", frame=frame, found=found, kept=kept, hidden=hidden,
            facts=_told(found),
        )  # fmt: skip

    return await framed(desk, request, part)


async def add(desk: Desk, request: Request) -> Response:
    """Make a job."""
    form = await read_form(desk, request)
    given = form.fields
    spec = JobSpec(
        prompt=given.get("prompt", ""),
        schedule=given.get("schedule", ""),
        name=given.get("name", ""),
        zone=given.get("zone") or None,
        model=given.get("model") or None,
        side_effects=given.get("side_effects", "yes") == "yes",
    )

    def part(store: Store) -> Job:
        by = form.caller(store)
        return create_job(
            store, spec, settings=desk.settings, created_by=by.name, clock=desk.clock
        )

    made = await desk.do(part)
    return back_to(f"/jobs/{made.uid}", said="job-added")


async def edit(desk: Desk, request: Request) -> Response:
    """Change a job as its page was filled in."""
    job_id = fields.request_id(request)
    form = await read_form(desk, request)
    changes = {name: form.fields[name] for name in _EDITED if name in form.fields}
    rev = fields.whole({"rev": int(form.fields.get("rev", "0") or 0)}, "rev", least=0)

    def part(store: Store) -> None:
        form.caller(store)
        job = jobs.find_job(store, job_id)
        said = {
            name: value
            for name, value in changes.items()
            if value != (getattr(job.spec, name) or "")
        }
        edit_job(store, job_id, said, rev=rev, settings=desk.settings, clock=desk.clock)

    await desk.do(part)
    return back_to(f"/jobs/{job_id}", said="job-changed")


async def pause(desk: Desk, request: Request) -> Response:
    """Let a job fire no more until it is resumed."""
    job_id = fields.request_id(request)
    form = await read_form(desk, request)
    reason = form.fields.get("reason", "").strip()

    def part(store: Store) -> None:
        said = reason or f"{form.caller(store).name} paused it"
        jobs.pause_job(store, job_id, reason=said, clock=desk.clock)

    await desk.write(part)
    return back_to(f"/jobs/{job_id}", said="job-paused")


async def resume(desk: Desk, request: Request) -> Response:
    """Let a paused job fire again."""
    job_id = fields.request_id(request)
    form = await read_form(desk, request)

    def part(store: Store) -> None:
        form.caller(store)
        jobs.resume_job(store, job_id, clock=desk.clock)

    await desk.write(part)
    return back_to(f"/jobs/{job_id}", said="job-resumed")


async def trigger(desk: Desk, request: Request) -> Response:
    """Have a job run now."""
    job_id = fields.request_id(request)
    form = await read_form(desk, request)

    def part(store: Store) -> int:
        form.caller(store)
        return jobs.trigger_job(store, job_id, clock=desk.clock)

    run_id = await desk.write(part)
    return back_to(f"/runs/{run_id}", said="job-triggered")


async def remove(desk: Desk, request: Request) -> Response:
    """Take a job out of the list."""
    job_id = fields.request_id(request)
    form = await read_form(desk, request)

    def part(store: Store) -> None:
        form.caller(store)
        jobs.remove_job(store, job_id, clock=desk.clock)

    await desk.write(part)
    return back_to("/jobs", said="job-removed")


async def cancel(desk: Desk, request: Request) -> Response:
    """Have a run end."""
    run_id = run_number(request)
    form = await read_form(desk, request)

    def part(store: Store) -> None:
        said = f"{form.caller(store).name} ended it"
        cancel_run(store, run_id, reason=said, clock=desk.clock)

    await desk.write(part)
    return back_to(f"/runs/{run_id}", said="run-cancelled")


def _listed(job: Job, last: LastRun | None, now_us: int) -> Listed:
    zone = load_zone(job.schedule.zone)
    moments = [show_moment(at, zone) for at in next_firings(job, now_us)]
    return Listed(job, moments, last)


def _facts(job: Job) -> list[tuple[str, str]]:
    """Return what was said of a job beside its prompt, label by label."""
    spec = job.spec
    said = {
        "Runner": " ".join(spec.runner),
        "Skills": ", ".join(spec.skills),
        "Model": spec.model or ", ".join(spec.ab),
        "Provider": spec.provider or "",
        "Address": spec.base_url or "",
        "Script": spec.script or "",
        "Runs in": spec.workdir or "",
        "Results go to": ", ".join(spec.deliver),
        "If missed": spec.on_misfire,
        "If one still runs": spec.on_overlap,
        "Limits": ", ".join(
            f"{name} {value:g}"
            for name, value in spec.limits._asdict().items()
            if value is not None
        ),
        "Side effects": "yes: never repeated by itself"
        if spec.side_effects
        else "none",
        "Retries": str(spec.retries) if spec.retries else "",
        "Needs this machine's tools": "yes" if spec.requires_local_infra else "",
    }
    return [(label, value) for label, value in said.items() if value]


def _told(found: JobRun) -> list[tuple[str, str]]:
    run = found.run
    tokens = {
        "read": run.input_tokens,
        "written": run.output_tokens,
        "read from cache": run.cache_read_tokens,
        "put into cache": run.cache_write_tokens,
    }
    counted = [f"{count:,} {name}" for name, count in tokens.items() if count]
    cost = run.cost_microusd
    delivery = found.delivery
    said = {
        "Cause": found.cause + (f", try {found.attempt}" if found.attempt > 1 else ""),
        "Why": run.end_reason or "",
        "Model": run.model or "",
        "Session": run.session_uid or "",
        "Tokens": ", ".join(counted),
        "Cost": "" if cost is None else f"${cost / 1e6:.4f}",
        "Delivery": ": ".join(filter(None, (delivery.state, delivery.fault))),
        "To be cancelled": found.cancel_reason,
    }
    return [(label, value) for label, value in said.items() if value]


PAGES = (
    Page("GET", "/jobs", show),
    Page("POST", "/jobs", add),
    Page("GET", "/jobs/{id}", show_one),
    Page("POST", "/jobs/{id}/edit", edit),
    Page("POST", "/jobs/{id}/pause", pause),
    Page("POST", "/jobs/{id}/resume", resume),
    Page("POST", "/jobs/{id}/trigger", trigger),
    Page("POST", "/jobs/{id}/remove", remove),
    Page("GET", "/runs/{number}", show_run),
    Page("POST", "/runs/{number}/cancel", cancel),
)

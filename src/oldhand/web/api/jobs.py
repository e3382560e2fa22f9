"""Jobs, for people: an agent has the tool `cronjob`, where it runs."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from oldhand.app.jobs import create_job, edit_job, job_as_json
from oldhand.confirm.model import Principal
from oldhand.confirm.principals import check_is_person
from oldhand.confirm.requests.facts import BadField
from oldhand.cron import jobs
from oldhand.cron.liveness import find_liveness
from oldhand.cron.model import Job
from oldhand.cron.spec import spec_from
from oldhand.errors import InvalidInput
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation
from oldhand.web.schemas.jobs import JOB_FIELDS

_CREATED = 201
_ACCEPTED = 202


async def list_(desk: Desk, request: Request) -> Response:
    """List them, those that are paused as well, and say whether anybody fires them."""

    def part(store: Store, by: Principal) -> dict[str, Any]:
        check_is_person(by)
        now = desk.clock()
        found = [job_as_json(job, now) for job in jobs.list_jobs(store)]
        seen = find_liveness(store).as_json()
        return {"count": len(found), "jobs": found, "scheduler": seen}

    return answer(await desk.look(request, part))


async def show(desk: Desk, request: Request) -> Response:
    """Show one."""
    job_id = fields.request_id(request)

    def part(store: Store, by: Principal) -> Job:
        check_is_person(by)
        return jobs.find_job(store, job_id)

    return _told(desk, await desk.look(request, part))


async def create(desk: Desk, request: Request) -> Response:
    """Put one on record; it fires from then on."""
    body = await fields.read_fields(
        desk, request, known=JOB_FIELDS, needed=("schedule",)
    )
    spec = spec_from({k: v for k, v in body.items() if v is not None})
    by = await desk.caller(request)
    check_is_person(by)

    def part(store: Store) -> Job:
        return create_job(
            store, spec, settings=desk.settings, created_by=by.name, clock=desk.clock
        )

    return _told(desk, await _named(desk.do(part)), status=_CREATED)


async def edit(desk: Desk, request: Request) -> Response:
    """Change fields; an empty text clears one."""
    job_id = fields.request_id(request)
    body = await fields.read_fields(desk, request, known=("rev", *JOB_FIELDS))
    rev = fields.whole(body, "rev")
    changes = {k: v for k, v in body.items() if k != "rev" and v is not None}

    by = await desk.caller(request)
    check_is_person(by)

    def part(store: Store) -> Job:
        return edit_job(
            store, job_id, changes, rev=rev, settings=desk.settings, clock=desk.clock
        )

    return _told(desk, await _named(desk.do(part)))


async def pause(desk: Desk, request: Request) -> Response:
    """Let one fire no more until it is resumed."""
    job_id = fields.request_id(request)
    body = await fields.read_fields(desk, request, known=("reason",))
    reason = fields.text(body, "reason", most=jobs.MAX_REASON_CHARS)

    def part(store: Store, by: Principal) -> Job:
        check_is_person(by)
        return jobs.pause_job(store, job_id, reason=reason, clock=desk.clock)

    return _told(desk, await _named(desk.act(request, part)))


async def resume(desk: Desk, request: Request) -> Response:
    """Let a paused one fire again."""
    job_id = fields.request_id(request)
    await fields.read_fields(desk, request, known=())

    def part(store: Store, by: Principal) -> Job:
        check_is_person(by)
        return jobs.resume_job(store, job_id, clock=desk.clock)

    return _told(desk, await desk.act(request, part))


async def trigger(desk: Desk, request: Request) -> Response:
    """Have one run as soon as there is room."""
    job_id = fields.request_id(request)
    await fields.read_fields(desk, request, known=())

    def part(store: Store, by: Principal) -> int:
        check_is_person(by)
        return jobs.trigger_job(store, job_id, clock=desk.clock)

    return answer({"run_id": await desk.act(request, part)}, status=_ACCEPTED)


async def remove(desk: Desk, request: Request) -> Response:
    """Take one out of the list; its runs stay on record."""
    job_id = fields.request_id(request)
    await fields.read_fields(desk, request, known=())

    def part(store: Store, by: Principal) -> None:
        check_is_person(by)
        jobs.remove_job(store, job_id, clock=desk.clock)

    await desk.act(request, part)
    return answer({"id": job_id, "status": "removed"})


async def _named(acting: Awaitable[Job]) -> Job:
    """Wait for what changes a job, and have a fault name its field."""
    try:
        return await acting
    except InvalidInput as fault:
        field = str(fault).partition(":")[0]
        if field.partition(".")[0] not in {*JOB_FIELDS, "reason"}:
            raise
        raise BadField(str(fault), field) from fault


def _told(desk: Desk, job: Job, *, status: int = 200) -> Response:
    return answer(job_as_json(job, desk.clock()), status=status)


OPERATIONS = (
    Operation("GET", "/jobs", list_, "List jobs.", "person", {200: "Jobs"}),
    Operation(
        "POST", "/jobs", create, "Put a job on record.", "person", {201: "Job"},
        body="JobDraft", problems=(409,),
    ),
    Operation("GET", "/jobs/{id}", show, "Show a job.", "person", {200: "Job"}),
    Operation(
        "POST", "/jobs/{id}/edit", edit, "Change fields of a job.", "person",
        {200: "Job"}, body="JobChanges", problems=(409,),
    ),
    Operation(
        "POST", "/jobs/{id}/pause", pause, "Let a job fire no more for now.", "person",
        {200: "Job"}, body="Reason", is_body_needed=False, problems=(409,),
    ),
    Operation(
        "POST", "/jobs/{id}/resume", resume, "Let a paused job fire again.", "person",
        {200: "Job"}, body="Nothing", is_body_needed=False, problems=(409,),
    ),
    Operation(
        "POST", "/jobs/{id}/trigger", trigger, "Have a job run now.", "person",
        {202: "Triggered"}, body="Nothing", is_body_needed=False, problems=(409,),
    ),
    Operation(
        "POST", "/jobs/{id}/remove", remove, "Take a job out of the list.", "person",
        {200: "JobRemoved"}, body="Nothing", is_body_needed=False, problems=(409,),
    ),
)  # fmt: skip

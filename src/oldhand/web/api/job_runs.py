"""Runs of jobs, for people: how each went, and what it said."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.model import Principal
from oldhand.confirm.principals import check_is_person
from oldhand.cron.cancel import MAX_REASON_CHARS, cancel_run
from oldhand.cron.output import find_output
from oldhand.cron.runs import find_job_run, list_job_runs
from oldhand.errors import NotFound
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation

_MOST_LISTED = 500
_LISTED = 100
_LONGEST_NUMBER = 15
_LIMIT = {"type": "integer", "minimum": 1, "maximum": _MOST_LISTED, "default": _LISTED}


async def list_(desk: Desk, request: Request) -> Response:
    """List the newest runs of a job, or of all."""
    job = fields.asked_text(request, "job", most=100) or None
    limit = fields.asked_whole(
        request, "limit", least=1, most=_MOST_LISTED, default=_LISTED
    )

    def part(store: Store, by: Principal) -> list[dict[str, Any]]:
        check_is_person(by)
        return [run.as_json() for run in list_job_runs(store, job=job, limit=limit)]

    found = await desk.look(request, part)
    return answer({"count": len(found), "runs": found})


async def show(desk: Desk, request: Request) -> Response:
    """Show one, with all that it said."""
    run_id = run_number(request)

    def part(store: Store, by: Principal) -> dict[str, Any]:
        check_is_person(by)
        found = find_job_run(store, run_id).as_json()
        kept = find_output(
            store, run_id
        )  # after it: what is over has all of its output
        return found | {"output": None if kept is None else kept.text}

    return answer(await desk.look(request, part))


async def cancel(desk: Desk, request: Request) -> Response:
    """Have one end."""
    run_id = run_number(request)
    body = await fields.read_fields(desk, request, known=("reason",))
    reason = fields.text(body, "reason", most=MAX_REASON_CHARS)

    def part(store: Store, by: Principal) -> dict[str, Any]:
        check_is_person(by)
        said = reason or f"{by.name} ended it"
        return cancel_run(store, run_id, reason=said, clock=desk.clock).as_json()

    return answer(await desk.act(request, part))


def run_number(request: Request) -> int:
    """Return the number of a run in the path.

    Raises:
        NotFound: It is none.
    """
    value = str(request.path_params["number"])
    if not (value.isascii() and value.isdigit() and len(value) < _LONGEST_NUMBER):
        raise NotFound(f"there is no run {value[:100]}")
    return int(value)


OPERATIONS = (
    Operation(
        "GET", "/runs", list_, "List runs of jobs.", "person", {200: "JobRuns"},
        query={"job": {"type": "string", "maxLength": 100}, "limit": _LIMIT},
        problems=(404,),
    ),
    Operation(
        "GET", "/runs/{number}", show, "Show a run, with its output.", "person",
        {200: "JobRun"},
    ),
    Operation(
        "POST", "/runs/{number}/cancel", cancel, "Have a run end.", "person",
        {200: "JobRun"}, body="Reason", is_body_needed=False, problems=(409,),
    ),
)  # fmt: skip

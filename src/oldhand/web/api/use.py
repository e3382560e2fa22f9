"""Agents use an approval, once, and say what came of it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.model import Principal
from oldhand.confirm.model import Request as HeldRequest
from oldhand.confirm.requests.consume import Consumed, consume, report_result
from oldhand.confirm.requests.facts import check_details
from oldhand.confirm.requests.said import message_for_model
from oldhand.confirm.requests.withdraw import cancel
from oldhand.store import Store
from oldhand.web import fields, wire
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation


async def use(desk: Desk, request: Request) -> Response:
    """Trade an approval for a grant, by saying again what will be done."""
    request_id = fields.request_id(request)
    body = await fields.read_fields(
        desk, request, known=("action", "details", "target"),
        needed=("action", "details"),
    )  # fmt: skip
    action = fields.text(body, "action", most=200)
    target = fields.text(body, "target", most=1_000)
    details = check_details(body["details"])

    def part(store: Store, by: Principal) -> Consumed:
        return consume(
            store, request_id, by=by, action=action, details=details, target=target,
            clock=desk.clock, sign=desk.key.sign,
        )  # fmt: skip

    used = await desk.act(request, part)
    held = used.request
    return answer(
        {
            "id": held.id,
            "status": held.state,
            "rev": held.rev,
            "grant": used.grant,
            "details": held.details,
            "edits": wire.edits_of(held),
            "message_for_model": message_for_model(held),
        }
    )


async def report(desk: Desk, request: Request) -> Response:
    """Say how it went."""
    request_id = fields.request_id(request)
    body = await fields.read_fields(
        desk, request, known=("success", "summary"), needed=("success",)
    )
    is_success = fields.truth(body, "success")
    summary = fields.text(body, "summary", most=10_000)

    def part(store: Store, by: Principal) -> HeldRequest:
        return report_result(
            store, request_id, by=by, is_success=is_success, summary=summary,
            clock=desk.clock,
        )  # fmt: skip

    return _answered(desk, await desk.act(request, part))


async def withdraw(desk: Desk, request: Request) -> Response:
    """Take back what one asked oneself."""
    request_id = fields.request_id(request)
    await fields.read_fields(desk, request, known=())

    def part(store: Store, by: Principal) -> HeldRequest:
        held = cancel(store, request_id, by=by, clock=desk.clock)
        desk.settle(store, request_id)
        return held

    return _answered(desk, await desk.act(request, part))


def _answered(desk: Desk, held: HeldRequest) -> Response:
    return answer(wire.request_json(held, url=desk.url_of(held.id)))


OPERATIONS = (
    Operation(
        "POST", "/confirm/{id}/consume", use,
        "Use an approval, once, by saying again what will be done.", "agent",
        {200: "Used"}, body="Presented", problems=(409,),
    ),
    Operation(
        "POST", "/confirm/{id}/result", report, "Say how it went.", "agent",
        {200: "Request"}, body="Result", problems=(409,),
    ),
    Operation(
        "POST", "/confirm/{id}/cancel", withdraw, "Take back what one asked.", "agent",
        {200: "Request"}, body="Nothing", is_body_needed=False, problems=(409,),
    ),
)  # fmt: skip

"""Standing grants: leave given beforehand, by people."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.model import Principal, StandingGrant
from oldhand.confirm.principals import check_is_person
from oldhand.confirm.requests.facts import BadField, check_details
from oldhand.confirm.standing import (
    Remember,
    add_standing_grant,
    list_standing_grants,
    revoke_standing_grant,
)
from oldhand.store import Store
from oldhand.web import fields, wire
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation

_FIELDS = (
    "action", "details", "target", "requester", "session_key", "seconds", "uses", "keys",
)  # fmt: skip
_MOST_LISTED = 1_000


async def list_(desk: Desk, request: Request) -> Response:
    """List those that hold, or all."""
    with_ended = fields.asked_whole(request, "ended", least=0, most=1, default=0)

    def part(store: Store, by: Principal) -> list[StandingGrant]:
        check_is_person(by)
        return list_standing_grants(
            store, now_us=desk.clock(), with_ended=bool(with_ended), limit=_MOST_LISTED
        )

    found = await desk.look(request, part)
    listed = [wire.standing_grant_json(grant) for grant in found]
    return answer({"count": len(listed), "grants": listed})


async def add(desk: Desk, request: Request) -> Response:
    """Give leave for what an agent may ask for later."""
    body = await fields.read_fields(
        desk, request, known=_FIELDS, needed=("action", "details")
    )
    action = fields.text(body, "action", most=200).strip()
    if not action:
        raise BadField("action is empty", "action")
    details = check_details(body["details"])
    target = fields.text(body, "target", most=1_000)
    requester = fields.name_of(body, "requester")
    session_key = fields.text(body, "session_key", most=200) or None
    remember = Remember(
        scope="session" if session_key else "requester",
        seconds=fields.whole(body, "seconds") or Remember().seconds,
        uses=fields.whole(body, "uses"),
        keys=fields.texts(body, "keys"),
    )

    def part(store: Store, by: Principal) -> StandingGrant:
        return add_standing_grant(
            store, action, details=details, target=target, by=by, remember=remember,
            requester=requester, session_key=session_key, clock=desk.clock,
        )  # fmt: skip

    made = await desk.act(request, part)
    return answer(wire.standing_grant_json(made), status=201)


async def revoke(desk: Desk, request: Request) -> Response:
    """Take leave back."""
    grant_id = fields.request_id(request)
    await fields.read_fields(desk, request, known=())

    def part(store: Store, by: Principal) -> None:
        revoke_standing_grant(store, grant_id, by=by, clock=desk.clock)

    await desk.act(request, part)
    return answer({"id": grant_id, "status": "revoked"})


OPERATIONS = (
    Operation(
        "GET", "/grants", list_, "List standing grants.", "person", {200: "Grants"},
        query={"ended": {"type": "integer", "minimum": 0, "maximum": 1}},
    ),
    Operation(
        "POST", "/grants", add, "Give leave beforehand, for just these details.",
        "person", {201: "Grant"}, body="GrantDraft", problems=(404, 409),
    ),
    Operation(
        "POST", "/grants/{id}/revoke", revoke, "Take leave back.", "person",
        {200: "Revoked"}, body="Nothing", is_body_needed=False, problems=(409,),
    ),
)  # fmt: skip

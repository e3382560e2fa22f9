"""People decide, on just what was shown to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.model import Principal
from oldhand.confirm.model import Request as HeldRequest
from oldhand.confirm.principals import check_is_person
from oldhand.confirm.requests.decide import approve, deny
from oldhand.confirm.requests.facts import BadField, check_details
from oldhand.confirm.requests.withdraw import revoke
from oldhand.confirm.standing import Remember
from oldhand.store import Store
from oldhand.web import fields, wire
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation

_VIA = "api"
_MOST_REASON = 2_000
_DIGEST_DIGITS = 64
_REMEMBER = frozenset(("scope", "seconds", "uses", "keys"))


async def say_yes(desk: Desk, request: Request) -> Response:
    """Approve, as asked or as edited."""
    request_id = fields.request_id(request)
    body = await fields.read_fields(
        desk, request, known=("rev", "digest", "reason", "details", "remember"),
        needed=("rev", "digest"),
    )  # fmt: skip
    rev, digest, reason = _shown(body)
    details = body.get("details")
    edited = None if details is None else check_details(details)
    remember = _remember(body.get("remember"))

    def part(store: Store, by: Principal) -> HeldRequest:
        check_is_person(by)
        held = approve(
            store, request_id, by=by, rev=rev, digest=digest, reason=reason,
            details=edited, remember=remember, via=_VIA, clock=desk.clock,
        )  # fmt: skip
        desk.settle(store, request_id)
        return held

    return _answered(desk, await desk.act(request, part))


async def say_no(desk: Desk, request: Request) -> Response:
    """Deny, with a reason for the agent."""
    request_id = fields.request_id(request)
    body = await fields.read_fields(
        desk, request, known=("rev", "digest", "reason"), needed=("rev", "digest")
    )
    rev, digest, reason = _shown(body)

    def part(store: Store, by: Principal) -> HeldRequest:
        check_is_person(by)
        held = deny(
            store, request_id, by=by, rev=rev, digest=digest, reason=reason, via=_VIA,
            clock=desk.clock,
        )  # fmt: skip
        desk.settle(store, request_id)
        return held

    return _answered(desk, await desk.act(request, part))


async def take_back(desk: Desk, request: Request) -> Response:
    """Take an approval back that was not used yet."""
    request_id = fields.request_id(request)
    body = await fields.read_fields(desk, request, known=("reason",))
    reason = fields.text(body, "reason", most=_MOST_REASON)

    def part(store: Store, by: Principal) -> HeldRequest:
        check_is_person(by)
        return revoke(store, request_id, by=by, reason=reason, clock=desk.clock)

    return _answered(desk, await desk.act(request, part))


def _shown(body: Mapping[str, Any]) -> tuple[int, str, str]:
    """Return what was on the screen, and what the person says to it."""
    digest = fields.text(body, "digest", most=_DIGEST_DIGITS)
    reason = fields.text(body, "reason", most=_MOST_REASON)
    return fields.needed_whole(body, "rev"), digest, reason


def _remember(given: object) -> Remember | None:
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise BadField("remember is no object", "remember")
    for name in given.keys() - _REMEMBER:
        raise BadField(f"remember has no {str(name)[:50]!r}", "remember")
    usual = Remember()
    return Remember(
        scope=fields.text(given, "scope", most=20, default=usual.scope),
        seconds=fields.whole(given, "seconds") or usual.seconds,
        uses=fields.whole(given, "uses"),
        keys=fields.texts(given, "keys"),
    )


def _answered(desk: Desk, held: HeldRequest) -> Response:
    return answer(wire.request_json(held, url=desk.url_of(held.id)))


OPERATIONS = (
    Operation(
        "POST", "/confirm/{id}/approve", say_yes,
        "Let it be done, once, as it was asked or as edited here.", "person",
        {200: "Request"}, body="Approval", problems=(409,),
    ),
    Operation(
        "POST", "/confirm/{id}/deny", say_no, "Say no; the reason goes to the agent.",
        "person", {200: "Request"}, body="Denial", problems=(409,),
    ),
    Operation(
        "POST", "/confirm/{id}/revoke", take_back,
        "Take an approval back that was not used yet.", "person", {200: "Request"},
        body="Reason", is_body_needed=False, problems=(409,),
    ),
)  # fmt: skip

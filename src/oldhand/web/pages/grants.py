"""Standing grants: leave given beforehand, and taking it back."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.model import PERSON, StandingGrant
from oldhand.confirm.principals import list_principals
from oldhand.confirm.requests.facts import check_draft, read_json
from oldhand.confirm.standing import (
    Remember,
    add_standing_grant,
    list_standing_grants,
    revoke_standing_grant,
)
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.desk import Desk
from oldhand.web.forms import read_form
from oldhand.web.pages.deciding import seconds_of, whole_number
from oldhand.web.pages.facts import Fact, facts_of
from oldhand.web.pages.frame import Frame, back_to, framed
from oldhand.web.pages.look import page
from oldhand.web.routes import Page

_MOST_LISTED = 500


class Listed(NamedTuple):
    """A standing grant as it is shown; `is_live` where it still lets requests pass."""

    grant: StandingGrant
    facts: list[Fact]
    is_live: bool


async def show(desk: Desk, request: Request) -> Response:
    """List those that hold, and on demand those that have ended."""
    with_ended = fields.asked_text(request, "ended") == "1"

    def part(store: Store, frame: Frame) -> Response:
        found = list_standing_grants(
            store, now_us=frame.now_us, with_ended=with_ended, limit=_MOST_LISTED
        )
        agents = [
            each.name
            for each in list_principals(store)
            if each.kind != PERSON and not each.is_disabled
        ]
        return page(
            "grants.html",
            frame=frame,
            listed=[_listed(grant, frame.now_us) for grant in found],
            agents=agents,
            with_ended=with_ended,
        )

    return await framed(desk, request, part)


async def add(desk: Desk, request: Request) -> Response:
    """Give leave."""
    form = await read_form(desk, request)
    given = form.fields
    draft = check_draft(
        {
            "action": given.get("action", ""),
            "details": read_json(given.get("details", "").encode()),
            "target": given.get("target"),
            "session_key": given.get("session_key"),
        }
    )
    remember = Remember(
        scope="session" if draft.session_key else "requester",
        seconds=seconds_of(given),
        uses=whole_number(given, "uses", most=1_000_000),
    )

    def part(store: Store) -> None:
        add_standing_grant(
            store, draft.action, details=draft.details, target=draft.target,
            by=form.caller(store), remember=remember, clock=desk.clock,
            requester=given.get("requester") or None,
            session_key=draft.session_key or None,
        )  # fmt: skip

    await desk.write(part)
    return back_to("/grants", said="grant-added")


async def revoke(desk: Desk, request: Request) -> Response:
    """Take leave back."""
    grant_id = fields.request_id(request)
    form = await read_form(desk, request)

    def part(store: Store) -> None:
        revoke_standing_grant(store, grant_id, by=form.caller(store), clock=desk.clock)

    await desk.write(part)
    return back_to("/grants", said="grant-revoked")


def _listed(grant: StandingGrant, now_us: int) -> Listed:
    is_used_up = grant.uses_left is not None and grant.uses_left < 1
    is_live = (
        grant.revoked_at_us is None and grant.expires_at_us > now_us and not is_used_up
    )
    return Listed(grant, facts_of(grant.literal["details"]), is_live)


PAGES = (
    Page("GET", "/grants", show),
    Page("POST", "/grants", add),
    Page("POST", "/grants/{id}/revoke", revoke),
)

"""Agents and people: who there is, what lets them in, and the two switches."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.credentials import issue_token, revoke_credential
from oldhand.confirm.lists import list_credentials
from oldhand.confirm.model import PERSON, Kind, Principal
from oldhand.confirm.people import make_link
from oldhand.confirm.principals import (
    add_principal,
    check_is_person,
    disable_principal,
    find_principal,
    list_principals,
)
from oldhand.confirm.requests.facts import BadField
from oldhand.confirm.switches import set_solo, set_stopped
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.desk import Desk
from oldhand.web.forms import read_form
from oldhand.web.pages.frame import Frame, back_to, framed
from oldhand.web.pages.look import page
from oldhand.web.routes import Page

_KINDS: tuple[Kind, ...] = ("agent", "person", "service")
_PLACES = ("/inbox", "/grants", "/policy", "/audit", "/people", "/jobs", "/skills")
_MOST_LABEL = 200


class WayIn(NamedTuple):
    """What lets somebody in, shown this once; one of `token` and `link` is empty."""

    name: str
    token: str
    link: str


async def show(desk: Desk, request: Request) -> Response:
    """List who there is."""
    return await _shown(desk, request, None)


async def add(desk: Desk, request: Request) -> Response:
    """Add somebody, and show what lets them in."""
    form = await read_form(desk, request)
    kind = next((each for each in _KINDS if each == form.fields.get("kind")), None)
    if kind is None:
        raise BadField(f"kind is none of {', '.join(_KINDS)}", "kind")
    name = form.fields.get("name", "").strip()
    owner = form.fields.get("owner") or None

    def part(store: Store) -> WayIn:
        by = form.caller(store)
        check_is_person(by)
        made = add_principal(
            store, name, kind=kind, by=by.name, clock=desk.clock,
            owner=None if kind == PERSON else owner,
        )  # fmt: skip
        return _way_in(desk, store, made, by, label="first")

    return await _shown(desk, request, await desk.write(part))


async def renew(desk: Desk, request: Request) -> Response:
    """Make a further token, or a new link."""
    name = fields.principal_name(request)
    form = await read_form(desk, request)
    label = fields.text(form.fields, "label", most=_MOST_LABEL)

    def part(store: Store) -> WayIn:
        by = form.caller(store)
        check_is_person(by)
        return _way_in(desk, store, find_principal(store, name), by, label=label)

    return await _shown(desk, request, await desk.write(part))


async def disable(desk: Desk, request: Request) -> Response:
    """Take all rights from somebody."""
    name = fields.principal_name(request)
    form = await read_form(desk, request)

    def part(store: Store) -> None:
        disable_principal(store, name, by=form.caller(store), clock=desk.clock)

    await desk.write(part)
    return back_to("/people", said="disabled")


async def revoke(desk: Desk, request: Request) -> Response:
    """End a token or a session."""
    number = fields.path_number(request)
    form = await read_form(desk, request)

    def part(store: Store) -> None:
        by = form.caller(store)
        check_is_person(by)
        revoke_credential(store, number, by=by, clock=desk.clock)

    await desk.write(part)
    return back_to("/people", said="credential-revoked")


async def turn_stop(desk: Desk, request: Request) -> Response:
    """Turn the stop switch, and come back to where one was."""
    form = await read_form(desk, request)
    value = form.fields.get("stopped")
    if value not in {"on", "off"}:
        raise BadField("stopped is neither on nor off", "stopped")
    to = value == "on"
    await desk.write(
        lambda store: set_stopped(store, to=to, by=form.caller(store), clock=desk.clock)
    )
    back = form.fields.get("back", "")
    place = back if back in _PLACES else "/inbox"
    return back_to(place, said="stopped" if to else "resumed")


async def end_solo(desk: Desk, request: Request) -> Response:
    """Turn solo mode off; only the daemon's command line turns it on.

    Else whoever is kept from deciding would lift the bar themselves.
    """
    form = await read_form(desk, request)
    await desk.write(
        lambda store: set_solo(store, to=False, by=form.caller(store), clock=desk.clock)
    )
    return back_to("/people", said="solo-off")


async def _shown(desk: Desk, request: Request, way_in: WayIn | None) -> Response:
    def part(store: Store, frame: Frame) -> Response:
        return page(
            "people.html",
            frame=frame,
            principals=list_principals(store),
            credentials=list_credentials(store, now_us=frame.now_us),
            way_in=way_in,
        )

    return await framed(desk, request, part)


def _way_in(
    desk: Desk, store: Store, whose: Principal, by: Principal, *, label: str
) -> WayIn:
    if whose.kind == PERSON:
        link = make_link(store, whose, by=by.name, clock=desk.clock)
        return WayIn(whose.name, "", f"{desk.address.url}/welcome/{link}")
    token = issue_token(store, whose, label=label, by=by.name, clock=desk.clock)
    return WayIn(whose.name, token, "")


PAGES = (
    Page("GET", "/people", show),
    Page("POST", "/people", add),
    Page("POST", "/people/{name}/token", renew),
    Page("POST", "/people/{name}/link", renew),
    Page("POST", "/people/{name}/disable", disable),
    Page("POST", "/credentials/{number}/revoke", revoke),
    Page("POST", "/stop", turn_stop),
    Page("POST", "/solo", end_solo),
)

"""Agents and people: who there is, and what lets them in."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.credentials import issue_token, revoke_credential
from oldhand.confirm.lists import Credential, list_credentials
from oldhand.confirm.model import PERSON, Kind, Principal
from oldhand.confirm.people import make_link
from oldhand.confirm.principals import (
    add_principal,
    check_is_person,
    disable_principal,
    find_person,
    find_principal,
    list_principals,
)
from oldhand.confirm.requests.facts import BadField
from oldhand.confirm.switches import is_solo, is_stopped, set_stopped
from oldhand.store import Store
from oldhand.web import fields, wire
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation

_KINDS: tuple[Kind, ...] = ("agent", "person", "service")
_LONGEST_SECONDS = 10 * 365 * 86_400


async def list_(desk: Desk, request: Request) -> Response:
    """List who there is."""

    def part(store: Store, by: Principal) -> list[Principal]:
        check_is_person(by)
        return list_principals(store)

    found = await desk.look(request, part)
    listed = [wire.principal_json(each) for each in found]
    return answer({"count": len(listed), "people": listed})


async def list_held(desk: Desk, request: Request) -> Response:
    """List the tokens and sessions that hold."""

    def part(store: Store, by: Principal) -> list[Credential]:
        check_is_person(by)
        return list_credentials(store, now_us=desk.clock())

    listed = [_credential_json(each) for each in await desk.look(request, part)]
    return answer({"count": len(listed), "credentials": listed})


async def add(desk: Desk, request: Request) -> Response:
    """Add an agent with its token, or a person with a link to set a password."""
    body = await fields.read_fields(
        desk, request, known=("name", "kind", "owner"), needed=("name", "kind")
    )
    name = fields.text(body, "name", most=200)
    owner = fields.name_of(body, "owner")
    said = fields.text(body, "kind", most=20)
    kind = next((known for known in _KINDS if known == said), None)
    if kind is None:
        raise BadField(f"kind is {said!r}; expected one of {_KINDS}", "kind")

    def part(store: Store, by: Principal) -> dict[str, Any]:
        check_is_person(by)
        made = add_principal(
            store, name, kind=kind, owner=owner, by=by.name, clock=desk.clock
        )
        lets_in = _link_of if kind == PERSON else _token_of
        return wire.principal_json(made) | lets_in(desk, store, made, by)

    return answer(await desk.act(request, part), status=201)


async def add_token(desk: Desk, request: Request) -> Response:
    """Make a further token for an agent."""
    name = fields.principal_name(request)
    body = await fields.read_fields(desk, request, known=("label", "seconds"))
    label = fields.text(body, "label", most=200)
    seconds = fields.whole(body, "seconds", most=_LONGEST_SECONDS)

    def part(store: Store, by: Principal) -> dict[str, str]:
        check_is_person(by)
        until = None if seconds is None else desk.clock() + seconds * 1_000_000
        whose = find_principal(store, name)
        return _token_of(desk, store, whose, by, label=label, expires_at_us=until)

    return answer({"name": name, **await desk.act(request, part)}, status=201)


async def add_link(desk: Desk, request: Request) -> Response:
    """Make a new link by which a person sets a password."""
    name = fields.principal_name(request)
    await fields.read_fields(desk, request, known=())

    def part(store: Store, by: Principal) -> dict[str, str]:
        check_is_person(by)
        return _link_of(desk, store, find_person(store, name), by)

    return answer({"name": name, **await desk.act(request, part)}, status=201)


async def disable(desk: Desk, request: Request) -> Response:
    """Take all rights from somebody."""
    name = fields.principal_name(request)
    await fields.read_fields(desk, request, known=())

    def part(store: Store, by: Principal) -> Principal:
        return disable_principal(store, name, by=by, clock=desk.clock)

    return answer(wire.principal_json(await desk.act(request, part)))


async def revoke(desk: Desk, request: Request) -> Response:
    """Take one token or session from its holder."""
    number = fields.path_number(request)
    await fields.read_fields(desk, request, known=())

    def part(store: Store, by: Principal) -> None:
        check_is_person(by)
        revoke_credential(store, number, by=by, clock=desk.clock)

    await desk.act(request, part)
    return answer({"id": number, "status": "revoked"})


async def show_stop(desk: Desk, request: Request) -> Response:
    """Say how the switches are."""

    def part(store: Store, _by: Principal) -> dict[str, bool]:
        return _switches(store)

    return answer(await desk.look(request, part))


async def turn_stop(desk: Desk, request: Request) -> Response:
    """Turn the stop switch."""
    body = await fields.read_fields(
        desk, request, known=("stopped",), needed=("stopped",)
    )
    to = fields.truth(body, "stopped")

    def part(store: Store, by: Principal) -> dict[str, bool]:
        set_stopped(store, to=to, by=by, clock=desk.clock)
        return _switches(store)

    return answer(await desk.act(request, part))


def _switches(store: Store) -> dict[str, bool]:
    return {"stopped": is_stopped(store), "solo": is_solo(store)}


def _token_of(
    desk: Desk,
    store: Store,
    whose: Principal,
    by: Principal,
    *,
    label: str = "",
    expires_at_us: int | None = None,
) -> dict[str, str]:
    """Make a token; it is shown this once."""
    token = issue_token(
        store, whose, label=label, expires_at_us=expires_at_us, by=by.name,
        clock=desk.clock,
    )  # fmt: skip
    return {"token": token}


def _link_of(
    desk: Desk, store: Store, whose: Principal, by: Principal
) -> dict[str, str]:
    """Make a link; it is shown this once."""
    link = make_link(store, whose, by=by.name, clock=desk.clock)
    return {"link": f"{desk.address.url}/welcome/{link}"}


def _credential_json(credential: Credential) -> dict[str, Any]:
    return {
        "id": credential.id,
        "name": credential.holder,
        "kind": credential.kind,
        "label": credential.label,
        **wire.times_of("created", credential.created_at_us),
        **wire.times_of("expires", credential.expires_at_us),
    }


OPERATIONS = (
    Operation(
        "GET", "/people", list_, "List agents, services and people.", "person",
        {200: "People"},
    ),
    Operation(
        "POST", "/people", add,
        "Add an agent with its token, or a person with a link to set a password.",
        "person", {201: "PrincipalMade"}, body="PrincipalDraft", problems=(404, 409),
    ),
    Operation(
        "POST", "/people/{name}/token", add_token, "Make a further token for an agent.",
        "person", {201: "TokenMade"}, body="TokenDraft", is_body_needed=False,
    ),
    Operation(
        "POST", "/people/{name}/link", add_link, "Make a new link for a person.",
        "person", {201: "LinkMade"}, body="Nothing", is_body_needed=False,
    ),
    Operation(
        "POST", "/people/{name}/disable", disable, "Take all rights from somebody.",
        "person", {200: "Principal"}, body="Nothing", is_body_needed=False,
        problems=(409,),
    ),
    Operation(
        "GET", "/credentials", list_held, "List the tokens and sessions that hold.",
        "person", {200: "Credentials"},
    ),
    Operation(
        "POST", "/credentials/{number}/revoke", revoke,
        "Take a token or a session from its holder.", "person",
        {200: "CredentialRevoked"}, body="Nothing", is_body_needed=False,
        problems=(409,),
    ),
    Operation(
        "GET", "/stop", show_stop, "Say how the stop switch and solo mode are.",
        "signed", {200: "Switches"},
    ),
    Operation(
        "POST", "/stop", turn_stop, "Turn the stop switch.", "person",
        {200: "Switches"}, body="StopDraft",
    ),
)  # fmt: skip

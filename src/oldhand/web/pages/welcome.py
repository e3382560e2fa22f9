"""A one-time link: to open it shows a form and uses nothing up; to send the form does."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.model import PERSON, Principal
from oldhand.confirm.people import (
    MAX_PASSWORD_CHARS,
    MIN_PASSWORD_CHARS,
    person_of_link,
)
from oldhand.confirm.principals import list_principals
from oldhand.confirm.switches import is_solo, set_solo
from oldhand.errors import InvalidInput, TooMany, Unauthenticated
from oldhand.store import Store
from oldhand.web import signing_in
from oldhand.web.desk import Desk
from oldhand.web.forms import read_open_form
from oldhand.web.pages.look import page
from oldhand.web.pages.sign_in import begun
from oldhand.web.routes import Page


async def show(desk: Desk, request: Request) -> Response:
    """Show the form."""
    return await _shown(desk, request, fault="", status=200)


async def redeem(desk: Desk, request: Request) -> Response:
    """Set a password, and begin a session."""
    form = await read_open_form(desk, request)
    password = form.get("password", "")
    if password != form.get("again", ""):
        return await _shown(desk, request, fault="the two passwords differ", status=400)
    try:
        session = await signing_in.redeem(desk, _link(request), password)
    except (InvalidInput, TooMany, Unauthenticated) as fault:
        return await _shown(desk, request, fault=str(fault), status=fault.http_status)

    if form.get("solo") == "on":

        def part(store: Store) -> None:
            if _is_alone(store, session.principal):
                set_solo(store, to=True, by=session.principal, clock=desk.clock)

        await desk.write(part)
    return begun(desk, session, "/inbox")


async def _shown(desk: Desk, request: Request, *, fault: str, status: int) -> Response:
    link = _link(request)

    def part(store: Store) -> tuple[Principal | None, bool]:
        person = person_of_link(store, link, now_us=desk.clock())
        offers_solo = person is not None and _is_alone(store, person)
        return person, offers_solo and not is_solo(store)

    person, offers_solo = await desk.read(part)
    if person is None:
        status = status if fault else 404
    return page(
        "welcome.html", status=status, person=person, offers_solo=offers_solo,
        fault=fault, link=link, least=MIN_PASSWORD_CHARS, most=MAX_PASSWORD_CHARS,
    )  # fmt: skip


def _is_alone(store: Store, person: Principal) -> bool:
    people = (each for each in list_principals(store) if each.kind == PERSON)
    return all(each.id == person.id or each.is_disabled for each in people)


def _link(request: Request) -> str:
    return str(request.path_params["link"])


PAGES = (Page("GET", "/welcome/{link}", show), Page("POST", "/welcome/{link}", redeem))

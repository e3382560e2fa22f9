"""Signing in by name and password, and out."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from oldhand.confirm.people import SESSION_SECONDS, WebSession
from oldhand.errors import TooMany, Unauthenticated
from oldhand.web import fields, signing_in
from oldhand.web.desk import Desk
from oldhand.web.forms import read_form, read_open_form
from oldhand.web.pages.look import page
from oldhand.web.routes import Page
from oldhand.web.who import session_cookie

_OUR_PAGE = re.compile(r"/(?:inbox(?:/[0-9a-z]{26})?|grants|policy|audit|people)")


async def show(desk: Desk, request: Request) -> Response:
    """Show the form; somebody who is signed in already goes on."""
    then = our_page(request.query_params.get("then", ""))
    if await desk.session_of(request) is not None:
        return RedirectResponse(then, status_code=303)
    return page("sign_in.html", then=then, fault="", name="")


async def sign_in(desk: Desk, request: Request) -> Response:
    """Begin a session."""
    form = await read_open_form(desk, request)
    name = fields.text(form, "name", most=200).strip()
    then = our_page(form.get("then", ""))
    try:
        session = await signing_in.sign_in(
            desk, name, fields.text(form, "password", most=10_000)
        )
    except (Unauthenticated, TooMany) as fault:
        return page(
            "sign_in.html", status=fault.http_status, then=then, fault=str(fault),
            name=name,
        )  # fmt: skip
    return begun(desk, session, then)


async def sign_out(desk: Desk, request: Request) -> Response:
    """End the session."""
    await read_form(desk, request)
    await signing_in.sign_out(desk, request)
    gone = session_cookie(desk.address, "", seconds=0)
    return RedirectResponse("/sign-in", status_code=303, headers={"Set-Cookie": gone})


def begun(desk: Desk, session: WebSession, then: str) -> Response:
    """Have the browser keep a session, and go on."""
    cookie = session_cookie(desk.address, session.token, seconds=SESSION_SECONDS)
    return RedirectResponse(then, status_code=303, headers={"Set-Cookie": cookie})


def our_page(path: str) -> str:
    """Return a path to go on to, where it is one of our pages; else the inbox.

    Example:
        >>> our_page("/audit"), our_page("//elsewhere.example/")
        ('/audit', '/inbox')
    """
    return path if _OUR_PAGE.fullmatch(path) else "/inbox"


PAGES = (
    Page("GET", "/sign-in", show),
    Page("POST", "/sign-in", sign_in),
    Page("POST", "/sign-out", sign_out),
)

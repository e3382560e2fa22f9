"""People sign in and out."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.people import SESSION_SECONDS, WebSession
from oldhand.errors import NotFound
from oldhand.web import fields, signing_in
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation
from oldhand.web.security import check_same_origin
from oldhand.web.who import claim_of, session_cookie

_MOST_PASSWORD = 10_000


async def sign_in(desk: Desk, request: Request) -> Response:
    """Begin a session by name and password."""
    check_same_origin(request, desk.address)
    body = await fields.read_fields(
        desk, request, known=("name", "password"), needed=("name", "password"),
        is_open=True,
    )  # fmt: skip
    name = fields.text(body, "name", most=200)
    password = fields.text(body, "password", most=_MOST_PASSWORD)
    return _begun(desk, await signing_in.sign_in(desk, name, password))


async def show_session(desk: Desk, request: Request) -> Response:
    """Say who is signed in, and what a request that changes something must send along."""
    session = await desk.session_of(request)
    if session is None:
        raise NotFound("nobody is signed in here")
    return answer({"name": session.principal.name, "csrf": session.csrf})


async def sign_out(desk: Desk, request: Request) -> Response:
    """End the session."""
    claim_of(request, desk.address)
    await signing_in.sign_out(desk, request)
    gone = session_cookie(desk.address, "", seconds=0)
    return answer({"status": "signed_out"}, headers={"Set-Cookie": gone})


async def show_welcome(desk: Desk, request: Request) -> Response:
    """Say whose link it is; a preview may look at it, and changes nothing."""
    person = await signing_in.whose_link(desk, str(request.path_params["link"]))
    if person is None:
        raise NotFound("this link was used, is too old, or never was one")
    return answer({"name": person.name})


async def redeem(desk: Desk, request: Request) -> Response:
    """Set a password by a one-time link, and begin a session."""
    check_same_origin(request, desk.address)
    body = await fields.read_fields(
        desk, request, known=("password",), needed=("password",), is_open=True
    )
    password = fields.text(body, "password", most=_MOST_PASSWORD)
    link = str(request.path_params["link"])
    return _begun(desk, await signing_in.redeem(desk, link, password))


def _begun(desk: Desk, session: WebSession) -> Response:
    cookie = session_cookie(desk.address, session.token, seconds=SESSION_SECONDS)
    told = {"name": session.principal.name, "csrf": session.csrf}
    return answer(told, headers={"Set-Cookie": cookie})


OPERATIONS = (
    Operation(
        "POST", "/sign-in", sign_in, "Begin a session by name and password.", "open",
        {200: "Session"}, body="SignIn", problems=(401, 429),
    ),
    Operation(
        "GET", "/sign-in", show_session, "Say who is signed in.", "open",
        {200: "Session"}, problems=(404,),
    ),
    Operation(
        "POST", "/sign-out", sign_out, "End the session.", "signed",
        {200: "SignedOut"},
    ),
    Operation(
        "GET", "/welcome/{link}", show_welcome, "Say whose link it is.", "open",
        {200: "LinkOwner"},
    ),
    Operation(
        "POST", "/welcome/{link}", redeem, "Set a password by a one-time link.",
        "open", {200: "Session"}, body="Redeeming", problems=(401,),
    ),
)  # fmt: skip

"""Forms of our own pages: who sends them, and what stands in them."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qsl

from starlette.requests import Request

from oldhand.confirm.model import Principal
from oldhand.confirm.people import WebSession
from oldhand.confirm.requests.facts import BadField
from oldhand.errors import Unauthenticated
from oldhand.store import Store
from oldhand.web.bodies import read_bytes
from oldhand.web.desk import Desk
from oldhand.web.faults import WrongContent
from oldhand.web.security import FORM, check_same_origin, content_type
from oldhand.web.who import Claim, check_csrf, principal_of

_MOST_FIELDS = 1000


class Form(NamedTuple):
    """A form that a person who is signed in sent from a page of ours."""

    session: WebSession
    fields: dict[str, str]
    desk: Desk

    def caller(self, store: Store) -> Principal:
        """Say again who it is, in the transaction of what they do.

        Raises:
            Unauthenticated: The session has ended meanwhile.
        """
        claim = Claim(is_session=True, secret=self.session.token)
        return principal_of(store, claim, now_us=self.desk.clock())


async def read_form(desk: Desk, request: Request) -> Form:
    """Read a form of somebody who is signed in.

    Raises:
        Unauthenticated: Nobody is.
        Forbidden: It does not come from a page of ours.
        BadField: It is no form, or a field stands twice.
    """
    session = await desk.session_of(request)
    if session is None:
        raise Unauthenticated("sign in first")
    fields = await _read(desk, request, is_open=False)
    check_csrf(request, desk.address, session.token, fields.pop("csrf", None))
    return Form(session, fields, desk)


async def read_open_form(desk: Desk, request: Request) -> dict[str, str]:
    """Read a form of somebody who is not signed in yet.

    Raises:
        Forbidden: It does not come from a page of ours.
        BadField: It is no form, or a field stands twice.
    """
    check_same_origin(request, desk.address)
    return await _read(desk, request, is_open=True)


async def _read(desk: Desk, request: Request, *, is_open: bool) -> dict[str, str]:
    if content_type(request.headers.get("content-type", "")) != FORM:
        raise WrongContent(f"expected {FORM}")
    data = await read_bytes(desk, request, is_open=is_open)
    try:
        pairs = parse_qsl(
            data.decode(),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError as fault:
        raise BadField(f"the body is no form: {fault}", "") from fault
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise BadField(f"{name[:100]!r} stands twice", name)
        if "\0" in value:
            raise BadField(f"{name[:100]!r} holds a character that is no text", name)
        found[name] = value.replace("\r\n", "\n")
    return found

"""Signing in and out, for the API and the pages alike."""

from __future__ import annotations

from starlette.requests import Request

from oldhand.confirm.model import Principal
from oldhand.confirm.people import (
    WebSession,
    authenticate_session,
    check_password,
    open_session,
    person_of_link,
    redeem_link,
)
from oldhand.confirm.people import sign_out as end_session
from oldhand.errors import Unauthenticated
from oldhand.store import Store
from oldhand.web.desk import Desk
from oldhand.web.who import session_secret


async def sign_in(desk: Desk, name: str, password: str) -> WebSession:
    """Begin a session by name and password; its secret is always new.

    Raises:
        Unauthenticated: They are wrong.
        TooMany: Too many tries failed lately, or are running.
    """
    desk.attempts.begin(name, clock=desk.clock)
    is_right = True
    try:
        person = await desk.check_slowly(
            lambda store: check_password(store, name, password)
        )
    except Unauthenticated:
        is_right = False
        raise
    finally:
        desk.attempts.end(name, is_right=is_right, clock=desk.clock)
    return await desk.write(
        lambda store: open_session(store, person, via="password", clock=desk.clock)
    )


async def redeem(desk: Desk, link: str, password: str) -> WebSession:
    """Set a password by a one-time link, and begin a session.

    Raises:
        Unauthenticated: The link is nobody's, used or too old.
        InvalidInput: The password is too short or too long.
    """

    def part(store: Store) -> WebSession:
        person = redeem_link(store, link, password=password, clock=desk.clock)
        return open_session(store, person, via="link", clock=desk.clock)

    # Looked at first: to hash a password takes long, and links cannot be guessed.
    if await whose_link(desk, link) is None:
        raise Unauthenticated("this link was used, is too old, or never was one")
    return await desk.write(part)


async def whose_link(desk: Desk, link: str) -> Principal | None:
    """Say whose link it is, and change nothing; None where it is nobody's any more."""
    return await desk.glance(
        lambda store: person_of_link(store, link, now_us=desk.clock())
    )


async def sign_out(desk: Desk, request: Request) -> None:
    """End the session that a request's cookie names; without one nothing happens."""
    secret = session_secret(request, desk.address)
    if secret is None:
        return

    def part(store: Store) -> None:
        session = authenticate_session(store, secret, now_us=desk.clock())
        if session is not None:
            end_session(store, session, clock=desk.clock)

    await desk.write(part)

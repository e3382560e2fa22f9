"""Who sends a request: an agent by its token, a person by the cookie of a session.

A browser sends the cookie along whoever made it send the request. So whatever changes
something must show as well that a page of ours sends it, and say back what only such a
page was told.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

from starlette.requests import Request

from oldhand.confirm.credentials import authenticate_token
from oldhand.confirm.model import Principal
from oldhand.confirm.people import csrf_of, owner_of_session
from oldhand.errors import Forbidden, Unauthenticated
from oldhand.store import Store
from oldhand.web.address import Address
from oldhand.web.security import SAFE_METHODS, check_same_origin, header_of

CSRF_HEADER = b"x-csrf-token"
_SESSION_BYTES = 200


class BadCsrf(Forbidden):
    """The request does not say what only a page of ours was told."""

    code = "bad_csrf"


class Claim(NamedTuple):
    """What is shown for who one is, not looked up yet."""

    is_session: bool
    secret: str


def claim_of(request: Request, address: Address) -> Claim:
    """Return what a request shows; for a session that changes something, checked for CSRF.

    Raises:
        Unauthenticated: It shows nothing.
        Forbidden: It shows a session, and another site may have sent it.
    """
    token = header_of(request, b"authorization")
    if token is not None:
        scheme, _, secret = token.partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            raise Unauthenticated("expected Authorization: Bearer oha_…")
        return Claim(is_session=False, secret=secret.strip())
    secret = session_secret(request, address) or ""
    if not secret:
        raise Unauthenticated(
            "nobody is named: an agent sends Authorization: Bearer oha_…, a person signs "
            "in first"
        )
    if request.scope["method"] not in SAFE_METHODS:
        check_csrf(request, address, secret, header_of(request, CSRF_HEADER))
    return Claim(is_session=True, secret=secret)


def check_csrf(
    request: Request, address: Address, secret: str, given: str | None
) -> None:
    """Demand that a page of ours sends this, for the session that the cookie names.

    Args:
        request: What came in.
        address: Where we are.
        secret: Of the session, `session_secret`.
        given: What the header or the form field says.

    Raises:
        Forbidden: It does not say so.
    """
    check_same_origin(request, address)
    said = (given or "").encode()
    if not hmac.compare_digest(said, csrf_of(secret).encode()):
        raise BadCsrf("the CSRF token is missing, or of another session")


def session_secret(request: Request, address: Address) -> str | None:
    """Return the secret of the session that a cookie names; None where none does.

    Two cookies of the name, as another server on this host can set, are none.
    """
    name = address.cookie_name
    headers = [value for key, value in request.scope["headers"] if key == b"cookie"]
    found: list[str] = []
    for header in headers:
        for part in header.decode("latin-1").split(";"):
            key, _, value = part.strip().partition("=")
            if key == name:
                found.append(value)
    is_one = len(found) == 1 and found[0].isascii()
    return found[0] if is_one and 0 < len(found[0]) <= _SESSION_BYTES else None


def principal_of(store: Store, claim: Claim, *, now_us: int) -> Principal:
    """Look up who it is.

    Raises:
        Unauthenticated: The token or the session is nobody's, has ended or was revoked.
    """
    if claim.is_session:
        found = owner_of_session(store, claim.secret, now_us=now_us)
        if found is None:
            raise Unauthenticated("this session is over: sign in again")
        return found
    found = authenticate_token(store, claim.secret, now_us=now_us)
    if found is None:
        raise Unauthenticated("this token is nobody's, or was revoked")
    return found


def session_cookie(address: Address, secret: str, *, seconds: int) -> str:
    """Write the header that has a browser keep a session; 0 seconds: forget it."""
    secure = "; Secure" if address.is_secure else ""
    return (
        f"{address.cookie_name}={secret}; Path=/; HttpOnly; SameSite=Strict; "
        f"Max-Age={seconds}{secure}"
    )

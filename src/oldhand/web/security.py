"""What every request must be, whatever is behind.

Pure ASGI, outside of everything: a request for another host, from another site's page, too
long or of a kind that nobody reads never comes to an endpoint.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oldhand.confirm.requests.facts import MAX_BYTES
from oldhand.errors import OldhandError
from oldhand.web.address import Address
from oldhand.web.answers import with_headers
from oldhand.web.faults import ForeignOrigin, TooLarge, WrongContent, WrongHost

SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
BODY = "oldhand.body"
"""Where a scope holds the body, if all of it came with the head."""
_HEADERS = "oldhand.headers"

Refuse = Callable[[Request, OldhandError], Awaitable[Response]]
"""Makes the answer to a request that is refused."""


class Guard:
    """Lets through what is meant for this daemon and well-formed."""

    def __init__(self, app: ASGIApp, *, address: Address, refuse: Refuse) -> None:
        """Stand before an application."""
        self._app = app
        self._address = address
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or have it answered."""
        if scope["type"] != "http":
            return
        found = scope[_HEADERS] = _first_of_each(scope["headers"])
        try:
            _check(scope, found, self._address)
        except OldhandError as fault:
            response = await self._refuse(Request(scope, receive), fault)
            await with_headers(response)(scope, receive, send)
        else:
            is_bounded = scope["method"] in SAFE_METHODS or BODY in scope
            counted = receive if is_bounded else _counted(receive)
            await self._app(scope, counted, send)


def check_same_origin(request: Request, address: Address) -> None:
    """Demand that a browser says that a page of ours sends this.

    For whatever a cookie or a password lets happen: a browser sends the cookie along
    whoever made it send the request.

    Raises:
        ForeignOrigin: It says otherwise, or nothing.
    """
    origin = header_of(request, b"origin")
    site = header_of(request, b"sec-fetch-site")
    if origin is None and site is None:
        raise ForeignOrigin(
            "nothing says which page sends this: an Origin or a Sec-Fetch-Site header "
            "is needed"
        )
    _check_origin(origin, site, address)


def header_of(request: Request, name: bytes) -> str | None:
    """Return a header of a request that the guard let in; of two, the first.

    Starlette goes through all of them for each that is asked for, and decodes on the way:
    of a short answer that took an eighth of the time.

    Args:
        request: What came in.
        name: In lower case.
    """
    found: bytes | None = request.scope[_HEADERS].get(name)
    return None if found is None else found.decode("latin-1")


def _first_of_each(headers: list[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    return dict(reversed(headers))


def _check(scope: Scope, found: dict[bytes, bytes], address: Address) -> None:
    is_any_twice = len(found) < len(scope["headers"])
    if is_any_twice and [name for name, _ in scope["headers"]].count(b"host") > 1:
        raise WrongHost("two Host headers")
    host = found.get(b"host", b"").decode("latin-1").lower()
    if host not in address.hosts:
        raise WrongHost(
            f"this is not {host[:100]!r}; it is reached as {address.url}, and other names "
            "are refused"
        )
    if scope["method"] in SAFE_METHODS:
        return
    origin, site = found.get(b"origin"), found.get(b"sec-fetch-site")
    _check_origin(
        None if origin is None else origin.decode("latin-1"),
        None if site is None else site.decode("latin-1"),
        address,
    )
    _check_body(found)


def _check_origin(origin: str | None, site: str | None, address: Address) -> None:
    if origin is not None and origin not in address.origins:
        raise ForeignOrigin(f"a page of {origin[:100]!r} sends this, and may not")
    if site is not None and site != "same-origin":
        raise ForeignOrigin(f"sent {site[:40]!r}; expected from a page of this daemon")


def _check_body(headers: dict[bytes, bytes]) -> None:
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length[:20]) > MAX_BYTES:
        raise _too_large()
    has_body = b"transfer-encoding" in headers or length.strip(b"0") != b""
    if not has_body and b"content-type" not in headers:
        return
    if content_type(headers.get(b"content-type", b"").decode("latin-1")) is None:
        raise WrongContent(f"a body must be {JSON}, or of a form of ours")


def content_type(header: str) -> str | None:
    """Return which of the kinds that are read here a header names; None for others."""
    if header == JSON:  # as nearly all say it, and this is asked three times of each
        return JSON
    kind = header.partition(";")[0].strip().lower()
    return kind if kind in {JSON, FORM} else None


def _counted(receive: Receive) -> Receive:
    """Count what comes in: a length that is announced may be a lie, or missing."""
    count = 0

    async def counting() -> Message:
        nonlocal count
        message = await receive()
        count += len(message.get("body", b""))
        if count > MAX_BYTES:
            raise _too_large()
        return message

    return counting


def _too_large() -> TooLarge:
    return TooLarge(f"the body is longer than {MAX_BYTES:,} bytes")

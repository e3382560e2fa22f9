"""Read a body: bounded in length and in time, by whoever sends it."""

from __future__ import annotations

import asyncio

from starlette.requests import Request

from oldhand.confirm.requests.facts import BadField, read_json
from oldhand.web.desk import Desk
from oldhand.web.faults import GoneAway, TooLarge, TooSlow, WrongContent
from oldhand.web.security import BODY, JSON, content_type, header_of

READ_SECONDS = 30
OPEN_BYTES = 64_000
"""Of a body that comes from nobody that is known yet."""


async def read_value(desk: Desk, request: Request, *, is_open: bool = False) -> object:
    """Read a body that is JSON; none at all counts as an empty object.

    Raises:
        BadField: It is no JSON of one meaning.
        WrongContent: It is said to be something else.
        OldhandError: As `read_bytes`.
    """
    kind = header_of(request, b"content-type")
    is_empty = (header_of(request, b"content-length") or "0") == "0"
    if is_empty and kind is None and header_of(request, b"transfer-encoding") is None:
        return {}
    if content_type(kind or "") != JSON:
        raise WrongContent(f"expected {JSON}")
    data = await read_bytes(desk, request, is_open=is_open)
    try:
        return read_json(data) if data else {}
    except BadField:
        if not is_open:
            await desk.caller(request)
        raise


async def read_bytes(desk: Desk, request: Request, *, is_open: bool = False) -> bytes:
    """Read a body; a long one only from somebody who is known.

    Raises:
        TooLarge: It is long, and comes from nobody that need be known.
        TooSlow: It took too long to come.
        GoneAway: It never came whole.
        Unauthenticated: It is long, and comes from nobody.
    """
    length = header_of(request, b"content-length") or ""
    is_short = length.isdigit() and int(length[:20]) <= OPEN_BYTES
    if not is_short and not is_open:
        await desk.caller(request)
    body: bytes | None = request.scope.get(BODY)
    if body is not None:  # as nearly always: to wait with a time limit took 8 us
        return body
    try:
        async with asyncio.timeout(READ_SECONDS):
            return await _read_all(request, is_open=is_open)
    except TimeoutError as fault:
        raise TooSlow(f"the body did not come within {READ_SECONDS} s") from fault


async def _read_all(request: Request, *, is_open: bool) -> bytes:
    data = b""
    has_more = True
    while has_more:
        message = await request.receive()
        if message["type"] == "http.disconnect":  # as often as anybody likes: no error
            raise GoneAway("the connection ended before the body")
        data += message.get("body", b"")
        has_more = message.get("more_body", False)
        if is_open and len(data) > OPEN_BYTES:
            raise TooLarge(f"the body is longer than {OPEN_BYTES:,} bytes")
    return data

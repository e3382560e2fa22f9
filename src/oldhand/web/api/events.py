"""What becomes of requests, as it happens: server-sent events.

The id of an event is the number of its row in the log, so that who comes back with
`Last-Event-ID` misses nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from oldhand.confirm.audit.read import newest_seq
from oldhand.confirm.model import Principal
from oldhand.confirm.requests.facts import BadField
from oldhand.errors import Unauthenticated
from oldhand.web.answers import to_json
from oldhand.web.desk import Desk
from oldhand.web.follower import (
    Event,
    Stream,
    reading_after,
    reading_events,
)
from oldhand.web.operation import Operation

HEARTBEAT_SECONDS = 15
_MOST_MISSED = 5_000
_LONGEST_NUMBER = 15


async def listen(desk: Desk, request: Request) -> Response:
    """Tell each change of a request that is the caller's to see."""
    after = _last_id(request)
    by = await desk.caller(request)
    kind = "text/event-stream"
    if request.method == "HEAD":
        return Response(media_type=kind)
    told = _told(desk, request, by, after)
    # Begun before it is answered: of many who come at once too many are refused.
    first = await anext(told)
    return StreamingResponse(_from(first, told), media_type=kind)


async def _from(
    first: bytes, rest: AsyncGenerator[bytes, None]
) -> AsyncGenerator[bytes]:
    async with aclosing(rest):
        yield first
        async for text in rest:
            yield text


async def _told(
    desk: Desk, request: Request, by: Principal, after: int | None
) -> AsyncGenerator[bytes, None]:
    with desk.follower.stream(by) as stream:
        newest = await desk.glance(newest_seq)
        is_lost = after is not None and newest - after > _MOST_MISSED
        sent = newest if after is None or after > newest or is_lost else after
        word = b"reset" if is_lost else b"ready"
        yield b"retry: 2000\nevent: %b\nid: %d\ndata: {}\n\n" % (word, sent)
        while sent < newest:
            rows = await desk.read(reading_after(sent))
            for event in await desk.read(reading_events(rows)):
                if event.is_for(by):
                    yield _written(event)
            sent = rows[-1].seq if rows else newest
        async for text in _live(desk, request, stream, sent):
            yield text


async def _live(
    desk: Desk, request: Request, stream: Stream, sent: int
) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    ask_at = loop.time() + HEARTBEAT_SECONDS
    while not (stream.is_broken and stream.waiting.empty()):
        try:
            async with asyncio.timeout_at(ask_at):
                event = await stream.waiting.get()
        except TimeoutError:
            try:
                await desk.caller(request)
            except Unauthenticated:  # their token was revoked meanwhile
                return
            ask_at = loop.time() + HEARTBEAT_SECONDS
            yield b": here\n\n"
            continue
        if event is None:
            return
        if event.seq > sent:
            yield _written(event)


def _written(event: Event) -> bytes:
    told = {"id": event.id, "status": event.status, "rev": event.rev}
    return b"event: request\nid: %d\ndata: %b\n\n" % (event.seq, to_json(told))


def _last_id(request: Request) -> int | None:
    given = request.headers.get("last-event-id", "")
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= _LONGEST_NUMBER):
        raise BadField("Last-Event-ID is no number of a row", "Last-Event-ID")
    return int(given)


OPERATIONS = (
    Operation(
        "GET", "/events", listen, "Hear what becomes of requests, as it happens.",
        "signed", {200: "Events"}, problems=(429,),
        headers={"Last-Event-ID": {"type": "string", "pattern": "^[0-9]{1,15}$"}},
    ),
)  # fmt: skip

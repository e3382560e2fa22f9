"""Ask, and hear what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive

from oldhand.confirm.model import Principal
from oldhand.confirm.model import Request as HeldRequest
from oldhand.confirm.requests.facts import BadField, check_draft
from oldhand.confirm.requests.listed import Listed, requests_by_page
from oldhand.confirm.requests.read import find_request
from oldhand.confirm.requests.states import STATES
from oldhand.store import Store
from oldhand.web import fields, wire
from oldhand.web.answers import JsonAnswer, answer, to_json
from oldhand.web.bodies import read_value
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation
from oldhand.web.problems import problem_response
from oldhand.web.schemas.forms import ID
from oldhand.web.security import header_of

LONGEST_WAIT_SECONDS = 55
"""Below the minute after which proxies and tools give up."""
_MOST_LISTED = 500
_MOST_LISTED_BYTES = 4_000_000


async def ask(desk: Desk, request: Request) -> Response:
    """Take a request: held, let pass, or blocked."""
    draft = check_draft(
        await read_value(desk, request),
        idempotency_key=header_of(request, b"idempotency-key"),
    )

    def part(store: Store, by: Principal) -> HeldRequest:
        return desk.submit(store, draft, by)

    held = await desk.act(request, part)
    receipt = wire.receipt_of(held, url=desk.url_of(held.id))
    if held.state == "blocked":
        return problem_response(_blocked(held, receipt))
    return answer(receipt, status=202 if held.state == "pending" else 200)


async def show(desk: Desk, request: Request) -> Response:
    """Say what a request is, at once or when something has become of it."""
    request_id = fields.request_id(request)
    seconds = fields.asked_whole(
        request, "wait", least=0, most=LONGEST_WAIT_SECONDS, default=0
    )
    since = fields.asked_whole(request, "since", least=0, most=2**31 - 1, default=-1)
    by = await desk.caller(request)

    async def look() -> HeldRequest:
        return await desk.glance(lambda store: find_request(store, request_id, by=by))

    held = await look()
    if seconds and not _is_news(held, since):
        with desk.follower.place_for(by):
            held = await _wait(
                desk, request_id, look, since=since, seconds=seconds,
                receive=request.receive,
            )  # fmt: skip
    return answer(wire.request_json(held, url=desk.url_of(held.id)))


async def list_(desk: Desk, request: Request) -> Response:
    """List requests, an agent's own, or for people all: those that fit into an answer."""
    named = fields.asked_text(request, "state", most=500)
    states = named.split(",") if "state" in request.query_params else []
    for state in states:
        if state not in STATES:
            known = ", ".join(STATES)
            raise BadField(f"{state[:50]!r} is no state; there are {known}", "state")
    limit = fields.asked_whole(
        request, "limit", least=1, most=_MOST_LISTED, default=100
    )

    is_further = "after" in request.query_params
    after = fields.asked_text(request, "after") if is_further else None

    def part(store: Store, by: Principal) -> Listed:
        return requests_by_page(
            store, by=by, states=states, limit=limit, after=after,
            most_bytes=_MOST_LISTED_BYTES,
        )  # fmt: skip

    page = await desk.look(request, part)
    texts = _fitting(desk, page.requests)
    has_more = page.has_more or len(texts) < len(page.requests)
    return JsonAnswer(
        b'{"count":%d,"requests":[%b],"next":%b}'
        % (
            len(texts),
            b",".join(texts),
            to_json(page.requests[len(texts) - 1].id if has_more else None),
        ),
        200,
    )


def _fitting(desk: Desk, found: list[HeldRequest]) -> list[bytes]:
    """Write requests as JSON, as many as fit; the first in any case."""
    texts: list[bytes] = []
    left = _MOST_LISTED_BYTES
    for held in found:
        text = to_json(wire.request_json(held, url=desk.url_of(held.id)))
        left -= len(text) + 1
        if texts and left < 0:
            break
        texts.append(text)
    return texts


def _blocked(held: HeldRequest, receipt: Mapping[str, Any]) -> dict[str, Any]:
    """Say a blocked request as a problem, whose `status` is HTTP's; `state` is its own."""
    return {
        **receipt,
        "type": "urn:oldhand:problem:blocked",
        "title": "Blocked by a rule",
        "status": HTTPStatus.FORBIDDEN.value,
        "state": held.state,
        "detail": held.why,
        "code": "blocked",
    }


def _is_news(held: HeldRequest, since: int) -> bool:
    return held.rev > since if since >= 0 else held.state != "pending"


async def _wait(
    desk: Desk,
    request_id: str,
    look: Callable[[], Awaitable[HeldRequest]],
    *,
    since: int,
    seconds: int,
    receive: Receive,
) -> HeldRequest:
    """Look again whenever something may have become of it, until the time is over."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    gone = loop.create_task(_until_gone(receive))
    try:
        while True:
            news = desk.follower.news_of(request_id)
            try:
                held = await look()
                left = until - loop.time()
                is_over = left <= 0 or gone.done() or desk.follower.is_closed
                if is_over or _is_news(held, since):
                    return held
                await asyncio.wait(
                    (news, gone),
                    timeout=left,
                    return_when=asyncio.FIRST_COMPLETED,
                )
            finally:
                desk.follower.forget(request_id, news)
    finally:
        gone.cancel()


async def _until_gone(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


OPERATIONS = (
    Operation(
        "POST", "/confirm", ask, "Ask whether something may be done.", "agent",
        {202: "Receipt", 200: "Receipt"}, body="Draft", problems=(409, 429),
        headers={"Idempotency-Key": {"type": "string", "maxLength": 200}},
    ),
    Operation(
        "GET", "/confirm/{id}", show, "Say what became of a request, or wait for it.",
        "signed", {200: "Request"}, problems=(429,),
        query={
            "wait": {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT_SECONDS},
            "since": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
        },
    ),
    Operation(
        "GET", "/confirm", list_, "List one's own requests; for people all.", "signed",
        {200: "Requests"},
        query={
            "state": {
                "type": "string",
                "pattern": f"^({'|'.join(STATES)})(,({'|'.join(STATES)}))*$",
                "maxLength": 500,
            },
            "limit": {"type": "integer", "minimum": 1, "maximum": _MOST_LISTED},
            "after": ID,
        },
    ),
)  # fmt: skip

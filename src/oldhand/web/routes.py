"""One place for each address: what can be done there, as JSON and as a page.

An address may serve both. A browser that asks for HTML, or sends a form, gets the page;
everybody else the API.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from oldhand.errors import OldhandError
from oldhand.web.answers import with_headers
from oldhand.web.desk import Desk
from oldhand.web.faults import NoSuchMethod, NoSuchPlace
from oldhand.web.problems import answer_fault
from oldhand.web.security import FORM, SAFE_METHODS, content_type, header_of

Endpoint = Callable[[Desk, Request], Awaitable[Response]]
FaultPage = Callable[[Desk, Request, Exception], Awaitable[Response]]
"""Shows a fault as a page."""


class Page(NamedTuple):
    """One page, or what a form of one is sent to."""

    method: str
    path: str
    endpoint: Endpoint


class Pages(NamedTuple):
    """All pages.

    Attributes:
        pages: Each with its method and path.
        fault: Shows what went wrong to a person; None: as JSON.
    """

    pages: tuple[Page, ...] = ()
    fault: FaultPage | None = None


class Place:
    """What can be done at one address, as an ASGI application."""

    def __init__(
        self,
        desk: Desk,
        *,
        api: Mapping[str, Endpoint],
        pages: Mapping[str, Endpoint],
        fault: FaultPage | None,
    ) -> None:
        """Take the endpoints by method."""
        self._desk = desk
        self._api = api
        self._pages = pages
        self._fault = fault

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive, send)
        try:
            response = await self._endpoint(request)(self._desk, request)
        except Exception as fault:  # noqa: BLE001 - each becomes an answer and, if unforeseen, is logged
            response = await refuse(self._desk, request, fault, page=self._fault)
        await with_headers(response)(scope, receive, send)

    def _endpoint(self, request: Request) -> Endpoint:
        method: str = request.scope["method"]
        method = "GET" if method == "HEAD" else method
        ours, other = self._api, self._pages
        if wants_page(request):
            ours, other = other, ours
        found = ours.get(method) or other.get(method)
        if found is None:
            allowed = _allowed({*ours, *other})
            raise NoSuchMethod(
                f"{method[:20]} is not possible here; {allowed} are", allowed
            )
        return found


def wants_page(request: Request) -> bool:
    """Say whether a request is a browser's, for a page."""
    is_read = request.scope["method"] in SAFE_METHODS
    value = header_of(request, b"accept" if is_read else b"content-type") or ""
    return "text/html" in value if is_read else content_type(value) == FORM


async def refuse(
    desk: Desk, request: Request, fault: Exception, *, page: FaultPage | None
) -> Response:
    """Answer with a fault, and count it for the log."""
    if isinstance(fault, OldhandError):
        desk.refusals.note(fault.code, request.scope.get("oldhand.caller"))
    if page is not None and wants_page(request):
        return await page(desk, request, fault)
    return answer_fault(fault)


async def nothing_here(_desk: Desk, request: Request) -> Response:
    """Be at no address."""
    raise NoSuchPlace(f"there is nothing at {request.url.path[:200]}")


def by_path(
    entries: Iterable[tuple[str, str, Endpoint]],
) -> dict[str, dict[str, Endpoint]]:
    """Group endpoints, given as method, path and endpoint, by path and method."""
    found: dict[str, dict[str, Endpoint]] = {}
    for method, path, endpoint in entries:
        found.setdefault(path, {})[method] = endpoint
    return found


def _allowed(methods: set[str]) -> str:
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))

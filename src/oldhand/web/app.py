"""The application: every address, behind the guard."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from oldhand.errors import OldhandError
from oldhand.web.api import OPERATIONS
from oldhand.web.desk import Desk
from oldhand.web.pages import PAGES
from oldhand.web.places import Places
from oldhand.web.routes import Pages, Place, by_path, nothing_here, refuse
from oldhand.web.security import Guard


def make_app(desk: Desk, pages: Pages = PAGES) -> ASGIApp:
    """Make the ASGI application of a desk."""
    api = by_path((each.method, each.path, each.endpoint) for each in OPERATIONS)
    shown = by_path(pages.pages)
    places = {
        path: Place(
            desk,
            api=api.get(path, {}),
            pages=shown.get(path, {}),
            fault=pages.fault,
        )
        for path in (*api, *shown)
    }
    nothing = dict.fromkeys(("GET", "POST"), nothing_here)
    nowhere = Place(desk, api=nothing, pages={}, fault=pages.fault)

    async def refused(request: Request, fault: OldhandError) -> Response:
        return await refuse(desk, request, fault, page=pages.fault)

    return Guard(
        Places(places, nowhere=nowhere),
        address=desk.address,
        refuse=refused,
    )

"""What went wrong, for a person: in a sentence, and how to go on."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from oldhand.errors import Unauthenticated
from oldhand.web.desk import Desk
from oldhand.web.pages.look import page
from oldhand.web.pages.sign_in import our_page
from oldhand.web.problems import problem_of
from oldhand.web.security import SAFE_METHODS

_ADVICE = {
    "bad_csrf": "The page was older than your session. Go back, reload it, and try again.",
    "stale": "Nothing was decided. Open the request again and look at what has changed.",
    "stopped": "Turn the stop switch off first, if that is what you want.",
}


async def show_fault(_desk: Desk, request: Request, fault: Exception) -> Response:
    """Show what went wrong; who is not signed in is led to where they can."""
    if isinstance(fault, Unauthenticated):
        target = f"/sign-in?then={quote(our_page(_page_of(request)))}"
        return RedirectResponse(target, status_code=303)
    problem = problem_of(fault)
    is_there = problem["status"] != HTTPStatus.NOT_FOUND
    return page(
        "fault.html",
        status=problem["status"],
        problem=problem,
        advice=_ADVICE.get(problem.get("why", problem["code"]), ""),
        back=our_page(_page_of(request)) if is_there else "/inbox",
    )


def _page_of(request: Request) -> str:
    """Return the page that a request is of: a form is sent to a path below it."""
    path = request.url.path
    return path if request.method in SAFE_METHODS else path.rsplit("/", 1)[0]

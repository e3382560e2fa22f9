"""The style sheet, the script and the sign of the pages: ours, and from here alone."""

from __future__ import annotations

from functools import cache
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response

from oldhand.canonical_json import sha256_of
from oldhand.errors import NotFound
from oldhand.web.desk import Desk

_KINDS = {
    "style.css": "text/css",
    "live.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
_KEPT = "public, max-age=31536000, immutable"


async def static_file(_desk: Desk, request: Request) -> Response:
    """Send a file; for as long as a browser likes where its version is in the address.

    Raises:
        NotFound: There is none of that name.
    """
    name = str(request.path_params["name"])
    if name not in _KINDS:
        raise NotFound(f"there is no file {name[:100]!r}")
    is_named = request.query_params.get("v") == version_of(name)
    headers = {"Cache-Control": _KEPT if is_named else "no-cache"}
    return Response(_data(name), media_type=_KINDS[name], headers=headers)


@cache
def version_of(name: str) -> str:
    """Name the content of a file, 16 hexadecimal digits."""
    return sha256_of(_data(name))[:16]


@cache
def _data(name: str) -> bytes:
    return resources.files("oldhand.web").joinpath("static", name).read_bytes()

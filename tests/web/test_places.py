"""A path leads to its place, and to no other."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from oldhand.web.places import Places

PATHS = ("/confirm", "/confirm/{id}", "/confirm/{id}/approve", "/static/{name}", "/")


class Noting:
    """A place that notes that it was asked, and with what."""

    def __init__(self, path: str, seen: list[object]) -> None:
        """Take its path, and where to note."""
        self._path = path
        self._seen = seen

    async def __call__(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        """Note it."""
        self._seen.append((self._path, scope.get("path_params", {})))


@pytest.mark.parametrize(
    ("path", "place", "parts"),
    [
        ("/", "/", {}),
        ("/confirm", "/confirm", {}),
        ("/confirm/abc", "/confirm/{id}", {"id": "abc"}),
        ("/confirm/abc/approve", "/confirm/{id}/approve", {"id": "abc"}),
        ("/static/style.css", "/static/{name}", {"name": "style.css"}),
        ("/confirm/", "nowhere", {}),
        ("//confirm", "nowhere", {}),
        ("/confirm//approve", "nowhere", {}),
        ("/confirm/abc/deny", "nowhere", {}),
        ("/confirm/abc/approve/", "nowhere", {}),
        ("/CONFIRM", "nowhere", {}),
        ("/static/../confirm", "nowhere", {}),
        ("", "nowhere", {}),
        ("*", "nowhere", {}),
    ],
)
def test_a_path_leads_to_its_place(
    path: str, place: str, parts: dict[str, str]
) -> None:
    seen: list[object] = []
    places = Places(
        {each: Noting(each, seen) for each in PATHS}, nowhere=Noting("nowhere", seen)
    )

    async def arrive() -> None:
        await places({"type": "http", "path": path}, _receive, _send)

    asyncio.run(arrive())

    assert seen == [(place, parts)]


async def _receive() -> Message:
    """Give nothing."""
    return {}


async def _send(_message: Message) -> None:
    """Take nothing."""

"""Which place a path leads to: by its parts, of which the second may be any one.

A dictionary instead of Starlette's list, which tries a pattern for each address: fifty of
them took a tenth of an answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

_OPEN_AT = 2


class _Form(NamedTuple):
    """A path whose second part may be any, as `/confirm/{id}/approve`."""

    name: str
    place: ASGIApp


class Places:
    """All addresses of the daemon, as an ASGI application."""

    def __init__(self, places: Mapping[str, ASGIApp], *, nowhere: ASGIApp) -> None:
        """Sort the paths, exact ones apart from those with braces."""
        self._exact = {path: place for path, place in places.items() if "{" not in path}
        self._forms: dict[tuple[str, ...], _Form] = {}
        for path, place in places.items():
            if "{" in path:
                parts = path.split("/")
                name = parts.pop(_OPEN_AT)
                self._forms[tuple(parts)] = _Form(name[1:-1], place)
        self._nowhere = nowhere

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Have the place of the path answer."""
        path = scope["path"]
        place = self._exact.get(path) or self._with_part(path, scope)
        return place(scope, receive, send)

    def _with_part(self, path: str, scope: Scope) -> ASGIApp:
        parts = path.split("/")
        given = parts.pop(_OPEN_AT) if len(parts) > _OPEN_AT else ""
        form = self._forms.get(tuple(parts)) if given else None
        if form is None:
            return self._nowhere
        scope["path_params"] = {form.name: given}
        return form.place

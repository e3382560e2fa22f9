"""Which place a path leads to: by its parts, of which those in braces may be any one.

A dictionary instead of Starlette's list, which tries a pattern for each address: fifty of
them took a tenth of an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send


class _Form(NamedTuple):
    """A path with parts that may be anything, as `/confirm/{id}/approve`."""

    parts: tuple[str, ...]
    place: ASGIApp

    def read(self, parts: list[str]) -> dict[str, str] | None:
        """Return what stands for its braces; None where it is another path."""
        found: dict[str, str] = {}
        for wanted, given in zip(self.parts, parts, strict=True):
            if wanted[:1] == "{":
                if not given:
                    return None
                found[wanted[1:-1]] = given
            elif wanted != given:
                return None
        return found


class Places:
    """All addresses of the daemon, as an ASGI application."""

    def __init__(self, places: Mapping[str, ASGIApp], *, nowhere: ASGIApp) -> None:
        """Sort the paths, exact ones apart from those with braces."""
        self._exact = {path: place for path, place in places.items() if "{" not in path}
        self._forms: dict[tuple[int, str], list[_Form]] = {}
        for path, place in places.items():
            if "{" in path:
                parts = path.split("/")
                of_kind = self._forms.setdefault((len(parts), parts[1]), [])
                of_kind.append(_Form(tuple(parts), place))
        self._nowhere = nowhere

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the place of the path answer."""
        path = scope["path"]
        place = self._exact.get(path) or self._with_parts(path, scope)
        await place(scope, receive, send)

    def _with_parts(self, path: str, scope: Scope) -> ASGIApp:
        parts = path.split("/")
        if len(parts) > 1:
            for form in self._forms.get((len(parts), parts[1]), ()):
                found = form.read(parts)
                if found is not None:
                    scope["path_params"] = found
                    return form.place
        return self._nowhere

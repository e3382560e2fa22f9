"""One thing that can be done over HTTP: its address, its endpoint, and what is promised."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from oldhand.web.routes import Endpoint

Who = Literal["agent", "person", "signed", "open"]
"""Who may do it: agents, people, either, or anybody at all."""


class Operation(NamedTuple):
    """One row of the table from which routes and `openapi.json` are made.

    Attributes:
        method: As `POST`.
        path: With `{id}` and the like.
        endpoint: Does it.
        summary: One line.
        who: Who may.
        answers: The name of the schema by status, where it is done.
        body: The name of the schema of what is sent; None: nothing is.
        is_body_needed: Whether it may be left out.
        query: Schemas by name.
        headers: Likewise, of headers of its own.
        problems: Statuses of problems that only this has.
    """

    method: str
    path: str
    endpoint: Endpoint
    summary: str
    who: Who
    answers: Mapping[int, str]
    body: str | None = None
    is_body_needed: bool = True
    query: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    headers: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    problems: tuple[int, ...] = ()

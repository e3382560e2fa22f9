"""Hints for a call that has just failed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

from oldhand import settings as _settings
from oldhand.clock import from_iso
from oldhand.errors import InvalidInput
from oldhand.experience.hint import Failure, Hint, hints_for
from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.belonging import current_directory, principal_of, project_at
from oldhand.sessions.storable_text import storable
from oldhand.store import Store

if TYPE_CHECKING:
    from oldhand.app.wishes import HintWishes


def hint(
    store: Store,
    tool: str,
    arguments: Mapping[str, Any] | str,
    error: str,
    **wishes: Unpack[HintWishes],
) -> list[Hint]:
    """Return what may help after a call has failed, best first.

    Args:
        store: Where the sessions are.
        tool: The tool that was called.
        arguments: What with: an object, or its JSON text; free text as a JSON string.
        error: What came back.
        **wishes: Where it failed; see `HintWishes`.

    Returns:
        At most three hints: a repair, a call that worked, what is missing. None of them
        where nothing fits, and where the call was no mistake, as a red test.

    Raises:
        InvalidInput: The tool is empty, the arguments are no JSON, or a time is none.

    Example:
        >>> from oldhand import hint, open_store
        >>> hint(open_store(":memory:"), "Bash", {"command": "mkae"}, "not found")
        []
    """
    if not tool.strip():
        raise InvalidInput(
            "the tool is empty; expected the name of the one that failed"
        )
    known = wishes.get("settings") or _settings.load()
    directory = wishes.get("project") or current_directory()
    session = wishes.get("session")
    failure = Failure(
        tool=storable(tool),
        arguments=_object(arguments) if isinstance(arguments, str) else arguments,
        error=error,
        session=None if session is None else storable(session),
        project=None if directory is None else storable(project_at(directory)),
        principal=principal_of(directory, default=known.principal),
        recent=wishes.get("recent"),
    )
    before = wishes.get("before")
    if before is not None:
        failure = failure._replace(before_us=_time(before))
    return hints_for(store, failure)


def _object(arguments: str) -> dict[str, Any]:
    try:
        json.loads(arguments)
    except (ValueError, RecursionError) as fault:
        raise InvalidInput(
            f"the arguments are no JSON ({fault}); expected an object, as "
            '{"command": "make"}, or a string where the tool takes text'
        ) from fault
    return arguments_in(arguments)


def _time(text: str) -> int:
    at_us = from_iso(text)
    if at_us is None:
        raise InvalidInput(f"{text!r} is no time; expected ISO 8601, as 2026-01-31")
    return at_us

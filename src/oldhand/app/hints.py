"""Hints for a call that has just failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from oldhand import settings as _settings
from oldhand.clock import from_iso
from oldhand.errors import InvalidInput
from oldhand.experience.hint import Failure, Hint, RecentCall, hints_for
from oldhand.sessions.belonging import principal_of, project_at
from oldhand.sessions.storable_text import storable
from oldhand.settings import Settings
from oldhand.store import Store


class HintWishes(TypedDict, total=False):
    """Where the call failed; all keys may be left out.

    Keys:
        session: The uid of its session: what that did itself goes before all else, where
            it is on record.
        project: The directory it works in; by default the current one.
        before: Only what was there then counts, ISO 8601.
        recent: The calls of the session before it that worked, tool and arguments, where
            it is not on record.
        settings: Instead of those that are read.
    """

    session: str | None
    project: str | None
    before: str | None
    recent: Sequence[RecentCall] | None
    settings: Settings | None


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
    directory = wishes.get("project") or _current_directory()
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
    import json  # noqa: PLC0415 - an agent's hook hands over an object

    from oldhand.sessions.arguments import arguments_in  # noqa: PLC0415

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


def _current_directory() -> str | None:
    """Return the current directory; None where it was removed."""
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return None

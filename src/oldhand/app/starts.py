"""Start sessions: warm starts, and the templates that many sessions share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypedDict, Unpack

from oldhand import settings as _settings
from oldhand.clock import from_iso
from oldhand.errors import InvalidInput
from oldhand.experience.candidates import Budget
from oldhand.experience.mine import Mined, Wish
from oldhand.experience.pool import Scope
from oldhand.experience.template import Template, build_template_for, check_kind
from oldhand.experience.warm import (
    DEFAULT_TOKENS,
    WarmRequest,
    WarmStart,
    WarmTarget,
    warm_start,
)
from oldhand.sessions.belonging import principal_of, project_of
from oldhand.settings import Settings
from oldhand.store import Store

DEFAULT_TEMPLATE_TOKENS = 2_000


class ScopeWishes(TypedDict, total=False):
    """Which sessions may teach; all keys may be left out.

    Keys:
        project: A directory; by default the current one's project.
        all_projects: Sessions of any project.
        kind: `code`, `file`, `research` or `mixed`.
        source: Sessions of one agent.
        before: Sessions that began before, ISO 8601.
        sessions: Only those of these uids; the beginning of one will do.
        max_sessions: The newest so many.
        min_messages: Sessions of so many messages or more.
    """

    project: str | None
    all_projects: bool
    kind: str | None
    source: str | None
    before: str | None
    sessions: Sequence[str]
    max_sessions: int
    min_messages: int


class TemplateWishes(ScopeWishes, total=False):
    """What a template is for, and which sessions may teach.

    Keys:
        task: What it is to help with.
        description: For people.
        tags: For finding it.
        addendum: Shown before the examples.
        tokens: What its examples may take.
        max_examples: At most so many.
        settings: Instead of those that are read.
    """

    task: str
    description: str
    tags: Iterable[str]
    addendum: str
    tokens: int
    max_examples: int | None
    settings: Settings | None


def warm(  # noqa: PLR0913 - one keyword for each wish that a caller may have
    store: Store,
    *,
    template: str | None = None,
    task: str = "",
    target: WarmTarget = "text",
    tokens: int = DEFAULT_TOKENS,
    max_examples: int | None = None,
    tools: Iterable[str] | None = None,
    session: str | None = None,
    settings: Settings | None = None,
    **scope: Unpack[ScopeWishes],
) -> WarmStart:
    """Return the start for a new session: past calls that worked, marked as data.

    Args:
        store: Where the sessions are.
        template: A name or `name@version`; by default the examples are chosen anew.
        task: What the session is to do.
        target: `text`, or `openai` or `anthropic` for native turns.
        tokens: What it may take at most.
        max_examples: At most so many.
        tools: The tools that the session has.
        session: The uid of the session that it is for, for the log.
        settings: Instead of those that are read.
        **scope: Which sessions may teach; see `ScopeWishes`.

    Raises:
        NotFound: There is no such template.
        NothingToLearn: No session in scope holds a call that may be shown.
        InvalidInput: A wish is not one that can be met; the message names it.
    """
    known = settings or _settings.load()
    chosen = _scope(store, scope)
    request = WarmRequest(
        template=template,
        scope=chosen,
        task=task,
        principal=principal_of(_current_directory(), default=known.principal),
        project=chosen.project or project_of(_current_directory()),
        target=target,
        tokens=tokens,
        max_examples=max_examples,
        tools=None if tools is None else frozenset(tools),
        session=session,
    )
    return warm_start(store, request)


def build_template(
    store: Store, name: str | None = None, **wishes: Unpack[TemplateWishes]
) -> Template:
    """Choose examples from the sessions on record and keep them under a name.

    Args:
        store: Where the sessions are, and where the template goes.
        name: Letters, digits, `-` and `_`; one is made where there is none.
        **wishes: What it is for and which sessions may teach; see `TemplateWishes`.

    Returns:
        The stored template; where the newest version says the same, that one.

    Raises:
        InvalidInput: The name, a tag, a kind or a time is none.
        NothingToLearn: No session in scope holds a call that may be shown.
    """
    return build_template_with_report(store, name, **wishes)[0]


def build_template_with_report(  # noqa: PLR0913 - one keyword for each wish
    store: Store,
    name: str | None = None,
    *,
    task: str = "",
    description: str = "",
    tags: Iterable[str] = (),
    addendum: str = "",
    tokens: int = DEFAULT_TEMPLATE_TOKENS,
    max_examples: int | None = None,
    settings: Settings | None = None,
    **scope: Unpack[ScopeWishes],
) -> tuple[Template, Mined]:
    """Do what `build_template` does, and return with it what was mined."""
    known = settings or _settings.load()
    chosen = _scope(store, scope)
    wish = Wish(
        scope=chosen,
        task=task,
        principal=principal_of(_current_directory(), default=known.principal),
        project=chosen.project,
        budget=Budget(tokens=tokens, examples=max_examples),
    )
    return build_template_for(
        store,
        wish,
        name=name,
        description=description,
        tags=tags,
        addendum=addendum,
    )


def _scope(store: Store, wishes: ScopeWishes) -> Scope:
    """Turn what a caller said into a scope: by default this directory's project."""
    before = wishes.get("before")
    before_us = from_iso(before) if before else None
    if before and before_us is None:
        raise InvalidInput(f"{before!r} is no time; expected ISO 8601, as 2026-01-31")
    uids = _whole_uids(store, wishes.get("sessions") or ())
    project = None
    if not wishes.get("all_projects") and not uids:
        project = _project(wishes.get("project"))
    scope = Scope(
        project=project,
        kind=check_kind(wishes.get("kind")),
        source=wishes.get("source"),
        uids=uids,
        min_messages=wishes.get("min_messages", 0),
        max_sessions=wishes.get("max_sessions", Scope().max_sessions),
    )
    return scope if before_us is None else scope._replace(before_us=before_us)


def _whole_uids(store: Store, beginnings: Sequence[str]) -> tuple[str, ...]:
    if not beginnings:
        return ()
    from oldhand.sessions.read import find_session  # noqa: PLC0415 - few name sessions

    return tuple(find_session(store, beginning).uid for beginning in beginnings)


def _project(directory: str | None) -> str:
    """Return the project of a directory, by default of the current one."""
    place = directory or _current_directory()
    if place is None:
        raise InvalidInput(
            "the current directory is gone; name a project, or take all projects"
        )
    # Agents write down where they really are, so links are followed here too.
    path = str(Path(place).resolve())
    return project_of(path) or path


def _current_directory() -> str | None:
    """Return the current directory; None where it was removed."""
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return None

"""Start sessions: warm starts, and the templates that many sessions share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from oldhand import settings as _settings
from oldhand.clock import from_iso
from oldhand.errors import InvalidInput
from oldhand.experience.candidates import Budget
from oldhand.experience.kind import check_kind
from oldhand.experience.mine import Mined, Wish
from oldhand.experience.pool import Scope
from oldhand.experience.warm import (
    DEFAULT_TOKENS,
    WarmRequest,
    WarmStart,
    warm_start,
)
from oldhand.sessions.belonging import (
    current_directory,
    principal_of,
    project_at,
    project_of,
)
from oldhand.settings import Settings
from oldhand.store import Store

if TYPE_CHECKING:
    from oldhand.app.wishes import ScopeWishes, TemplateWishes, WarmWishes
    from oldhand.experience.guard.tool_definitions import ToolDefinition
    from oldhand.experience.template import Template

DEFAULT_TEMPLATE_TOKENS = 2_000


def warm(store: Store, **wishes: Unpack[WarmWishes]) -> WarmStart:
    """Return the start for a new session: past calls that worked, marked as data.

    Args:
        store: Where the sessions are.
        **wishes: What it is to be and which sessions may teach; see `WarmWishes`.

    Raises:
        NotFound: There is no such template.
        NothingToLearn: No session in scope holds a call that may be shown.
        InvalidInput: A wish is not one that can be met; the message names it.
    """
    return warm_start(store, warm_request(store, **wishes))


def warm_request(store: Store, **wishes: Unpack[WarmWishes]) -> WarmRequest:
    """Turn a caller's wishes into a request, for the current directory where none is named.

    Raises:
        NotFound: There is no session of a uid that was named.
        InvalidInput: A wish is not one that can be met; the message names it.
    """
    known = wishes.get("settings") or _settings.load()
    names, definitions = _tools(wishes.get("tools"))
    here = current_directory()
    me = principal_of(here, default=known.principal)
    chosen = _scope(store, wishes, me)
    template = wishes.get("template")
    return WarmRequest(
        template=template,
        scope=chosen,
        task=wishes.get("task", ""),
        # A session is that one's whose home it works in; a template that one's who made it.
        principal=me if template else _principal(chosen, me),
        project=chosen.project or project_of(here),
        target=wishes.get("target", "text"),
        tokens=wishes.get("tokens", DEFAULT_TOKENS),
        max_chars=wishes.get("max_chars"),
        max_examples=wishes.get("max_examples"),
        tools=names,
        session=wishes.get("session"),
        definitions=definitions,
        generalises=wishes.get("generalise", False),
    )


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
    tools: Iterable[str | Mapping[str, Any]] | None = None,
    generalise: bool = False,
    proposed: bool = False,
    settings: Settings | None = None,
    **scope: Unpack[ScopeWishes],
) -> tuple[Template, Mined]:
    """Do what `build_template` does, and return with it what was mined."""
    # 4 ms that no warm start needs.
    from oldhand.experience.template import build_template_for  # noqa: PLC0415

    known = settings or _settings.load()
    names, definitions = _tools(tools)
    me = principal_of(current_directory(), default=known.principal)
    chosen = _scope(store, scope, me)
    wish = Wish(
        scope=chosen._replace(tools=names),
        task=task,
        principal=_principal(chosen, me),
        project=chosen.project,
        budget=Budget(tokens=tokens, examples=max_examples),
        definitions=definitions,
        generalises=generalise,
    )
    return build_template_for(
        store,
        wish,
        name=name,
        description=description,
        tags=tags,
        addendum=addendum,
        proposed=proposed,
        maker=me,
    )


def scope_and_principal(
    store: Store, wishes: ScopeWishes, settings: Settings
) -> tuple[Scope, str]:
    """Return the scope that a caller wishes for, and who asks."""
    me = principal_of(current_directory(), default=settings.principal)
    return _scope(store, wishes, me), me


def _tools(
    tools: Iterable[str | Mapping[str, Any]] | None,
) -> tuple[frozenset[str] | None, dict[str, ToolDefinition] | None]:
    """Return the names of tools, and their definitions where these are given."""
    if tools is None:
        return None, None
    named = list(tools)
    names = frozenset(tool for tool in named if isinstance(tool, str))
    described = [tool for tool in named if not isinstance(tool, str)]
    if not described:
        return names, None
    # Half a millisecond that a start without definitions does not need.
    from oldhand.experience.guard.tool_definitions import tool_definitions  # noqa: PLC0415

    defined = tool_definitions(described)
    return names | defined.keys(), defined


def _principal(scope: Scope, me: str) -> str:
    """Return whose a session in a scope is: the owner of the project's home, if any."""
    return principal_of(scope.project, default=me)


def _scope(store: Store, wishes: ScopeWishes, me: str) -> Scope:
    """Turn what a caller said into a scope: by default this directory's project.

    Whoever names sessions has looked at them: then whose they are does not matter.
    """
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
    if not uids:
        scope = scope._replace(own=_principal(scope, me))
    return scope if before_us is None else scope._replace(before_us=before_us)


def _whole_uids(store: Store, beginnings: Sequence[str]) -> tuple[str, ...]:
    if not beginnings:
        return ()
    # 11 ms that only those pay who name sessions.
    from oldhand.sessions.read import find_session  # noqa: PLC0415

    return tuple(find_session(store, beginning).uid for beginning in beginnings)


def _project(directory: str | None) -> str:
    """Return the project of a directory, by default of the current one."""
    place = directory or current_directory()
    if place is None:
        raise InvalidInput(
            "the current directory is gone; name a project, or take all projects"
        )
    return project_at(place)

"""What is said of a session when its recording begins, checked and filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, get_args

from oldhand import settings
from oldhand.clock import Clock
from oldhand.errors import InvalidInput
from oldhand.ids import new_id
from oldhand.sessions.belonging import project_of
from oldhand.sessions.model import Relation, Session
from oldhand.sessions.storable_text import storable


class SessionFacts(TypedDict, total=False):
    """What may be said of a session when its recording begins; None is unknown."""

    uid: str | None
    """Unique over all sources; by default a new one."""
    source: str | None
    """Who records; by default `OLDHAND_SESSION_SOURCE`, else `cli`."""
    agent: str | None
    """The program and its version."""
    model: str | None
    """The model that answers, where the answers do not say."""
    model_config: Mapping[str, Any] | None
    """How it is set; any JSON object. It is stored as it is, so it holds no secret."""
    principal: str | None
    """Whose session it is; by default as the settings say."""
    project: str | None
    """By default the root of the git checkout that `cwd` lies in, else `cwd`."""
    cwd: str | None
    """The directory that the agent works in."""
    git_branch: str | None
    """The branch there."""
    parent: str | None
    """The uid of the session that this one comes from."""
    relation: Relation | None
    """How it comes from there: `fork`, `resume`, `subagent` or `compression`."""
    title: str | None
    """A title for people."""


def session_of(facts: SessionFacts, *, clock: Clock) -> Session:
    """Return the facts as a session without messages, with what is missing filled in.

    Raises:
        InvalidInput: A relation is not known or has no parent, or `model_config` is no
            JSON object.
        TypeError: A fact is not one of `SessionFacts`.
    """
    unknown = facts.keys() - SessionFacts.__annotations__.keys()
    if unknown:
        raise TypeError(f"Recorder takes no {', '.join(sorted(unknown))}")
    given: dict[str, Any] = {
        name: storable(value) if isinstance(value, str) else value
        for name, value in facts.items()
        if value is not None
    }
    config = given.pop("model_config", None)
    if not given.get("source") or "principal" not in given:
        loaded = settings.load()
        given["source"] = given.get("source") or loaded.session_source
        given.setdefault("principal", loaded.principal)
    given["uid"] = given.get("uid") or new_id(clock=clock)
    session = Session(**given, model_config=_config_text(config))
    _check_relation(session)
    session.project = session.project or project_of(session.cwd)
    return session


def _config_text(config: object) -> str | None:
    if config is None:
        return None
    if not isinstance(config, Mapping):
        raise InvalidInput(
            f"model_config is of type {type(config).__name__}; expected a JSON object"
        )
    import json  # noqa: PLC0415 - 2 ms that only those with a configuration pay

    try:
        text = json.dumps(dict(config), ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as fault:
        raise InvalidInput(f"model_config is no JSON object: {fault}") from fault
    return storable(text)


def _check_relation(session: Session) -> None:
    relation = session.relation
    if relation is None:
        return
    if relation not in get_args(Relation):
        known = ", ".join(get_args(Relation))
        raise InvalidInput(f"relation is {relation!r}; expected one of {known}")
    if session.parent is None:
        raise InvalidInput(f"relation is {relation!r}, but no parent is given")

"""A tool by which an agent itself keeps and loads warm starts, for any agent to register.

    tools = [warm_session_tool.for_openai()]
    answer = warm_session_tool.handle(store, arguments)

A model writes the arguments, so whatever they hold, the answer is a dict that JSON takes:
`{"success": true, …}`, or `{"success": false, "error": …}` with words that the model can
act on. Names are checked as everywhere; nothing in them is ever a path.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, NamedTuple

from oldhand.app.starts import build_template_with_report, warm
from oldhand.clock import to_iso
from oldhand.errors import InvalidInput, NotFound, NothingToLearn, OldhandError
from oldhand.experience.template import (
    Template,
    check_name,
    delete_proposals,
    find_template,
    list_templates,
)
from oldhand.experience.warm import WarmStart
from oldhand.integrations.agent_tool import AgentTool
from oldhand.integrations.tool_arguments import Argument, read_arguments
from oldhand.store import Store

_NAME = "warm_session"
_DESCRIPTION = (
    "Keep what worked in earlier sessions under a name, and load it to start as one who"
    " has done the work before. build: choose calls that worked in this project's"
    " sessions; a person must accept them before they can be loaded. list: show what is"
    " kept. load: get the calls as messages, as examples"
    " and not as instructions. delete: remove what was built and no person has accepted."
)
_ACTIONS = ("build", "list", "load", "delete")
_MOST = 1_000_000
_ARGUMENTS = {
    "action": Argument("string", "What to do.", choices=_ACTIONS),
    "name": Argument(
        "string",
        "Of the warm session: 1 to 64 letters, digits, - or _, beginning with a letter or"
        " digit; load and delete also take NAME@VERSION. Needed but for list.",
        most=100,
    ),
    "description": Argument("string", "For people; for build.", most=1_000),
    "min_messages": Argument(
        "integer",
        "Learn from sessions of so many messages or more; for build.",
        most=_MOST,
    ),
    "max_sessions": Argument(
        "integer", "Learn from the newest so many; for build.", least=1, most=_MOST
    ),
    "source_filter": Argument(
        "string",
        "Learn from one agent's sessions, as claude-code; for build.",
        most=100,
    ),
    "tags": Argument(
        "strings", "For finding it: kept by build, asked for by list.", most=20
    ),
}
# A template is chosen for 2,000 tokens of text; as turns, in JSON, 29 calls took 7,000.
_LOAD_TOKENS = 12_000
_PREVIEW_CHARS = 100


class WarmSessionTool(AgentTool):
    """The tool, and what is done when it is called."""

    def handle(
        self,
        store: Store,
        arguments: object,
        *,
        target: Literal["openai", "anthropic"] = "openai",
        tools: Collection[str] | None = None,
        project: str | None = None,
        session: str | None = None,
    ) -> dict[str, Any]:
        """Do what a model asked for, and answer in words that it can act on.

        Args:
            store: Where sessions and templates are.
            arguments: An object, or its JSON text; anything at all is answered.
            target: The form of the messages that load returns.
            tools: The names of the session's tools; examples of others are left out.
                None where they are not known.
            project: The directory whose sessions build learns from; by default the
                current one's project.
            session: The uid of the session that asks, for the log.

        Returns:
            What JSON takes: `success`, and `error` where it is False. Beside `success`,
            build gives `template`, `examples`, `sessions`, `coverage`, `state` and
            `note`, as what a model builds is a proposal until a person accepts it; list
            `templates`; load `template`, `tokens`, `left_out`, `preview` and `messages`;
            delete `deleted`.
        """
        host = _Host(store, target, tools, project, session)
        try:
            asked = read_arguments(arguments, _ARGUMENTS)
            return {"success": True} | _action(asked)(host, asked)
        except OldhandError as fault:
            return {"success": False, "error": _in_words(fault)}


warm_session_tool = WarmSessionTool(_NAME, _DESCRIPTION, _ARGUMENTS)


def _in_words(fault: OldhandError) -> str:
    """Say what went wrong to a model, which can type no command but call the tool again."""
    if isinstance(fault, NotFound):
        return f"{fault}; the action list shows what is kept"
    if isinstance(fault, NothingToLearn):
        return f"{fault}; go on without, nothing else is needed"
    return str(fault)


class _Host(NamedTuple):
    """What the agent that has the tool knows, and no model is asked."""

    store: Store
    target: Literal["openai", "anthropic"]
    tools: Collection[str] | None
    project: str | None
    session: str | None


_Asked = Mapping[str, Any]


def _action(asked: _Asked) -> Callable[[_Host, _Asked], dict[str, Any]]:
    if "action" not in asked:
        raise InvalidInput(f"action is missing; expected one of {', '.join(_ACTIONS)}")
    actions = {"build": _build, "list": _list, "load": _load, "delete": _delete}
    return actions[asked["action"]]


def _build(host: _Host, asked: _Asked) -> dict[str, Any]:
    wishes = {
        key: asked[key]
        for key in ("description", "min_messages", "max_sessions", "tags")
        if key in asked
    }
    built, mined = build_template_with_report(
        host.store,
        _name(asked),
        source=asked.get("source_filter"),
        project=host.project,
        proposed=True,
        **wishes,
    )
    return {
        "template": built.label,
        "examples": len(built.examples),
        "sessions": mined.sessions,
        "coverage": built.coverage,
        "state": built.state,
        "note": _next_step(built),
    }


def _next_step(built: Template) -> str:
    if built.state == "accepted":
        return "a person has accepted just this before; it can be loaded"
    return (
        "this is a proposal: a person must accept it before it can be loaded; tell them "
        f"to run `oldhand template accept {built.label}`"
    )


def _list(host: _Host, asked: _Asked) -> dict[str, Any]:
    wanted = set(asked.get("tags", ()))
    return {
        "templates": [
            {
                "template": f"{kept.name}@{kept.version}",
                "kind": kept.kind,
                "description": kept.description,
                "tags": list(kept.tags),
                "examples": kept.examples,
                "coverage": kept.coverage,
                "state": kept.state,
                "created_at": to_iso(kept.created_at_us),
            }
            for kept in list_templates(host.store)
            if wanted <= set(kept.tags)
        ]
    }


def _load(host: _Host, asked: _Asked) -> dict[str, Any]:
    name = _name(asked)
    start = warm(
        host.store,
        template=name,
        target=host.target,
        tokens=_LOAD_TOKENS,
        tools=host.tools,
        project=host.project,
        session=host.session,
    )
    kept = find_template(host.store, start.template or name)
    return {
        "template": start.template,
        "tokens": start.tokens,
        "left_out": len(kept.examples) - len(start.examples),
        "preview": _preview(start),
        "messages": start.messages,
    }


def _delete(host: _Host, asked: _Asked) -> dict[str, Any]:
    return {"deleted": delete_proposals(host.store, _name(asked))}


def _name(asked: _Asked) -> str:
    name = asked.get("name")
    if not isinstance(name, str) or not name:
        raise InvalidInput(f"name is missing; {asked['action']} needs one")
    check_name(name if asked["action"] == "build" else name.partition("@")[0])
    return name


def _preview(start: WarmStart) -> list[str]:
    """Return a line for each example: its call without its particulars, and how it went."""
    return [
        f"{example.shape[:_PREVIEW_CHARS]} -> {example.outcome}"
        for example in start.examples
    ]

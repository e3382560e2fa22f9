"""Hold a call of Claude Code's for a person, before it runs: the hook PreToolUse.

The one hook that may break the agent. Whatever goes wrong, the call is denied with a reason
that says what to do. Claude Code itself lets a call pass when its hook is killed at the
timeout or cannot be started (anthropics/claude-code issues 84302 and 84656), so all waiting
ends well before that timeout, and the installed command ends in `|| exit 2`, which blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oldhand.canonical_json import canonical_json
from oldhand.errors import ConfirmationDenied, InvalidInput, OldhandError, TooMany
from oldhand.integrations.claude_code.events import id_or_none
from oldhand.integrations.claude_code.gate_answers import (
    GATE_EVENT,
    denial,
    gate_answer,
)
from oldhand.integrations.claude_code.used_approvals import UsedApproval, keep
from oldhand.integrations.gate.access import client_of
from oldhand.integrations.gate.client import ConfirmationClient
from oldhand.integrations.gate.guarded import use_when_approved
from oldhand.integrations.hook_process import say
from oldhand.named_tuple import NamedTuple
from oldhand.settings import Settings

WAIT_SECONDS = 540
"""How long a person has."""
PATIENCE_SECONDS = 5.0
_MAX_TOOL_CHARS = 200
_MAX_SESSION_CHARS = 200
_MAX_DESCRIPTION_CHARS = 10_000
_DIRECTORY_KEYS = ("cwd", "session_cwd")


class Call(NamedTuple):
    """A call that Claude Code is about to make.

    Attributes:
        tool: Its name: the action.
        arguments: As Claude Code would run it.
        session: Its session's id, or "".
        cwd: The directory that the session works in.
        call_id: By which the hook after the call names it; None where it cannot.
    """

    tool: str
    arguments: Mapping[str, Any]
    session: str
    cwd: str
    call_id: str | None = None


class Shown(NamedTuple):
    """What a person is shown of a call.

    Attributes:
        details: All that would run: the arguments, and the directory beside them.
        description: What the model wrote about it, which runs nowhere.
        directory_key: Under which the directory stands in the details.
    """

    details: dict[str, Any]
    description: str
    directory_key: str


def hold_call(data: bytes, settings: Settings) -> str:
    """Answer a PreToolUse event when it is known whether the call may run.

    Raises:
        OldhandError: It cannot be found out; `denial` says so to Claude Code.
    """
    call = read_call(data)
    client = client_of(settings, patience_seconds=PATIENCE_SECONDS)
    try:
        return _allowed_answer(call, client, settings)
    except ConfirmationDenied as fault:
        return denial(fault.message_for_model)
    except TooMany as full:
        return denial(
            f"oldhand: {full}; it goes on in {full.retry_after_seconds} seconds. Do not try "
            "another way; tell the user that `oldhand serve --rate-limit` sets how often "
            "they are asked, and that what a rule or a standing grant allows is not asked."
        )


def read_call(data: bytes) -> Call:
    """Read an event strictly: what is not understood is not let through.

    Raises:
        InvalidInput: It is no event of a call, or says something twice.
    """
    from oldhand.confirm.requests.facts import BadField, check_details, read_json  # noqa: PLC0415

    try:
        value = read_json(data)
    except BadField as fault:
        raise InvalidInput(f"the event cannot be read: {fault}") from fault
    if (
        not isinstance(value, dict)
        or value.get("hook_event_name", GATE_EVENT) != GATE_EVENT
    ):
        raise InvalidInput("stdin holds no PreToolUse event")
    tool, session, cwd = (value.get(key) for key in ("tool_name", "session_id", "cwd"))
    if not isinstance(tool, str) or not 0 < len(tool) <= _MAX_TOOL_CHARS:
        raise InvalidInput("the event names no tool")
    is_named = isinstance(session, str) and len(session) <= _MAX_SESSION_CHARS
    if not is_named or not isinstance(cwd, str):
        raise InvalidInput("the event names no session and directory")
    try:
        arguments = check_details(value.get("tool_input"))
    except BadField as fault:
        raise InvalidInput(f"the event's tool_input: {fault}") from fault
    call_id = value.get("tool_use_id")
    call_id = id_or_none(call_id) if isinstance(call_id, str) else None
    return Call(tool, arguments, str(session), cwd, call_id)


def show_call(call: Call) -> Shown:
    """Take the model's words out of a call, and put the directory in.

    Bash's `description` is what the model says about the command. It runs nowhere, is
    another each time, and so would keep equal commands from being known as equal.
    """
    details = dict(call.arguments)
    description = ""
    if call.tool == "Bash" and isinstance(details.get("description"), str):
        description = details.pop("description")
    key = next((key for key in _DIRECTORY_KEYS if key not in details), None)
    if key is None:
        raise InvalidInput(f"the arguments hold {' and '.join(_DIRECTORY_KEYS)}")
    details[key] = call.cwd
    return Shown(details, description[:_MAX_DESCRIPTION_CHARS], key)


def arguments_of(
    call: Call, shown: Shown, approved: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments that were approved, as Claude Code is to run them.

    Raises:
        InvalidInput: The directory was edited, which Claude Code cannot be told.
    """
    arguments = dict(approved)
    if arguments.pop(shown.directory_key, None) != call.cwd:
        raise InvalidInput(
            "a person changed the directory, and Claude Code cannot run it elsewhere"
        )
    if shown.description:
        arguments.setdefault("description", call.arguments["description"])
    return arguments


def _allowed_answer(call: Call, client: ConfirmationClient, settings: Settings) -> str:
    shown = show_call(call)
    held = client.submit(
        call.tool, shown.details, description=shown.description,
        session_key=settings.session_key or call.session, timeout_seconds=WAIT_SECONDS,
    )  # fmt: skip
    try:
        approved = use_when_approved(
            client, held, action=call.tool, timeout_seconds=WAIT_SECONDS
        )
    except OldhandError as fault:
        if isinstance(fault, ConfirmationDenied) and fault.state in {
            "pending",
            "expired",
        }:
            raise _unanswered(fault, held.url) from fault
        raise
    arguments = arguments_of(call, shown, approved)
    _keep_for_result(call, held.id, settings)
    is_edited = canonical_json(arguments) != canonical_json(call.arguments)
    by_whom = "a person" if held.is_pending else "a rule or a standing grant"
    said = f"oldhand: allowed by {by_whom}, as request {held.id}"
    return gate_answer("allow", said, arguments if is_edited else None)


def _keep_for_result(call: Call, request_id: str, settings: Settings) -> None:
    """Let the hook after the call know what it used; without it the result is unknown."""
    if call.call_id is None:
        return
    try:
        keep(
            settings.home,
            call.call_id,
            UsedApproval(request_id, settings.confirm_url),
        )
    except OSError as fault:
        say(f"{settings.home}: {fault.strerror}: what comes of a call is not reported")


def _unanswered(fault: ConfirmationDenied, url: str) -> ConfirmationDenied:
    said = f"{fault.message_for_model} It was asked at {url}."
    return ConfirmationDenied(
        said, request_id=fault.request_id, state=fault.state, message_for_model=said
    )

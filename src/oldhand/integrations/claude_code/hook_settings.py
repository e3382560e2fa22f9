"""Our hooks in the text of a settings.json, beside everybody else's.

Claude Code passes over a settings file as a whole where one hook in it is of a wrong shape,
so a file that it would not read is refused here, and no hook is written that an old version
does not know.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from oldhand.errors import InvalidInput
from oldhand.integrations import json_text
from oldhand.integrations.claude_code.gate_answers import GATE_EVENT, HOOK_SECONDS
from oldhand.integrations.hook_process import URL_FLAG

AGENT = "claude-code"
PROGRAM = "oldhand"
RESULT_EVENT = "PostToolUse"
"""After a call that worked; what fails is told by the hook that gives a hint."""
_SECONDS = 10
# Only fresh sessions are given a warm start, and no other needs to wait for a process.
_MATCHERS = {"SessionStart": "startup|clear", "PostToolUseFailure": "*"}


class Gate(NamedTuple):
    """Which calls are held before they run, and what is told of them after.

    Attributes:
        matcher: Of their tools, as Claude Code reads it.
        url: Of the daemon that is asked, whatever the environment says; "": as it says.
        has_results: A hook after each call tells the daemon that it worked.
    """

    matcher: str
    url: str = ""
    has_results: bool = True


class Found(NamedTuple):
    """One of our hooks: where it stands, and what it says."""

    event: str
    group: int
    number: int
    entry: Mapping[str, Any]


def wanted_hooks(
    program: str, events: tuple[str, ...], *, gate: Gate | None = None
) -> dict[str, dict[str, Any]]:
    """Return what is to stand under each event.

    Args:
        program: The beginning of the command line, quoted for a shell.
        events: Their names.
        gate: Which calls are to be held; None: none.
    """
    wanted = {
        event: _group(_MATCHERS.get(event), f"{program} hook {AGENT} {event}")
        for event in events
    }
    if gate is not None:
        command = f"{program} hook {AGENT} {GATE_EVENT}"
        if gate.url:
            command += f" {URL_FLAG} {shlex.quote(gate.url)}"
        # What cannot be started, or ends by a signal, must not let a call pass.
        command += " || exit 2"
        wanted[GATE_EVENT] = _group(gate.matcher, command, seconds=HOOK_SECONDS)
        if gate.has_results:
            command = f"{program} hook {AGENT} {RESULT_EVENT}"
            wanted[RESULT_EVENT] = _group(gate.matcher, command)
    return wanted


def standing_gate(text: str) -> Gate | None:
    """Return the gate that stands in a settings text; None without one."""
    settings = _read(text)
    events = our_events(text)
    for found in _ours(settings):
        if found.event == GATE_EVENT:
            group = settings["hooks"][found.event][found.group]
            matcher = str(group.get("matcher") or "*")
            url = _url_in(str(found.entry["command"]))
            return Gate(matcher, url, has_results=RESULT_EVENT in events)
    return None


def _url_in(command: str) -> str:
    words = shlex.split(command)
    return next((b for a, b in pairwise(words) if a == URL_FLAG), "")


def with_hooks(text: str, wanted: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a settings text with our hooks, and with no others of ours.

    Raises:
        InvalidInput: The text is none of settings; the message names the place.
    """
    settings = _read(text)
    standing: dict[str, list[Any]] = {}
    for found in _ours(settings):
        group = settings["hooks"][found.event][found.group]
        standing.setdefault(found.event, []).append(group)
    if standing == {event: [group] for event, group in wanted.items()}:
        return text
    text = without_hooks(text)
    for event, group in wanted.items():
        text = _with_group(text, event, dict(group))
    return text


def without_hooks(text: str, *, kept: Collection[tuple[str, ...]] = ()) -> str:
    """Return a settings text without our hooks, and without what holds nothing else.

    Args:
        text: Of the settings.
        kept: What stays though it is empty; see `holders_in`.

    Raises:
        InvalidInput: The text is none of settings; the message names the place.
    """
    while found := next(_ours(_read(text)), None):
        text = _without(text, found, kept)
    return text


def holders_in(text: str) -> set[tuple[str, ...]]:
    """Return what a settings text has to hold hooks in, as paths from its top."""
    try:
        settings = _read(text)
    except InvalidInput:
        return set()
    if "hooks" not in settings:
        return set()
    return {("hooks",), *(("hooks", event) for event in settings["hooks"])}


def our_events(text: str) -> list[str]:
    """Return the events under which hooks of ours stand."""
    return list(dict.fromkeys(found.event for found in _ours(_read(text))))


def is_ours(entry: Mapping[str, Any]) -> bool:
    """Say whether a hook calls oldhand, this one or one that was installed elsewhere.

    Example:
        >>> is_ours({"command": "/opt/old hand/bin/python -P -m oldhand hook claude-code X"})
        True
        >>> is_ours({"command": "/opt/oldhand/notify.sh hook claude-code"})
        False
    """
    command = entry.get("command")
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return False
    if words[:1] == [PROGRAM] or Path(words[0] if words else "").name == PROGRAM:
        rest = words[1:]
    elif PROGRAM in words and words[words.index(PROGRAM) - 1] == "-m":
        rest = words[words.index(PROGRAM) + 1 :]
    else:
        return False
    return ("hook", AGENT) in pairwise(rest)


def _group(
    matcher: str | None, command: str, *, seconds: int = _SECONDS
) -> dict[str, Any]:
    hook = {"type": "command", "command": command, "timeout": seconds}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}


def _read(text: str) -> dict[str, Any]:
    """Read settings, and refuse what Claude Code would pass over as a whole."""
    settings = json_text.parse(text)
    if not isinstance(settings, dict):
        raise InvalidInput(f"holds {_kind(settings)}, expected an object")
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise InvalidInput(f"hooks holds {_kind(hooks)}, expected an object")
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise InvalidInput(
                f"hooks.{event} holds {_kind(groups)}, expected an array"
            )
        for number, group in enumerate(groups):
            _check_group(f"hooks.{event}[{number}]", group)
    return settings


def _check_group(place: str, group: object) -> None:
    if not isinstance(group, dict):
        raise InvalidInput(f"{place} holds {_kind(group)}, expected an object")
    entries = group.get("hooks")
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise InvalidInput(f"{place}.hooks is not an array of objects")


def _kind(value: object) -> str:
    names = {
        dict: "an object",
        list: "an array",
        str: "a string",
        bool: "true or false",
    }
    return names.get(type(value), "null" if value is None else "a number")


def _ours(settings: Mapping[str, Any]) -> Iterator[Found]:
    for event, groups in settings.get("hooks", {}).items():
        for number, group in enumerate(groups):
            for place, entry in enumerate(group["hooks"]):
                if is_ours(entry):
                    yield Found(event, number, place, entry)


def _with_group(text: str, event: str, group: dict[str, Any]) -> str:
    hooks = json_text.find(text, ["hooks"])
    if hooks is None:
        top = json_text.find(text, [])
        return json_text.append(text, top or 0, {event: [group]}, key="hooks")
    groups = json_text.find(text, ["hooks", event])
    if groups is None:
        return json_text.append(text, hooks, [group], key=event)
    return json_text.append(text, groups, group)


def _without(text: str, found: Found, kept: Collection[tuple[str, ...]]) -> str:
    """Cut one hook out, and with it what would hold nothing any more."""
    path: list[str | int] = ["hooks", found.event, found.group, "hooks", found.number]
    while path:
        *holder, last = path
        at = json_text.find(text, holder)
        if at is None:
            break
        held = json_text.parts(text, at)
        names = [part.key for part in held]
        if len(held) > 1 or not holder or tuple(holder) in kept:
            number = last if isinstance(last, int) else names.index(last)
            return json_text.cut(text, at, number)
        # A group is its hooks: without them its matcher holds nothing.
        path = holder[:-1] if holder[-1] == "hooks" and len(holder) > 1 else holder
    return text

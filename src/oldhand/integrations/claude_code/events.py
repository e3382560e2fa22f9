"""What Claude Code's hooks are told: events on stdin, read by shape.

An event is JSON that another program wrote, and may be of any version: unknown keys are
passed over, a key of a wrong type counts as missing, and a name that could pose as a path
is none. What the versions send:

- `SessionStart`: `source`, one of startup, resume, clear, compact and (since 2.1.214) fork.
- `PostToolUseFailure`: `tool_name`, `tool_input`, `error`, `is_interrupt`. Only for a call
  that was started: one with wrong arguments or without permission sends no event.
- `tool_use_id` comes with every event about a call, and names it.
- `PostToolUse`: `tool_response` in place of `error`, and after calls that worked. No
  version is known to send it for a failed one; where its response says that it failed, by
  any of the flags that hooks' authors were told of, it is read as a failure all the same.
- `SessionEnd`: `reason`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from oldhand.errors import InvalidInput
from oldhand.named_tuple import NamedTuple
from oldhand.sessions.claude_code_names import session_uid

_FRESH_SOURCES = ("startup", "clear")
_MAX_ID_CHARS = 128
_MAX_TOOL_CHARS = 256
_MAX_ERROR_CHARS = 20_000
_FLAGS_OF_FAILURE = ("is_error", "isError", "error")
_FLAGS_OF_SUCCESS = ("success", "ok")
_EXIT_CODES = ("exit_code", "exitCode", "returnCode", "code")
_TEXTS = ("error", "stderr", "stdout", "message", "content", "text", "output")
_ERROR_STARTS = ("Error:", "<tool_use_error>", "Exit code ")


class Place(NamedTuple):
    """What every event says.

    Attributes:
        session: The uid under which an import will know the session; None where unknown.
        transcript: The session's file, as named: nobody has looked at it yet.
        cwd: The directory that the session works in, absolute.
    """

    session: str | None
    transcript: Path | None
    cwd: str | None


class SessionStarted(NamedTuple):
    """A session begins or goes on; `source` says which."""

    place: Place
    source: str

    @property
    def is_fresh(self) -> bool:
        """Whether it begins with nothing: on startup, and after /clear.

        A resumed or a forked session has its own history, and in it the text that it was
        given when it began. After a compaction that text is gone, but not what the session
        has learnt, which its summary keeps; what is known of the benefit is known of a
        session's first ten calls, and a second dose would cost its tokens in every later
        turn and blur what an experiment counts as one.
        """
        return self.source in _FRESH_SOURCES


class CallFailed(NamedTuple):
    """A call of a tool went wrong; `call_id` is Claude Code's, None where it names none."""

    place: Place
    tool: str
    arguments: Mapping[str, Any]
    error: str
    call_id: str | None = None


class CallEnded(NamedTuple):
    """A call of a tool worked, or the user stopped it; there is nothing to tell of it."""

    call_id: str | None
    is_success: bool


class SessionEnded(NamedTuple):
    """A session is over, for a reason in Claude Code's own words."""

    place: Place
    reason: str


Event = SessionStarted | CallFailed | CallEnded | SessionEnded


def read_event(name: str, data: bytes) -> Event:
    """Read an event.

    Args:
        name: Of the event, as the hook was installed for it.
        data: What came on stdin.

    Raises:
        InvalidInput: It is no such event; the message says why, and holds nothing of it.
    """
    if name not in _READERS:
        raise InvalidInput(
            f"no event is called {name!r}; expected {', '.join(_READERS)} or PreToolUse"
        )
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as fault:
        raise InvalidInput("stdin holds no JSON; expected an event") from fault
    if not isinstance(value, dict):
        raise InvalidInput("stdin holds no event; expected an object")
    named = _text(value, "hook_event_name")
    if named is not None and named != name:
        raise InvalidInput(f"stdin holds another event than {name}")
    return _READERS[name](value)


def _place_of(value: Mapping[str, Any]) -> Place:
    path = _text(value, "transcript_path")
    transcript = Path(path) if path is not None and _is_absolute(path) else None
    cwd = _text(value, "cwd")
    return Place(
        session=session_uid(
            None if transcript is None else id_or_none(transcript.stem),
            id_or_none(_text(value, "session_id")),
        ),
        transcript=transcript,
        cwd=cwd if cwd is not None and _is_absolute(cwd) else None,
    )


def _started(value: Mapping[str, Any]) -> Event:
    return SessionStarted(_place_of(value), _text(value, "source") or "startup")


def _ended(value: Mapping[str, Any]) -> Event:
    return SessionEnded(_place_of(value), _text(value, "reason") or "other")


def _failed(value: Mapping[str, Any]) -> Event:
    if value.get("is_interrupt") is True:
        return CallEnded(_call_id(value), is_success=False)
    error = _text(value, "error") or _text(value, "error_message")
    return _failed_call(value, error or "")


def _used(value: Mapping[str, Any]) -> Event:
    response = value.get("tool_response", value.get("tool_result"))
    error = _error_in(response)
    if error is None and _says_failure(value):
        error = _words_of(response)
    if error is None:
        return CallEnded(_call_id(value), is_success=True)
    return _failed_call(value, error)


_READERS = {
    "SessionStart": _started,
    "PostToolUseFailure": _failed,
    "PostToolUse": _used,
    "SessionEnd": _ended,
}


def _failed_call(value: Mapping[str, Any], error: str) -> CallFailed:
    tool = _text(value, "tool_name")
    arguments = value.get("tool_input")
    if tool is None or len(tool) > _MAX_TOOL_CHARS:
        _refuse("tool_name", "a tool's name")
    if not isinstance(arguments, dict):
        _refuse("tool_input", "an object")
    return CallFailed(
        _place_of(value), tool, arguments, error[:_MAX_ERROR_CHARS], _call_id(value)
    )


def _call_id(value: Mapping[str, Any]) -> str | None:
    return id_or_none(_text(value, "tool_use_id"))


def _refuse(key: str, expected: str) -> NoReturn:
    raise InvalidInput(f"{key} is not {expected}")


def _error_in(response: object) -> str | None:
    """Return what a tool's response says went wrong; None where it says nothing of it."""
    if isinstance(response, str):
        return response if response.startswith(_ERROR_STARTS) else None
    if isinstance(response, dict) and _says_failure(response):
        return _words_of(response)
    return None


def _says_failure(value: Mapping[str, Any]) -> bool:
    failed = (value.get(key) for key in _FLAGS_OF_FAILURE)
    worked = (value.get(key) for key in _FLAGS_OF_SUCCESS)
    codes = (value.get(key) for key in _EXIT_CODES)
    return (
        any(flag is True or (isinstance(flag, str) and flag) for flag in failed)
        or any(flag is False for flag in worked)
        or any(type(code) is int and code != 0 for code in codes)
    )


def _words_of(response: object) -> str:
    """Return the texts of a response, one a line, however deep it wraps them."""
    if isinstance(response, str):
        return response
    if isinstance(response, list):
        return "\n".join(filter(None, map(_words_of, response)))
    if isinstance(response, dict):
        found = (response.get(key) for key in _TEXTS)
        return "\n".join(filter(None, map(_words_of, found)))
    return ""


def _text(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    if not isinstance(found, str) or not found:
        return None
    return found.encode("utf-8", "replace").decode()  # no halves of surrogate pairs


def id_or_none(text: str | None) -> str | None:
    """Return the id of a session or a call; None for what could pose as a path."""
    if text is None or len(text) > _MAX_ID_CHARS:
        return None
    is_plain = text.isascii() and text.replace("-", "").replace("_", "").isalnum()
    return text if is_plain else None


def _is_absolute(path: str) -> bool:
    return path.startswith("/") and "\0" not in path

"""Messages in the shape of OpenAI's chat completions, as messages of ours.

Also the shapes that came before and around it: `function_call` with results of role
`function`, calls without `function` around their name, arguments as an object, one result
for several calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import orjson

from oldhand.sessions.importers.call_pairs import CallPairs
from oldhand.sessions.importers.loose_values import (
    flag_of,
    integer_of,
    object_in,
    text_in,
    time_us_of,
)
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.importers.text_parts import json_text, text_of
from oldhand.sessions.model import Evidence, Message, Role

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
_FAILED = frozenset(("error", "failed", "failure"))
_SUCCEEDED = frozenset(("ok", "success", "succeeded", "completed"))
_REFUSED = frozenset(("denied", "declined", "rejected", "refused", "blocked"))
_CANCELLED = frozenset(("cancelled", "canceled", "aborted", "interrupted"))


@dataclass(slots=True)
class Conversation:
    """Collects the messages of one conversation.

    An entry's own id is not used: such ids are seldom unique beyond their file, and the
    place in the conversation names an entry as well.

    Attributes:
        tally: Counts what was passed over.
        model: Who answers, where an answer does not say.
        messages: In order.
    """

    tally: Tally
    model: str | None = None
    messages: list[Message] = field(default_factory=list)
    _pairs: CallPairs = field(init=False)
    _number: int = 0

    def __post_init__(self) -> None:
        """Pair the calls of this conversation alone."""
        self._pairs = CallPairs(self.tally)

    def add(self, entry: dict[str, Any]) -> None:
        """Take the next entry; one of an unknown role is counted and left out."""
        self._number += 1
        role = ROLES.get(text_in(entry, "role") or "")
        if role is None:
            self.tally.report_unknown(f"role {text_in(entry, 'role')}")
        elif role == "tool":
            self._add_results(entry)
        else:
            self._add_turn(entry, role)

    def _add_turn(self, entry: dict[str, Any], role: Role) -> None:
        content = text_of(entry.get("content")) or text_in(entry, "refusal") or ""
        message = self._message(entry, role, content)
        if role == "assistant":
            message.model = text_in(entry, "model") or self.model
            for made, call in enumerate(_calls_of(entry), 1):
                function = (
                    object_in(call, "function") or object_in(call, "custom") or call
                )
                pair = self._pairs.begin(
                    text_in(call, "id", "call_id"),
                    tool=text_in(function, "name") or "unknown",
                    arguments=_arguments_of(function),
                    fallback=f"#{self._number}.{made}",
                )
                message.calls.append(pair)
        self.messages.append(message)

    def _add_results(self, entry: dict[str, Any]) -> None:
        for index, named in enumerate(_answered_ids(entry)):
            call_id = self._pairs.finish(named, tool=text_in(entry, "name"))
            if call_id is None:
                continue
            message = self._message(entry, "tool", text_of(entry.get("content")))
            message.native_id = f"#{self._number}" + (f"/{index}" if index else "")
            message.call_id = call_id
            message.evidence = _evidence_of(entry)
            self.messages.append(message)

    def _message(self, entry: dict[str, Any], role: Role, content: str) -> Message:
        at_us = time_us_of(entry.get("timestamp", entry.get("created_at")))
        native_id = f"#{self._number}"
        return Message(role=role, content=content, at_us=at_us, native_id=native_id)


def _calls_of(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the calls that an answer makes, whichever way they are written."""
    calls = entry.get("tool_calls")
    if isinstance(calls, str):
        calls = _parsed(calls)
    if not isinstance(calls, list):
        legacy = object_in(entry, "function_call")
        calls = [legacy] if legacy else []
    return [call for call in calls if isinstance(call, dict)]


def _parsed(text: str) -> object:
    try:
        value: object = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value


def _arguments_of(function: dict[str, Any]) -> str:
    """Return the arguments as they were written; `{}` where there are none."""
    value = function.get("arguments", function.get("input"))
    return "{}" if value is None else json_text(value)


def _answered_ids(entry: dict[str, Any]) -> list[str | None]:
    """Return the ids of the calls that a result answers; one None where it names none."""
    named = text_in(entry, "tool_call_id", "call_id")
    several = entry.get("tool_call_ids")
    if named is None and isinstance(several, list):
        ids: list[str | None] = [i for i in several if isinstance(i, str) and i]
        return ids or [None]
    return [named]


def _evidence_of(entry: dict[str, Any]) -> Evidence:
    status = (text_in(entry, "status") or "").lower()
    is_error = flag_of(entry.get("is_error"))
    if is_error is None and status in _FAILED | _SUCCEEDED:
        is_error = status in _FAILED
    return Evidence(
        is_error=is_error,
        exit_code=integer_of(entry.get("exit_code")),
        refused=status in _REFUSED,
        cancelled=status in _CANCELLED,
    )

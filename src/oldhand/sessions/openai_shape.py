"""One message in the shape of OpenAI's chat completions, read part by part.

Also the shapes that came before and around it: `function_call` with results of role
`function`, calls without `function` around their name, arguments as an object, one result
for several calls, tokens counted as Anthropic or the Responses API counts them. Which
result answers which call is for the reader of a whole conversation to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from oldhand.sessions.loose_values import (
    flag_of,
    integer_of,
    object_in,
    text_in,
    time_us_of,
)
from oldhand.sessions.model import NO_EVIDENCE, Evidence, Message, Role, Usage
from oldhand.sessions.status_words import CANCELLED, FAILED, REFUSED, SUCCEEDED
from oldhand.sessions.text_parts import json_text, text_of

ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
_EVIDENCE = frozenset(("status", "is_error", "exit_code"))
_MAX_DOLLARS = 1e9  # what is above is no price
_DETAILS = ("prompt_tokens_details", "input_tokens_details")


class CallEntry(NamedTuple):
    """A call as an answer writes it; `named` is None where it was given no id."""

    named: str | None
    tool: str
    arguments: str


def role_of(entry: dict[str, Any]) -> Role | None:
    """Return who speaks; None where the role is not one that is known."""
    return ROLES.get(text_in(entry, "role") or "")


def message_of(entry: dict[str, Any], role: Role) -> Message:
    """Read an entry without its calls, and without the call that it answers."""
    content = text_of(entry.get("content")) or text_in(entry, "refusal") or ""
    message = Message(role=role, content=content)
    at = entry.get("timestamp", entry.get("created_at"))
    if at is not None:
        message.at_us = time_us_of(at)
    if "usage" in entry:
        message.usage = usage_of(entry["usage"])
    if "cost_usd" in entry:
        message.cost_usd = _dollars_of(entry["cost_usd"])
    if role == "assistant":
        message.model = text_in(entry, "model")
    elif role == "tool":
        message.evidence = _evidence_of(entry)
    return message


def calls_of(entry: dict[str, Any]) -> list[CallEntry]:
    """Return the calls that an answer makes, whichever way they are written."""
    calls = entry.get("tool_calls")
    if isinstance(calls, str):
        calls = _parsed(calls)
    if not isinstance(calls, list):
        legacy = object_in(entry, "function_call")
        calls = [legacy] if legacy else []
    return [_call_of(call) for call in calls if isinstance(call, dict)]


def answered_ids(entry: dict[str, Any]) -> list[str | None]:
    """Return the ids of the calls that a result answers; one None where it names none."""
    named = text_in(entry, "tool_call_id", "call_id")
    several = entry.get("tool_call_ids")
    if named is None and isinstance(several, list):
        ids: list[str | None] = [i for i in several if isinstance(i, str) and i]
        return ids or [None]
    return [named]


def usage_of(value: object) -> Usage | None:
    """Read the tokens of an answer; None where nothing is known of them.

    OpenAI counts what was read from a cache as input, Anthropic and oldhand do not.

    Example:
        >>> usage_of(
        ...     {
        ...         "prompt_tokens": 100,
        ...         "completion_tokens": 7,
        ...         "prompt_tokens_details": {"cached_tokens": 64},
        ...     }
        ... )
        Usage(input_tokens=36, output_tokens=7, cache_read_tokens=64, cache_write_tokens=None)
    """
    if isinstance(value, Usage):
        return value
    if not isinstance(value, dict):
        return None
    details = next((object_in(value, key) for key in _DETAILS if key in value), {})
    cached = _count(details, "cached_tokens")
    total = _count(value, "prompt_tokens", "input_tokens")
    usage = Usage(
        total if total is None or cached is None else max(0, total - cached),
        _count(value, "completion_tokens", "output_tokens"),
        _count(value, "cache_read_input_tokens", "cache_read_tokens")
        if cached is None
        else cached,
        _count(value, "cache_creation_input_tokens", "cache_write_tokens"),
    )
    return None if usage == Usage() else usage


def _call_of(call: dict[str, Any]) -> CallEntry:
    function = object_in(call, "function") or object_in(call, "custom") or call
    return CallEntry(
        text_in(call, "id", "call_id"),
        text_in(function, "name") or "unknown",
        _arguments_of(function),
    )


def _parsed(text: str) -> object:
    import orjson  # noqa: PLC0415 - 3 ms, and calls are hardly ever one text

    try:
        value: object = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value


def _arguments_of(function: dict[str, Any]) -> str:
    """Return the arguments as they were written; `{}` where there are none."""
    value = function.get("arguments", function.get("input"))
    return "{}" if value is None else json_text(value)


def _evidence_of(entry: dict[str, Any]) -> Evidence:
    if _EVIDENCE.isdisjoint(entry):
        return NO_EVIDENCE
    status = (text_in(entry, "status") or "").lower()
    is_error = flag_of(entry.get("is_error"))
    if is_error is None and (status in FAILED or status in SUCCEEDED):
        is_error = status in FAILED
    return Evidence(
        is_error=is_error,
        exit_code=integer_of(entry.get("exit_code")),
        refused=status in REFUSED,
        cancelled=status in CANCELLED,
    )


def _count(record: dict[str, Any], *keys: str) -> int | None:
    """Return the first of the named values that is a number of tokens."""
    counts = (integer_of(record.get(key)) for key in keys)
    return next((count for count in counts if count is not None and count >= 0), None)


def _dollars_of(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0 <= value < _MAX_DOLLARS else None

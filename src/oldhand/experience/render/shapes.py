"""Calls and results in the two forms that they have: OpenAI's, and Anthropic's blocks.

OpenAI keeps calls beside the content and each result in a message of its own; Anthropic
keeps both as blocks of the content. Everything here takes plain JSON values.
"""

from __future__ import annotations

from typing import Any

from oldhand.canonical_json import canonical_json
from oldhand.experience.render.rules import Message, Rules, parsed_arguments

_BLOCKS = ("tool_use", "tool_result")


def parts_of(message: Message) -> list[Any]:
    """Return the parts of a content; none where it is a text, or no content."""
    content = message.get("content")
    return content if isinstance(content, list) else []


def type_of(part: object) -> object:
    """Return a part's type; None where it has none."""
    return part.get("type") if isinstance(part, dict) else None


def calls_of(message: Message, rules: Rules) -> list[dict[str, Any]]:
    """Return an assistant's calls in the form of the target, as they stand in it."""
    if message.get("role") != "assistant":
        return []
    if rules.blocks:
        return [part for part in parts_of(message) if type_of(part) == "tool_use"]
    calls = message.get("tool_calls")
    return [c for c in calls if isinstance(c, dict)] if isinstance(calls, list) else []


def results_of(message: Message, rules: Rules) -> list[dict[str, Any]]:
    """Return the results in a message: itself, or those of its blocks that are some."""
    if not rules.blocks:
        return [message] if message.get("role") == "tool" else []
    if message.get("role") != "user":
        return []
    return [part for part in parts_of(message) if type_of(part) == "tool_result"]


def result_key(rules: Rules) -> str:
    """Return the key under which a result names its call."""
    return "tool_use_id" if rules.blocks else "tool_call_id"


def is_foreign(message: Message, rules: Rules) -> bool:
    """Say whether a message has calls or results in the other form."""
    if rules.blocks:
        return message.get("role") == "tool" or bool(message.get("tool_calls"))
    return any(type_of(part) in _BLOCKS for part in parts_of(message))


def converted(message: Message, rules: Rules) -> list[Message]:
    """Write a message in the form of the target: as one, or as several.

    Keys that the target may not know stay; what is no call stays a part.
    """
    if not is_foreign(message, rules):
        return [message]
    return [_with_blocks(message)] if rules.blocks else _without_blocks(message)


def as_parts(content: object) -> list[Any]:
    """Return a content as a list of parts, which is empty where it says nothing."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content.strip() else []
    return content if isinstance(content, list) else []


def _with_blocks(message: Message) -> Message:
    if message.get("role") == "tool":
        result = {
            "type": "tool_result",
            "tool_use_id": message.get("tool_call_id"),
            "content": message.get("content"),
        }
        return {"role": "user", "content": [result]}
    calls = message.get("tool_calls")
    blocks = [_as_block(call) for call in calls] if isinstance(calls, list) else []
    rest = {key: value for key, value in message.items() if key != "tool_calls"}
    return {**rest, "content": [*as_parts(message.get("content")), *blocks]}


def _as_block(call: object) -> object:
    if not isinstance(call, dict):
        return call
    function = call.get("function") or call.get("custom") or call
    if not isinstance(function, dict):
        function = {}
    arguments = function.get("arguments", function.get("input"))
    parsed = parsed_arguments(arguments)
    return {
        "type": "tool_use",
        "id": call.get("id"),
        "name": function.get("name"),
        "input": arguments if parsed is None else parsed,
    }


def _without_blocks(message: Message) -> list[Message]:
    parts = parts_of(message)
    rest = [part for part in parts if type_of(part) not in _BLOCKS]
    results: list[Message] = [
        {
            "role": "tool",
            "tool_call_id": part.get("tool_use_id"),
            "content": part.get("content"),
        }
        for part in parts
        if type_of(part) == "tool_result"
    ]
    calls = [_as_call(part) for part in parts if type_of(part) == "tool_use"]
    kept: Message = {**message, "content": rest or None}
    if calls and message.get("role") == "assistant":
        own = message.get("tool_calls")
        kept["tool_calls"] = [*(own if isinstance(own, list) else ()), *calls]
    return [*results, kept]


def _as_call(block: dict[str, Any]) -> dict[str, Any]:
    arguments = block.get("input")
    if isinstance(arguments, dict):
        arguments = canonical_json(arguments)
    function = {"name": block.get("name"), "arguments": arguments}
    return {"id": block.get("id"), "type": "function", "function": function}

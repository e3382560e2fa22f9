"""What is wrong with one message by itself: its role, keys, content, parts and calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from oldhand.experience.render.rules import (
    CALL_KEYS,
    KEY_TYPES,
    RESULT,
    SAID_OTHERWISE,
    SYSTEM_ROLES,
    TOOL_NAME,
    TOOL_NAME_WORDS,
    Message,
    Rules,
    fits,
    is_blank,
    parsed_arguments,
)
from oldhand.experience.render.shapes import (
    calls_of,
    is_foreign,
    result_key,
    results_of,
    type_of,
)

Faults = Iterator[tuple[str, str]]
"""Each the name of a rule, and what is wrong."""

_SHOWN_CHARS = 60


def message_faults(message: Message, rules: Rules) -> Faults:
    """Name what is wrong with a message that is plain JSON."""
    role = message.get("role")
    if is_foreign(message, rules):
        yield "shape", "it holds calls or results in the form of another provider"
    elif role in SYSTEM_ROLES and rules.system == "outside":
        yield "system-place", "the system prompt is no message of this target"
    elif not is_known(role, rules):
        yield "role", f"the role is {shown(role)}; expected one of {_roles(rules)}"
    else:
        yield from _known_faults(message, str(role), rules)


def is_known(role: object, rules: Rules) -> bool:
    """Say whether a target knows a role."""
    return isinstance(role, str) and role != RESULT and role in rules.parts


def is_own_key(key: str, value: object, role: str, rules: Rules) -> bool:
    """Say whether a target takes this key, beside role and content, with this value."""
    if rules.only_keys is not None and key not in rules.only_keys[role]:
        return False
    return isinstance(value, KEY_TYPES.get(key, object))


def needs_content(message: Message, rules: Rules) -> bool:
    """Say whether a message says nothing, or too little, where its content says nothing."""
    if message.get("role") != "assistant" or rules.blocks:
        return True
    return not any(message.get(key) for key in ("tool_calls", *SAID_OTHERWISE))


def content_faults(content: object, role: str, rules: Rules) -> Faults:
    """Name what is wrong with a content that has to say something."""
    if isinstance(content, str):
        if is_blank(content, rules) and role not in ("tool", RESULT):
            yield "content", "the content is empty"
    elif isinstance(content, list):
        if not content:
            yield "content", "the list of parts is empty"
        for part in content:
            yield from part_faults(part, role, rules)
    else:
        yield "content", f"the content is {shown(content)}; expected text or parts"


def part_faults(part: object, role: str, rules: Rules) -> Faults:
    """Name what is wrong with one part of a content."""
    kind = type_of(part)
    wanted = rules.parts[role].get(kind) if isinstance(kind, str) else None
    if wanted is None or not isinstance(part, dict):
        yield "part", f"a part of type {shown(kind)} is none that {role} may hold"
    elif kind == "thinking" and not part.get("signature"):
        yield "thinking", "a block of thinking has no signature"
    elif not fits(part, wanted):
        yield "part", f"a part of type {shown(kind)} lacks what belongs to it"
    elif kind == "text" and is_blank(part["text"], rules):
        yield "content", "the text of a part is empty"


def call_faults(call: object, rules: Rules) -> Faults:
    """Name what is wrong with one call, but for its id."""
    if not isinstance(call, dict):
        yield "call", f"a call is {shown(call)}; expected an object"
    elif rules.blocks:
        yield from _name_faults(call.get("name"))
        if not isinstance(call.get("input"), dict):
            yield "arguments", f"the input is {shown(call.get('input'))}"
    elif call.get("type") == "custom" and rules.custom_calls:
        if not fits(call.get("custom"), {"name": str, "input": str}):
            yield "call", "a custom call has no name or no input"
    else:
        yield from _function_faults(call, rules)


def is_call_id(value: object, rules: Rules) -> bool:
    """Say whether a target takes an id of a call."""
    return isinstance(value, str) and bool(rules.call_id.fullmatch(value))


def shown(value: object) -> str:
    """Return a value as an error shows it, at most 60 characters."""
    if value is None:
        return "missing"
    if not isinstance(value, str | int | float):
        return f"a {type(value).__name__}"
    text = repr(value[:_SHOWN_CHARS] if isinstance(value, str) else value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


def _known_faults(message: Message, role: str, rules: Rules) -> Faults:
    for key, value in message.items():
        own = key in ("role", "content") or is_own_key(key, value, role, rules)
        if not own:
            yield "keys", f"the key {shown(key)} is none that {role} may have here"
    content = message.get("content")
    if needs_content(message, rules) or isinstance(content, list):
        yield from content_faults(content, role, rules)
    elif content is not None and not isinstance(content, str):
        yield "content", f"the content is {shown(content)}; expected text or parts"
    if role == "assistant":
        yield from _all_call_faults(message, rules)
    for result in results_of(message, rules):
        yield from _result_faults(result, rules)


def _all_call_faults(message: Message, rules: Rules) -> Faults:
    if not rules.blocks and "tool_calls" in message:
        calls = message["tool_calls"]
        if not isinstance(calls, list) or not calls:
            yield (
                "call",
                f"tool_calls is {shown(calls)}; expected calls, or no such key",
            )
            return
        others = (call for call in calls if not isinstance(call, dict))
        for call in others:
            yield from call_faults(call, rules)
    for call in calls_of(message, rules):
        yield from call_faults(call, rules)
        if not is_call_id(call.get("id"), rules):
            given = shown(call.get("id"))
            yield "call-id", f"a call's id is {given}; expected {rules.call_id_words}"


def _function_faults(call: dict[str, Any], rules: Rules) -> Faults:
    function = call.get("function")
    if call.get("type") != "function" or not isinstance(function, dict):
        yield "call", "a call has not the type `function`, or no function"
        return
    if rules.only_keys is not None and not call.keys() <= CALL_KEYS:
        yield "keys", f"a call has other keys than {', '.join(sorted(CALL_KEYS))}"
    yield from _name_faults(function.get("name"))
    arguments = function.get("arguments")
    if parsed_arguments(arguments) is None:
        yield "arguments", f"the arguments are {shown(arguments)}, no JSON of an object"


def _name_faults(name: object) -> Faults:
    if not isinstance(name, str) or not TOOL_NAME.fullmatch(name):
        yield "tool-name", f"a tool's name is {shown(name)}; expected {TOOL_NAME_WORDS}"


def _result_faults(result: dict[str, Any], rules: Rules) -> Faults:
    if rules.blocks and result.get("content") is not None:
        yield from content_faults(result["content"], RESULT, rules)
    elif rules.blocks and "content" in result:
        yield (
            "content",
            "a result's content is null; expected text, parts, or no such key",
        )
    if not isinstance(result.get(result_key(rules)), str):
        yield "orphan", f"a result names no call: {result_key(rules)} is not a text"


def _roles(rules: Rules) -> str:
    return ", ".join(role for role in rules.parts if role != RESULT)

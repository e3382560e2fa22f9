"""Repair calls, give each an id of its own, and put its result right after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from oldhand.canonical_json import canonical_json
from oldhand.experience.render.lint_parts import call_faults, is_call_id
from oldhand.experience.render.rules import (
    CALL_KEYS,
    NO_RESULT,
    UNNAMED_TOOL,
    UNPARSED_KEY,
    Message,
    Rules,
    parsed_arguments,
)
from oldhand.experience.render.shapes import (
    as_parts,
    calls_of,
    parts_of,
    result_key,
    results_of,
    type_of,
)
from oldhand.ids import call_id_for
from oldhand.lazy_pattern import LazyPattern

_NOT_OF_A_NAME = LazyPattern(r"[^a-zA-Z0-9_-]+")
_NAME_CHARS = 64
_KEYS_OF_A_FUNCTION = ("name", "arguments", "input", "custom")


@dataclass
class _Call:
    """A call in the turn that made it."""

    call: dict[str, Any]
    turn: _Turn


@dataclass
class _Turn:
    """A message with its calls, and their results in the order in which they came."""

    message: Message
    calls: list[_Call]
    results: list[tuple[_Call, Message]]


def with_calls_mended(message: Message, rules: Rules) -> Message:
    """Return a message with calls that the target takes; their ids come later."""
    if message["role"] != "assistant":
        return {key: value for key, value in message.items() if key != "tool_calls"}
    if rules.blocks:
        content = message.get("content")
        if not isinstance(content, list):
            return message
        return {**message, "content": [_block(part, rules) for part in content]}
    if "tool_calls" not in message:
        return message
    given = message["tool_calls"]
    calls = [
        _function_call(call, rules)
        for call in (given if isinstance(given, list) else ())
        if isinstance(call, dict)
    ]
    if calls:
        return {**message, "tool_calls": calls}
    return {key: value for key, value in message.items() if key != "tool_calls"}


def answered(messages: Sequence[Message], rules: Rules) -> list[Message]:
    """Return messages in which every call has an id of its own and its result behind it.

    A result belongs to the latest call before it that has its id and no result yet. One
    for which there is none is left out.

    Args:
        messages: With calls that were mended. They are not changed.
        rules: What the target asks.
    """
    waiting: dict[str, list[_Call]] = {}
    turns: list[_Turn] = []
    for message in messages:
        for result in results_of(message, rules):
            of_this_id = waiting.get(repr(result.get(result_key(rules))))
            if of_this_id:
                call = of_this_id.pop()
                call.turn.results.append((call, result))
        turn = _Turn(message, [], [])
        turn.calls += [_Call(call, turn) for call in calls_of(message, rules)]
        for call in reversed(turn.calls):
            waiting.setdefault(repr(call.call.get("id")), []).append(call)
        turns.append(turn)
    _name_calls(turns, rules)
    return list(_as_blocks(turns) if rules.blocks else _as_messages(turns))


def _name_calls(turns: Sequence[_Turn], rules: Rules) -> None:
    """Give each call an id that fits and is its own: the one that it has, if it can be."""
    used: set[str] = set()
    tries: Counter[str] = (
        Counter()
    )  # by id, so that 10,000 calls of one id take one second
    for call in (call for turn in turns for call in turn.calls):
        given = call.call.get("id")
        call_id = given if is_call_id(given, rules) else None
        while call_id is None or call_id in used:
            tries[str(given)] += 1
            call_id = call_id_for(str(given), str(tries[str(given)]))
        used.add(call_id)
        if call_id != given:
            call.call = {**call.call, "id": call_id}


def _as_messages(turns: Sequence[_Turn]) -> Iterator[Message]:
    for turn in turns:
        if turn.message["role"] == "tool":
            continue
        calls = [call.call for call in turn.calls]
        yield {**turn.message, "tool_calls": calls} if calls else turn.message
        for call_id, result in _results(turn):
            if result is None:
                yield {"role": "tool", "tool_call_id": call_id, "content": NO_RESULT}
            else:
                yield {**result, "tool_call_id": call_id}


def _as_blocks(turns: Sequence[_Turn]) -> Iterator[Message]:
    blocks: list[Message] = []
    for turn in turns:
        message = turn.message
        content = message.get("content")
        if blocks and message["role"] != "user":
            yield {"role": "user", "content": blocks}
        elif blocks or any(
            type_of(part) == "tool_result" for part in parts_of(message)
        ):
            rest = [p for p in as_parts(content) if type_of(p) != "tool_result"]
            message = {**message, "content": [*blocks, *rest]}
        blocks = [_result_block(*item) for item in _results(turn)]
        yield _with_named_calls(message, turn)
    if blocks:
        yield {"role": "user", "content": blocks}


def _with_named_calls(message: Message, turn: _Turn) -> Message:
    if not turn.calls:
        return message
    calls = iter(turn.calls)
    parts = [
        next(calls).call if type_of(part) == "tool_use" else part
        for part in parts_of(message)
    ]
    return {**message, "content": parts}


def _result_block(call_id: str, result: Message | None) -> Message:
    if result is None:
        return {"type": "tool_result", "tool_use_id": call_id, "content": NO_RESULT}
    return {**result, "tool_use_id": call_id}


def _results(turn: _Turn) -> Iterator[tuple[str, Message | None]]:
    """Return the results of a turn by the ids of their calls: as they came, then none."""
    for call, result in turn.results:
        yield call.call["id"], result
    have_one = [id(call) for call, _ in turn.results]
    for call in turn.calls:
        if id(call) not in have_one:
            yield call.call["id"], None


def _block(part: object, rules: Rules) -> object:
    if not isinstance(part, dict) or type_of(part) != "tool_use":
        return part
    if not any(call_faults(part, rules)):
        return part
    given = part.get("input")
    parsed = given if isinstance(given, dict) else _object(given)
    return {**part, "name": _name(part.get("name")), "input": parsed}


def _function_call(call: dict[str, Any], rules: Rules) -> dict[str, Any]:
    if not any(call_faults(call, rules)):
        return call
    function = call.get("function")
    custom = call.get("custom")
    if not isinstance(function, dict):
        function = custom if isinstance(custom, dict) else call
    given = function.get("arguments", function.get("input"))
    mended = {
        "name": _name(function.get("name")),
        "arguments": given if _is_object(given) else canonical_json(_object(given)),
    }
    kept = {
        key: value
        for key, value in call.items()
        if key not in _KEYS_OF_A_FUNCTION
        and (rules.only_keys is None or key in CALL_KEYS)
    }
    return {**kept, "type": "function", "function": mended}


def _is_object(arguments: object) -> bool:
    return parsed_arguments(arguments) is not None


def _object(given: object) -> dict[str, Any]:
    """Return arguments as an object: what is none stands under a key that says so."""
    if isinstance(given, dict):
        return given
    parsed = parsed_arguments(given)
    if parsed is not None:
        return parsed
    return {} if given in (None, "") else {UNPARSED_KEY: given}


def _name(name: object) -> str:
    if not isinstance(name, str):
        return UNNAMED_TOOL
    fit = _NOT_OF_A_NAME.compiled.sub("_", name)[:_NAME_CHARS]
    return fit or UNNAMED_TOOL

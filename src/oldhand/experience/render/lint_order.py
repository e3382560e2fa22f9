"""What is wrong with the order of messages: ids, answers, turns, system messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oldhand.experience.render.lint_parts import shown
from oldhand.experience.render.rules import SYSTEM_ROLES, Message, Rules
from oldhand.experience.render.shapes import (
    calls_of,
    parts_of,
    result_key,
    results_of,
    type_of,
)

Faults = Iterator[tuple[int, str, str]]
"""Each the index of a message, the name of a rule, and what is wrong."""

_Given = Sequence[Message | None]


def order_faults(messages: _Given, rules: Rules) -> Faults:
    """Name what is wrong with messages together.

    Args:
        messages: Plain JSON objects; None where one cannot be read.
        rules: What the target asks.
    """
    yield from _repeated(messages, rules)
    yield from _unmatched(messages, rules)
    if rules.blocks:
        yield from _late_results(messages, rules)
    if rules.system == "first":
        yield from _late_system(messages)
    if rules.user_first:
        yield from _user_first(messages)
    if rules.alternate:
        yield from _not_alternating(messages)


def turn_fault(before: Message | None, message: Message) -> str | None:
    """Say why a message cannot follow another where turns alternate; None if it can.

    Args:
        before: The message right before; None at the start, or after a system message.
        message: The one that follows.
    """
    if before is None:
        return None
    role, last = message.get("role"), before.get("role")
    if role == last and role in ("user", "assistant"):
        return f"a second message of the {role} in a row"
    if role == "user" and last == "tool":
        return "a user's message right after a result, with no answer to the result"
    return None


def _repeated(messages: _Given, rules: Rules) -> Faults:
    known: set[str] = set()
    for index, message in enumerate(messages):
        for call in calls_of(message or {}, rules):
            call_id = call.get("id")
            if not isinstance(call_id, str):
                continue
            if call_id in known:
                yield index, "repeated-id", f"the id {shown(call_id)} was given before"
            known.add(call_id)


def _unmatched(messages: _Given, rules: Rules) -> Faults:
    waiting: list[tuple[int, object, str]] = []
    for index, message in enumerate(messages):
        current = message or {}
        results = results_of(current, rules)
        for result in results:
            call_id = result.get(result_key(rules))
            found = next((item for item in waiting if item[1] == call_id), None)
            if found is not None:
                waiting.remove(found)
            elif isinstance(call_id, str):
                said = "answers no call that still waits right before it"
                yield index, "orphan", f"the result for {shown(call_id)} {said}"
        if results and not rules.blocks:
            continue
        yield from map(_unanswered, waiting)
        waiting = [
            (index, call.get("id"), _tool_of(call)) for call in calls_of(current, rules)
        ]
    yield from map(_unanswered, waiting)


def _unanswered(call: tuple[int, object, str]) -> tuple[int, str, str]:
    index, call_id, tool = call
    said = f"no result follows the call {shown(call_id)} of {tool}"
    return index, "unanswered", said


def _late_results(messages: _Given, rules: Rules) -> Faults:
    for index, message in enumerate(messages):
        if message is None or not results_of(message, rules):
            continue
        are_results = [type_of(part) == "tool_result" for part in parts_of(message)]
        if are_results != sorted(are_results, reverse=True):
            yield index, "results-first", "a result comes after something else"


def _late_system(messages: _Given) -> Faults:
    for index, message in enumerate(messages):
        if index and message is not None and message.get("role") in SYSTEM_ROLES:
            yield index, "system-place", "a system message is not the first"


def _user_first(messages: _Given) -> Faults:
    for index, message in enumerate(messages):
        role = (message or {}).get("role")
        if role not in SYSTEM_ROLES:
            if role in ("assistant", "tool"):
                yield index, "user-first", f"the first turn is the {role}'s"
            return


def _not_alternating(messages: _Given) -> Faults:
    before: Message | None = None
    for index, message in enumerate(messages):
        if message is None or message.get("role") in SYSTEM_ROLES:
            continue
        if fault := turn_fault(before, message):
            yield index, "alternation", fault
        before = message


def _tool_of(call: Message) -> str:
    function = call.get("function") or call.get("custom")
    named = function if isinstance(function, dict) else call
    return str(named.get("name"))

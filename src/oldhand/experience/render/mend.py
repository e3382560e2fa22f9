"""Repair a list of messages so that a provider takes it, and lose nothing that was said.

What no rule asks to change stays as it is, and a list that `lint` finds clean comes back
the same. Nothing is made up: where something has to stand in a place, it says that it is
not on record. What a person said is never left out. A role that the target does not know
does not become an authority: its words go into a user's message that says whose they are.

The repairs go in one order, each on what the ones before it left: form, role, keys,
calls, parts, answers, and last the order of turns.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from oldhand.errors import InvalidInput
from oldhand.experience.render.lint import checked_list, lint, rules_for
from oldhand.experience.render.lint_parts import is_known, is_own_key
from oldhand.experience.render.mend_calls import answered, with_calls_mended
from oldhand.experience.render.mend_parts import says_nothing, with_parts_mended
from oldhand.experience.render.mend_turns import joined, with_turns_mended
from oldhand.experience.render.neutral import neutral_line
from oldhand.experience.render.plain import plain
from oldhand.experience.render.rules import (
    LintTarget,
    Message,
    Rules,
)
from oldhand.experience.render.shapes import converted

_ROLE_CHARS = 40
_OTHER_NAMES = {
    "human": "user",
    "ai": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "model": "assistant",
}


def mend(
    messages: Sequence[Mapping[str, Any]], target: LintTarget = "openai"
) -> list[Message]:
    r"""Return the messages so that `lint` finds nothing in them.

    A call without a result gets one that says so, and a result without a call is left
    out; a repeated or unfit id is replaced in the call and in its result; a part that the
    target does not know keeps its text. For `anthropic`, calls in OpenAI's form become
    blocks, and the reverse for the others.

    Args:
        messages: A conversation; it is not changed.
        target: As for `lint`.

    Raises:
        InvalidInput: The target is none, or a message is no JSON object: an object of a
            library has to be written as one before.

    Example:
        >>> mend([{"role": "user", "content": "a"}, {"role": "user", "content": "b"}],
        ...      "strict")
        [{'role': 'user', 'content': 'a\n\nb'}]
    """
    rules = rules_for(target)
    given = [
        _object(message, f"messages[{index}]")
        for index, message in enumerate(checked_list(messages))
    ]
    if not lint(messages, target):
        return given
    known = [item for message in given for item in _known(message, rules)]
    if rules.system == "first":
        known = list(_one_system(known))
    fit = [
        with_parts_mended(with_calls_mended(_own_keys(message, rules), rules), rules)
        for message in known
    ]
    full = [m for m in answered(fit, rules) if not says_nothing(m, rules)]
    return with_turns_mended(full, rules)


def _object(message: object, at: str) -> Message:
    value = plain(message, at)
    if isinstance(value, str):
        return {"role": "user", "content": value}
    if not isinstance(value, dict):
        raise InvalidInput(f"{at} is a {type(message).__name__}; expected an object")
    return value


def _known(message: Message, rules: Rules) -> Iterator[Message]:
    """Write a message in the target's form, with a role that the target knows."""
    for item in converted(message, rules):
        role = item.get("role")
        name = role.lower() if isinstance(role, str) else ""
        name = _OTHER_NAMES.get(name, name)
        if name == "developer" and not is_known(name, rules):
            name = "system"
        if is_known(name, rules):
            yield item if name == role else {**item, "role": name}
        else:
            yield _said_by(item, name)


def _one_system(messages: Sequence[Message]) -> Iterator[Message]:
    """Join the system messages of the beginning; a later one is said to the user."""
    begin = 0
    while begin < len(messages) and messages[begin]["role"] == "system":
        begin += 1
    if begin:
        yield functools.reduce(joined, messages[:begin])
    for message in messages[begin:]:
        yield _said_by(message, "system") if message["role"] == "system" else message


def _said_by(message: Message, role: str) -> Message:
    """Return what somebody said as a user's message that says who it was.

    One that says nothing stays one that says nothing.
    """
    words = f"[said by {neutral_line(role, _ROLE_CHARS) or 'nobody known'}]"
    content = message.get("content")
    if isinstance(content, str) and content.strip():
        content = f"{words}\n{content}"
    elif isinstance(content, list) and content:
        content = [{"type": "text", "text": words}, *content]
    return {"role": "user", "content": content}


def _own_keys(message: Message, rules: Rules) -> Message:
    role = message["role"]
    return {
        key: value
        for key, value in message.items()
        if key in ("role", "content") or is_own_key(key, value, role, rules)
    }

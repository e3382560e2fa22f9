"""Name every rule of a provider that a list of messages breaks, and where.

Providers refuse the whole request, and most name only the first fault of it. Nothing is
changed here and nothing is guessed: `mend` repairs what can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oldhand.errors import InvalidInput
from oldhand.experience.render.lint_order import order_faults
from oldhand.experience.render.lint_parts import message_faults
from oldhand.experience.render.plain import plain
from oldhand.experience.render.rules import (
    LINT_TARGETS,
    REMEDIES,
    RULES,
    LintTarget,
    Message,
    Rules,
)


@dataclass(frozen=True)
class Finding:
    """One rule that is broken in one place.

    Attributes:
        rule: Its name, a key of `REMEDIES`.
        index: Which message, counted from 0.
        problem: What is wrong there.
        remedy: What to do about it.
    """

    rule: str
    index: int
    problem: str
    remedy: str


def lint(
    messages: Sequence[Mapping[str, Any]], target: LintTarget = "openai"
) -> list[Finding]:
    """Name every rule of a target that messages break.

    Args:
        messages: A conversation as it is to be sent, without what is kept outside of the
            messages (tools, Anthropic's system prompt).
        target: `openai`, `anthropic`, `mistral`, or `strict` for the chat templates of
            open models.

    Returns:
        What was found, by the message's index; [] where a provider takes the list.

    Raises:
        InvalidInput: The target is none, or the messages are no list.

    Example:
        >>> call = {"id": "a", "type": "function",
        ...         "function": {"name": "ls", "arguments": "{}"}}
        >>> [found] = lint([{"role": "assistant", "tool_calls": [call]}])
        >>> found.rule, found.index, found.problem
        ('unanswered', 0, "no result follows the call 'a' of ls")
    """
    rules = rules_for(target)
    read: list[Message | None] = []
    faults: list[tuple[int, str, str]] = []
    for index, message in enumerate(checked_list(messages)):
        copy, fault = _read(message, index)
        read.append(copy if isinstance(copy, dict) else None)
        own = [fault] if fault else list(_faults(copy, rules))
        faults += [(index, rule, problem) for rule, problem in own]
    faults += order_faults(read, rules)
    faults.sort(key=lambda fault: fault[0])
    return [
        Finding(rule, index, problem, REMEDIES[rule]) for index, rule, problem in faults
    ]


def rules_for(target: str) -> Rules:
    """Return what a target asks.

    Raises:
        InvalidInput: There is no such target.
    """
    return RULES[target_named(target)]


def target_named(name: str) -> LintTarget:
    """Return the target of that name.

    Raises:
        InvalidInput: There is none.
    """
    for target in LINT_TARGETS:
        if target == name:
            return target
    raise InvalidInput(
        f"{name!r} is no target; expected one of {', '.join(LINT_TARGETS)}"
    )


def checked_list(messages: object) -> Sequence[object]:
    """Return messages that are a list or a tuple.

    Raises:
        InvalidInput: They are anything else.
    """
    if not isinstance(messages, list | tuple):
        raise InvalidInput(
            f"messages are a {type(messages).__name__}; expected a list of objects"
        )
    return messages


def _read(message: object, index: int) -> tuple[object, tuple[str, str] | None]:
    """Return a copy as plain JSON, and what of the message is no JSON."""
    try:
        copy = plain(message, f"messages[{index}]")
    except InvalidInput as fault:
        return None, ("json", str(fault))
    if copy != message:
        said = "holds a tuple, a number that is not finite, or half a surrogate pair"
        return copy, ("json", said)
    return copy, None


def _faults(copy: object, rules: Rules) -> Iterator[tuple[str, str]]:
    if isinstance(copy, dict):
        yield from message_faults(copy, rules)
    else:
        yield "message", f"is {type(copy).__name__}; expected an object"

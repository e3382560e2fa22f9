"""Repair the order of turns: system messages first, the user begins, turns alternate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oldhand.experience.render.lint_order import turn_fault
from oldhand.experience.render.rules import (
    NO_ANSWER,
    NO_REQUEST,
    SYSTEM_ROLES,
    Message,
    Rules,
)
from oldhand.experience.render.shapes import as_parts

_GAP = "\n\n"


def with_turns_mended(messages: Sequence[Message], rules: Rules) -> list[Message]:
    """Return messages in an order that the target takes.

    Args:
        messages: With every call answered and no message that says nothing.
        rules: What the target asks.
    """
    ordered = list(messages)
    if rules.user_first:
        ordered = _with_user_first(ordered)
    return list(_alternating(ordered)) if rules.alternate else ordered


def joined(first: Message, second: Message) -> Message:
    """Return two messages of one role as one, with all that both say."""
    one, two = first.get("content"), second.get("content")
    if isinstance(one, str | None) and isinstance(two, str | None):
        content: object = _GAP.join(text for text in (one, two) if text) or one
    else:
        content = [*as_parts(one), *as_parts(two)]
    return {**second, **first, "content": content}


def _with_user_first(messages: list[Message]) -> list[Message]:
    at = next(
        (
            i
            for i, message in enumerate(messages)
            if message["role"] not in SYSTEM_ROLES
        ),
        len(messages),
    )
    if at < len(messages) and messages[at]["role"] != "user":
        return [*messages[:at], {"role": "user", "content": NO_REQUEST}, *messages[at:]]
    return messages


def _alternating(messages: Sequence[Message]) -> Iterator[Message]:
    before: Message | None = None
    for message in messages:
        if before is None or turn_fault(before, message) is None:
            if before is not None:
                yield before
            before = message
        elif before["role"] == message["role"]:
            before = joined(before, message)
        else:
            yield before
            yield {"role": "assistant", "content": NO_ANSWER}
            before = message
    if before is not None:
        yield before

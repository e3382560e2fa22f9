"""Put a warm start into a list of messages, where every provider takes it, once.

Text joins the first system message: chat templates of Qwen and others reject a second
one in mid-conversation. Native turns stand right after the system messages. What an
earlier call put in is recognised by its marks and taken out first, so a list that is
passed through twice, or resumed with another template, holds exactly one warm start.

Anthropic keeps the system prompt outside of the messages. There, `merge_text` puts the
text into the system prompt, which is the better place; where a caller has only the
messages, `inject` with the target `anthropic` puts it ahead of the first user's words.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from re import DOTALL, MULTILINE
from typing import Any, Protocol

from oldhand.errors import InvalidInput
from oldhand.experience.render.messages import (
    EXAMPLE_MARK,
    MESSAGES_PER_EXAMPLE,
    Target,
)
from oldhand.experience.render.rules import SYSTEM_ROLES, Message
from oldhand.experience.render.text import CLOSING, OPENING
from oldhand.lazy_pattern import LazyPattern

_EXAMPLE_ROLES = (
    ["user", "assistant", "tool", "assistant"],
    ["user", "assistant", "user", "assistant"],
)
_GAP = "\n\n"
_BLOCK = rf"^{OPENING}$(?:(?!^{OPENING}$).)*?^{CLOSING}$"
_FIRST_BLOCK = LazyPattern(rf"\A{_BLOCK}(?:{_GAP})?", DOTALL | MULTILINE)
_LATER_BLOCK = LazyPattern(rf"(?:{_GAP})?{_BLOCK}", DOTALL | MULTILINE)


class Rendered(Protocol):
    """What can be injected: a block of text, or native turns."""

    @property
    def text(self) -> str | None:
        """A block as `render_text` writes it; None or "" where there is none."""

    @property
    def messages(self) -> list[Message] | None:
        """Turns as `render_messages` writes them; used before `text` where both are."""


def inject(
    messages: Sequence[Mapping[str, Any]],
    warm_start: Rendered,
    *,
    target: Target = "openai",
) -> list[Message]:
    r"""Return the messages with this warm start, and no other, in them.

    Args:
        messages: A conversation in the provider's shape; it is not changed.
        warm_start: Rendered for the same target; empty, it only takes out what is there.
        target: `openai`: text goes to the end of the first system message, and where
            there is none, becomes one at the front. `anthropic`: it goes ahead of the
            first user's words; see `merge_text` for the system prompt.

    Raises:
        InvalidInput: The text is not a block that `render_text` wrote, or the target is
            `anthropic` and there is no user's message to put it into.

    Example:
        >>> from types import SimpleNamespace
        >>> block = "<oldhand-past-calls>\nnote:\n Use rg.\n</oldhand-past-calls>"
        >>> warm_start = SimpleNamespace(text=block, messages=None)
        >>> once = inject([{"role": "user", "content": "hi"}], warm_start)
        >>> [message["role"] for message in once]
        ['system', 'user']
        >>> inject(once, warm_start) == once
        True
    """
    bare = without_warm_start(messages, target=target)
    if warm_start.messages:
        at = _after_system(bare)
        return bare[:at] + copy.deepcopy(warm_start.messages) + bare[at:]
    if not warm_start.text:
        return bare
    put_in = _ahead_of_user if target == "anthropic" else _into_system
    return put_in(bare, _checked(warm_start.text))


def without_warm_start(
    messages: Sequence[Mapping[str, Any]], *, target: Target = "openai"
) -> list[Message]:
    """Return the messages without any warm start that `inject` put in.

    Args:
        messages: A conversation in the provider's shape; it is not changed.
        target: As for `inject`.
    """
    bare = [
        _without_block(message)
        for message in _without_examples(messages)
        if not _is_system_message_of_ours(message)
    ]
    at = _first_of(bare, ("user",))
    if target == "anthropic" and at is not None:
        bare[at] = _map_text(bare[at], lambda text: _FIRST_BLOCK.compiled.sub("", text))
    return bare


def merge_text(prompt: str, text: str) -> str:
    r"""Return a system prompt that ends with this block of text, and with no other.

    Args:
        prompt: The system prompt, with or without a block from before.
        text: As `render_text` writes it; "" only takes out what is there.

    Raises:
        InvalidInput: The text is not a block that `render_text` wrote.

    Example:
        >>> block = "<oldhand-past-calls>\nnote:\n Use rg.\n</oldhand-past-calls>"
        >>> merge_text(merge_text("Be brief.", block), block) == f"Be brief.\n\n{block}"
        True
    """
    base = _cut_out(prompt)
    if not text:
        return base
    return f"{base}{_GAP}{_checked(text)}" if base else _checked(text)


def _checked(text: str) -> str:
    if not _is_block(text):
        raise InvalidInput(f"not a block of past calls: it begins {text[:40]!r}")
    return text


def _is_block(text: object) -> bool:
    return (
        isinstance(text, str)
        and text.startswith(OPENING)
        and text.endswith(CLOSING)
        and not _cut_out(text)
    )


def _into_system(bare: list[Message], block: str) -> list[Message]:
    at = _first_of(bare, SYSTEM_ROLES)
    if at is None:
        return [{"role": "system", "content": block}, *bare]
    content = bare[at].get("content")
    if isinstance(content, list):
        merged: Any = [*content, {"type": "text", "text": block}]
    else:
        # The gap stays where the prompt is empty: a system message that is the block
        # and nothing else is one that we made, and is taken out whole.
        merged = f"{content or ''}{_GAP}{block}"
    return [*bare[:at], {**bare[at], "content": merged}, *bare[at + 1 :]]


def _ahead_of_user(bare: list[Message], block: str) -> list[Message]:
    at = _first_of(bare, ("user",))
    if at is None:
        raise InvalidInput("no user's message to put the text into; use merge_text")
    content = bare[at].get("content")
    if isinstance(content, list):
        merged: Any = [{"type": "text", "text": block}, *content]
    else:
        merged = f"{block}{_GAP}{content or ''}"
    return [*bare[:at], {**bare[at], "content": merged}, *bare[at + 1 :]]


def _without_examples(messages: Sequence[Mapping[str, Any]]) -> list[Message]:
    kept: list[Message] = []
    at = 0
    while at < len(messages):
        if _is_example(messages[at : at + MESSAGES_PER_EXAMPLE]):
            at += MESSAGES_PER_EXAMPLE
        else:
            kept.append(dict(messages[at]))
            at += 1
    return kept


def _is_example(window: Sequence[Mapping[str, Any]]) -> bool:
    if [message.get("role") for message in window] not in _EXAMPLE_ROLES:
        return False
    content = window[0].get("content")
    if isinstance(content, list) and content:
        content = _text_of(content[0])
    return isinstance(content, str) and content.startswith(EXAMPLE_MARK)


def _is_system_message_of_ours(message: Message) -> bool:
    return message.get("role") in SYSTEM_ROLES and _is_block(message.get("content"))


def _without_block(message: Message) -> Message:
    if message.get("role") not in SYSTEM_ROLES:
        return message
    return _map_text(message, _cut_out)


def _cut_out(text: str) -> str:
    return _LATER_BLOCK.compiled.sub("", _FIRST_BLOCK.compiled.sub("", text))


def _map_text(message: Message, change: Callable[[str], str]) -> Message:
    """Change a message's text; a part of it that comes to be empty is left out."""
    content = message.get("content")
    if isinstance(content, str):
        return {**message, "content": change(content)}
    if not isinstance(content, list):
        return message
    parts = []
    for part in content:
        text = _text_of(part)
        changed = text if text is None else change(text)
        if changed == text:
            parts.append(part)
        elif changed:
            parts.append({**part, "text": changed})
    return {**message, "content": parts}


def _text_of(part: object) -> str | None:
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else None


def _first_of(messages: Sequence[Message], roles: tuple[str, ...]) -> int | None:
    places = (at for at, message in enumerate(messages) if message.get("role") in roles)
    return next(places, None)


def _after_system(messages: Sequence[Message]) -> int:
    roles = (message.get("role") for message in messages)
    places = (at for at, role in enumerate(roles) if role not in SYSTEM_ROLES)
    return next(places, len(messages))

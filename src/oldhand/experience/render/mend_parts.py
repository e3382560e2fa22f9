"""Repair contents: what is empty, and parts that a target does not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from oldhand.canonical_json import canonical_json
from oldhand.experience.render.lint_parts import (
    content_faults,
    needs_content,
    part_faults,
    shown,
)
from oldhand.experience.render.rules import NO_OUTPUT, RESULT, Message, Rules
from oldhand.experience.render.shapes import calls_of, result_key, type_of

_TEXT_KEYS = ("text", "refusal", "content", "input_text", "output_text")
_SILENT = ("thinking", "redacted_thinking", "reasoning")


def with_parts_mended(message: Message, rules: Rules) -> Message:
    """Return a message whose content the target takes, or one that says nothing."""
    role = message["role"]
    content = message.get("content")
    if role == "assistant" and not rules.blocks and not needs_content(message, rules):
        if isinstance(content, str) or "content" not in message:
            return message
        mended = mended_content(content, role, rules)
        return {**message, "content": mended or None}
    if role == "tool":
        return {
            **message,
            "content": mended_content(content, role, rules) or _said(content),
        }
    return {**message, "content": mended_content(content, role, rules)}


def mended_content(content: object, role: str, rules: Rules) -> Any:  # noqa: ANN401 - any JSON value
    """Return a content that the target takes; "" or [] where it says nothing."""
    if isinstance(content, list):
        return [part for item in content for part in _parts(item, role, rules)]
    if content is None:
        return []
    if isinstance(content, str):
        return "" if any(content_faults(content, role, rules)) else content
    return canonical_json(content)


def mended_result(result: Message, rules: Rules) -> Message:
    """Return a result in a block with a content that the target takes."""
    if "content" not in result:
        return result
    content = mended_content(result["content"], RESULT, rules)
    return {**result, "content": content or _said(result["content"])}


def says_nothing(message: Message, rules: Rules) -> bool:
    """Say whether a message may be left out, as neither a word nor a call is in it."""
    if message["role"] == "tool" or calls_of(message, rules):
        return False
    if not needs_content(message, rules):
        return False
    content = message.get("content")
    return not content and not (rules.takes_blank and isinstance(content, str))


def _said(content: object) -> str:
    """Return what stands for a result that holds nothing; an empty text may stay."""
    return "" if content == "" else NO_OUTPUT


def _parts(part: object, role: str, rules: Rules) -> Iterator[object]:
    """Return a part that the target takes, with its text; none where nothing is lost."""
    if type_of(part) == "tool_result" and role == "user" and rules.blocks:
        yield mended_result(_as_result(part, rules), rules)
    elif not any(part_faults(part, role, rules)):
        yield part
    elif text := _text_of(part):
        yield from _text(text, rules)
    elif role in ("user", RESULT, "tool") and type_of(part) not in (*_SILENT, "text"):
        yield from _text(f"(a part of type {shown(type_of(part))} was left out)", rules)


def _text(text: str, rules: Rules) -> Iterator[dict[str, str]]:
    if rules.takes_blank or text.strip():
        yield {"type": "text", "text": text}


def _text_of(part: object) -> str:
    """Return the text of a part in whatever form it has; "" where it has none."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or type_of(part) in _SILENT:
        return ""
    found = (part.get(key) for key in _TEXT_KEYS)
    return next((text for text in found if isinstance(text, str) and text), "")


def _as_result(part: object, rules: Rules) -> Message:
    return dict(part) if isinstance(part, dict) else {result_key(rules): None}

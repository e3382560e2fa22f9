"""The text of what agents store as content: a string, parts, objects, or any mixture."""

from __future__ import annotations

# Where the text stands in a part, by the part's type; other objects with a type are data.
_TEXT_KEYS = {
    "text": "text",
    "Text": "text",
    "input_text": "text",
    "output_text": "text",
    "summary_text": "text",
    "refusal": "refusal",
    "tool_result": "content",
    "message": "content",
}
_SILENT_PARTS = frozenset(
    ("encrypted_content", "reasoning", "thinking", "redacted_thinking")
)
_MEDIA = ("image", "audio", "video", "file", "document")
_MEDIA_KEYS = frozenset(
    ("source", "data", "url", "file_id", "file_data", "image_url", *_MEDIA)
)
_MAX_DEPTH = 8
_TOO_DEEP = "[nested too deeply]"


def text_of(content: object) -> str:
    r"""Return the text of a message's or a result's content.

    Args:
        content: A string, a part with a text in it, a list of those, or any JSON value.

    Returns:
        The texts of the parts, one below the other. A picture, a sound or a file is named
        in brackets; a value that is no part at all is written as JSON; None is "".

    Example:
        >>> text_of([{"type": "text", "text": "Done."}, {"type": "image", "data": "iVBO"}])
        'Done.\n[image]'
        >>> text_of({"status": 200}), text_of(None)
        ('{"status":200}', '')
    """
    return _text_of(content, 0)


def json_text(value: object) -> str:
    """Return a string as it is, nothing as "", and any other JSON value as JSON.

    Keys keep their order, as the agent wrote them.

    Example:
        >>> json_text({"path": "é", "all": True}), json_text("ls -l"), json_text(None)
        ('{"path":"é","all":true}', 'ls -l', '')
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    import orjson  # noqa: PLC0415 - 3 ms, and what people and models say is text

    try:
        return orjson.dumps(value).decode()
    except TypeError:  # an integer beyond 64 bits, a key that is no string
        return _by_the_slower_way(value)


def _by_the_slower_way(value: object) -> str:
    import json  # noqa: PLC0415 - 2 ms, and rare

    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        return _TOO_DEEP


def _text_of(content: object, depth: int) -> str:
    if isinstance(content, str):
        return content
    if depth > _MAX_DEPTH:
        return _TOO_DEEP
    if isinstance(content, list):
        if not any(isinstance(part, str) or _is_part(part) for part in content):
            return json_text(content) if content else ""
        texts = (_text_of(part, depth + 1) for part in content)
        return "\n".join(text for text in texts if text)
    if isinstance(content, dict) and _is_part(content):
        return _text_of_part(content, depth)
    return json_text(content)


def _is_part(value: object) -> bool:
    """Say whether an object is a piece of content, and not data that was returned."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if kind is None:
        return "text" in value and value.keys() <= {"type", "text"}
    if not isinstance(kind, str):
        return False
    return kind in _TEXT_KEYS or kind in _SILENT_PARTS or _is_media(kind, value)


def _is_media(kind: str, part: dict[str, object]) -> bool:
    named = any(medium in kind for medium in _MEDIA)
    return named and not _MEDIA_KEYS.isdisjoint(part)


def _text_of_part(part: dict[str, object], depth: int) -> str:
    kind = part.get("type")
    if kind in _SILENT_PARTS:
        return ""
    key = "text" if kind is None else _TEXT_KEYS.get(str(kind))
    if key is not None:
        return _text_of(part.get(key), depth + 1)
    return f"[{str(kind).removeprefix('input_').removesuffix('_url')[:40]}]"

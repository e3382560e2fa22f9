"""Redact parsed JSON: each string by itself, and by the key that names it."""

from __future__ import annotations

from typing import Any

from oldhand.redact.find import find_secrets, redact

_LONGEST_NAMED = 400
_MAX_DEPTH = 100


def redact_json(value: Any, *, depth: int = 0) -> Any:  # noqa: ANN401 - any JSON value
    """Replace every secret in the strings of a JSON value, keys included.

    Args:
        value: Dicts, lists, strings, numbers, booleans and None.
        depth: How deep it lies in what it was taken from.

    Returns:
        The same shape anew. What lies deeper than 100 levels is left out.

    Example:
        >>> redact_json({"user": "ada", "password": "hunter2"})
        {'user': 'ada', 'password': '[redacted:password]'}
    """
    if isinstance(value, str):
        return redact(value)
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, list):
        return [redact_json(item, depth=depth + 1) for item in value]
    if isinstance(value, dict):
        return {
            redact(key): _redact_named(key, item, depth=depth + 1)
            for key, item in value.items()
        }
    return value


def _redact_named(key: str, value: Any, *, depth: int) -> Any:  # noqa: ANN401
    """Redact a value, wholly where its key says that it is a secret."""
    if not isinstance(value, str):
        return redact_json(value, depth=depth)
    if len(value) <= _LONGEST_NAMED and '"' not in value and "\n" not in value:
        prefix = f'"{key}": "'
        for rule, start, end in find_secrets(f'{prefix}{value}"'):
            if start <= len(prefix) and end >= len(prefix) + len(value) > len(prefix):
                return f"[redacted:{rule}]"
    return redact(value)

"""What a person changed in the details of a request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_NOTHING = object()


def differences(before: object, after: object) -> list[dict[str, Any]]:
    """List what differs between two JSON values, in the order of the keys.

    Returns:
        Each with `path` (keys and numbers joined by dots), and `before` and `after` where
        there is such a value.

    Example:
        >>> differences({"env": "prod", "n": 1}, {"env": "test"})
        [{'path': 'env', 'before': 'prod', 'after': 'test'}, {'path': 'n', 'before': 1}]
    """
    return list(_differences("", before, after))


def _differences(path: str, before: object, after: object) -> Iterator[dict[str, Any]]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted(before.keys() | after.keys()):
            yield from _differences(
                _joined(path, key), before.get(key, _NOTHING), after.get(key, _NOTHING)
            )
    elif isinstance(before, list) and isinstance(after, list):
        for at in range(max(len(before), len(after))):
            yield from _differences(
                _joined(path, str(at)), _item(before, at), _item(after, at)
            )
    elif type(before) is not type(after) or before != after:
        found: dict[str, Any] = {"path": path}
        if before is not _NOTHING:
            found["before"] = before
        if after is not _NOTHING:
            found["after"] = after
        yield found


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _item(values: list[Any], at: int) -> object:
    return values[at] if at < len(values) else _NOTHING

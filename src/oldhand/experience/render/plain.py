"""Messages as plain JSON values that the caller does not share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from oldhand.errors import InvalidInput

_MAX_DEPTH = 64


def plain(value: object, at: str, max_depth: int = _MAX_DEPTH) -> Any:  # noqa: ANN401 - any JSON value
    r"""Copy a value as JSON takes it.

    A tuple becomes a list, half of a surrogate pair "�", a number that is not finite
    None.

    Args:
        value: Any value.
        at: What it is called in an error.
        max_depth: How many lists and objects may stand inside each other.

    Raises:
        InvalidInput: There is another type in it, or it is nested more than 64 deep.

    Example:
        >>> plain({"content": ("a\ud800", float("nan"))}, "messages[0]")
        {'content': ['a�', None]}
    """
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int):
        return value
    if max_depth == 0:
        raise InvalidInput(f"{at} is nested more than {_MAX_DEPTH} deep")
    if isinstance(value, list | tuple):
        return [
            plain(item, f"{at}[{index}]", max_depth - 1)
            for index, item in enumerate(value)
        ]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {
            plain(key, at): plain(item, f"{at}.{key}", max_depth - 1)
            for key, item in value.items()
        }
    raise InvalidInput(f"{at} is a {type(value).__name__}; expected JSON values")

"""One text for one value: JSON with sorted keys and no spare spaces.

Digests and prompt caches compare bytes, so what is equal must be written equally.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write a JSON value so that equal values give equal text.

    Args:
        value: Dicts with string keys, lists, strings, numbers, booleans and None.

    Raises:
        ValueError: A number is not finite.
        TypeError: A value is of another type.

    Example:
        >>> canonical_json({"b": 1, "a": [True, None, "é"]})
        '{"a":[true,null,"é"],"b":1}'
    """
    return json.dumps(
        value,
        ensure_ascii=False,
        allow_nan=False,
        sort_keys=True,
        separators=(",", ":"),
    )


def digest(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Name a JSON value by its content.

    Returns:
        The SHA-256 of its canonical text, 64 hexadecimal digits.
    """
    text = canonical_json(value)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

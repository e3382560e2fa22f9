"""Values of a call: where they stand, and when two of them are the same.

JSON has texts, numbers, truth values and null, and no value of one kind is equal to one
of another: True is not 1, "50" is not 50. A whole number and a fraction are both numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from oldhand.canonical_json import canonical_json
from oldhand.confirm.policy.model import MISSING, Asked

FIELDS = ("action", "target", "requester", "session_key", "risk")
"""The fields of a call that a rule can match, beside its details."""

Key = tuple[str, object]


def value_at(asked: Asked, path: tuple[str, ...]) -> object:
    """Return the value of a field, or `MISSING`.

    Example:
        >>> value_at(Asked("pay", {"to": {"name": "x"}}), ("details", "to", "name"))
        'x'
    """
    value: object = getattr(asked, path[0])
    for key in path[1:]:
        if not isinstance(value, Mapping) or key not in value:
            return MISSING
        value = value[key]
    return value


def is_number(value: object) -> bool:
    """Say whether it is a finite number, which True is not."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def key_of(value: object) -> Key | None:
    """Name a JSON value so that the same values have equal names.

    Returns:
        Something hashable; None where the value is not JSON, as NaN is not.
    """
    if isinstance(value, str):
        return "text", value
    if isinstance(value, bool):
        return "truth", value
    if value is MISSING:
        return None
    if value is None:
        return "null", None
    if isinstance(value, (int, float)):
        return ("number", value) if is_number(value) else None
    return _key_of_tree(value)


def _key_of_tree(value: object) -> Key | None:
    try:
        return "tree", canonical_json(value)
    except (TypeError, ValueError, RecursionError):
        return None

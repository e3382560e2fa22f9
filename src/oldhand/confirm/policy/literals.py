"""What a standing grant remembers: the very values of one call, and no pattern.

A `*` that stood in a command is remembered as a `*`. A person may widen a field by hand;
then it is named as such, and any value fits it, while the others must be the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypedDict

from oldhand.confirm.policy.model import Asked
from oldhand.confirm.policy.values import key_of
from oldhand.errors import InvalidInput


class Literal(TypedDict):
    """JSON: what a call must say.

    Attributes:
        action: The same.
        target: The same.
        details: The same, field by field, and no field besides.
        any_value: Fields of the details that may have any value, or be absent.
    """

    action: str
    target: str
    details: dict[str, Any]
    any_value: list[str]


def literal_matcher(asked: Asked, keys: Collection[str] | None = None) -> Literal:
    """Remember a call.

    Args:
        asked: The call that was approved.
        keys: The fields of its details that must stay the same; the others are widened.
            None, unless a person chose: all.

    Raises:
        InvalidInput: A key is no field of the details.

    Example:
        >>> literal = literal_matcher(Asked("Bash", {"command": "ls *"}))
        >>> matches_literal(literal, Asked("Bash", {"command": "ls *"}))
        True
        >>> matches_literal(literal, Asked("Bash", {"command": "ls /etc"}))
        False
    """
    kept = asked.details.keys() if keys is None else set(keys)
    unknown = sorted(kept - asked.details.keys())
    if unknown:
        known = ", ".join(sorted(asked.details)) or "none"
        raise InvalidInput(f"{unknown[0]!r} is no field of the details: {known}")
    details = {key: value for key, value in asked.details.items() if key in kept}
    widened = sorted(asked.details.keys() - kept)
    return Literal(
        action=asked.action, target=asked.target, details=details, any_value=widened
    )


def matches_literal(literal: Mapping[str, Any] | Literal, asked: Asked) -> bool:
    """Say whether a call is the one that was remembered.

    Args:
        literal: As made by `literal_matcher`, also when it has been JSON since.
        asked: The call.

    Raises:
        InvalidInput: The literal is not of that form.
    """
    if literal.keys() != Literal.__annotations__.keys():
        raise InvalidInput(f"no literal: {sorted(literal)}; expected those of Literal")
    if (asked.action, asked.target) != (literal["action"], literal["target"]):
        return False
    wanted, widened = literal["details"], set(literal["any_value"])
    given = {key: value for key, value in asked.details.items() if key not in widened}
    return given.keys() == wanted.keys() and _same(given, wanted)


def _same(given: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    key = key_of(given)
    return key is not None and key == key_of(wanted)

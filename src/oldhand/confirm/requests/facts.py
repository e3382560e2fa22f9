"""What an agent sends, checked strictly, and the digest that names what is approved.

An approval is for one meaning. So nothing is taken that two readers could read in two
ways: a key that stands twice, a number that is none, half of a surrogate pair.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NoReturn

from oldhand.canonical_json import canonical_json, sha256_of
from oldhand.confirm.model import Draft, Risk
from oldhand.errors import InvalidInput

MAX_BYTES = 1_000_000
"""Of a request as JSON."""
MAX_DEPTH = 32
MIN_TIMEOUT_SECONDS = 30
MAX_TIMEOUT_SECONDS = 86_400
_DIGEST_DOMAIN = "oldhand.confirm.v1\n"
_MAX_CHARS = {
    "action": 200,
    "description": 10_000,
    "target": 1_000,
    "session_key": 200,
    "risk": 10,
    "idempotency_key": 200,
    "reason": 2_000,
    "summary": 10_000,
}
_RISKS: tuple[Risk, ...] = ("low", "medium", "high")
_FIELDS = frozenset(Draft._fields) - {"idempotency_key"}


class BadField(InvalidInput):
    """One field of a request is not as it must be; `field` names it."""

    code = "bad_field"

    def __init__(self, message: str, field: str) -> None:
        """Say it, and name the field; "" where it is the whole."""
        super().__init__(message)
        self.field = field


def read_json(data: bytes) -> object:
    """Read JSON that has one meaning only.

    Raises:
        BadField: It is no UTF-8 or no JSON, holds a key twice, NaN or an infinity, half a
            surrogate pair, or is nested deeper than `MAX_DEPTH`.

    Example:
        >>> read_json(b'{"n": 9007199254740993}')
        {'n': 9007199254740993}
    """
    try:
        value: object = _decoder().decode(data.decode("utf-8"))
    except BadField:
        raise
    except RecursionError as fault:
        raise _too_deep() from fault
    except ValueError as fault:
        raise BadField(f"the body is no JSON: {fault}", "") from fault
    _check_value(value, MAX_DEPTH)
    return value


def check_draft(body: object, *, idempotency_key: str | None = None) -> Draft:
    """Check what was sent.

    Args:
        body: A JSON value: `action` and `details` are needed, the other fields of `Draft`
            may be left out.
        idempotency_key: From a header.

    Raises:
        BadField: A field is missing, unknown, of another type or too long.

    Example:
        >>> check_draft({"action": "deploy", "details": {"env": "test"}}).risk
        'low'
    """
    if not isinstance(body, Mapping):
        raise BadField(f"the body is {_kind(body)}; expected an object", "")
    if not body.keys() <= _FIELDS:
        unknown = sorted(str(key) for key in body.keys() - _FIELDS)
        known = ", ".join(sorted(_FIELDS))
        raise BadField(f"{unknown[0]!r} is no field; there are {known}", unknown[0])
    for field in ("action", "details"):
        if field not in body:
            raise BadField(f"{field} is missing", field)
    details = body["details"]
    if not isinstance(details, Mapping):
        raise BadField(f"details is {_kind(details)}; expected an object", "details")
    _check_value(details, MAX_DEPTH - 1)
    action = text_field(body, "action").strip()
    if not action:
        raise BadField("action is empty", "action")
    said = text_field(body, "risk") or "low"
    risk = next((known for known in _RISKS if known == said), None)
    if risk is None:
        raise BadField(f"risk is {said!r}; expected low, medium or high", "risk")
    key = text_field({"idempotency_key": idempotency_key}, "idempotency_key") or None
    return Draft(
        action=action,
        details=dict(details),
        description=text_field(body, "description"),
        target=text_field(body, "target"),
        session_key=text_field(body, "session_key"),
        timeout_seconds=_timeout(body.get("timeout_seconds")),
        risk=risk,
        idempotency_key=key,
    )


def digest_of(
    draft: Draft, *, requester: str, policy_digest: str, details: object = None
) -> str:
    """Name what is approved: the action, its details and target, who asks, and the policy.

    Args:
        draft: What was asked; its description and timeout are approved by nobody.
        requester: Who asks.
        policy_digest: Names the policy that held.
        details: Instead of the draft's, where a person edited them.

    Returns:
        A SHA-256, 64 hexadecimal digits.
    """
    meant = {
        "action": draft.action,
        "details": draft.details if details is None else details,
        "target": draft.target,
        "requester": requester,
        "session_key": draft.session_key,
        "policy": policy_digest,
    }
    return sha256_of((_DIGEST_DOMAIN + canonical_json(meant)).encode())


def check_details(details: object) -> dict[str, Any]:
    """Check details that were edited or presented, by the rules for those of a draft.

    Raises:
        BadField: They are no object, or hold what no JSON of one meaning holds.
    """
    if not isinstance(details, Mapping):
        raise BadField(f"details is {_kind(details)}; expected an object", "details")
    _check_value(details, MAX_DEPTH - 1)
    return dict(details)


def text_field(body: Mapping[str, object], field: str) -> str:
    """Return a field that must be a text; "" where it is missing or null.

    Raises:
        BadField: It is of another type, too long, or no text in Unicode.
    """
    value = body.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadField(f"{field} is {_kind(value)}; expected a text", field)
    most = _MAX_CHARS[field]
    if len(value) > most:
        raise BadField(f"{field} has {len(value)} characters; at most {most}", field)
    if not _is_text(value):
        raise BadField(f"{field} holds a character that is no text", field)
    return value


def _timeout(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        allowed = MIN_TIMEOUT_SECONDS <= value <= MAX_TIMEOUT_SECONDS
        if allowed:
            return value
    raise BadField(
        f"timeout_seconds is {value!r}; expected a whole number from "
        f"{MIN_TIMEOUT_SECONDS} to 3600, longer where the policy says so",
        "timeout_seconds",
    )


def _check_value(value: object, depth: int) -> None:
    if isinstance(value, (dict, list, Mapping)):
        if depth < 1:
            raise _too_deep()
        if not isinstance(value, list):
            _check_keys(value)
            value = value.values()
        for held in value:
            # Here and not by a call, as all that is sent is looked at twice: 6 of 9 us.
            if isinstance(held, str) and held.isascii() and "\0" not in held:
                continue
            _check_value(held, depth - 1)
    elif (fault := _fault_of(value)) is not None:
        raise BadField(fault, "details")


def _check_keys(keys: Iterable[object]) -> None:
    for key in keys:
        if not isinstance(key, str):
            raise BadField(f"a key is {_kind(key)}; expected a text", "details")
        if not (key.isascii() and "\0" not in key) and (fault := _fault_of(key)):
            raise BadField(fault, "details")


def _fault_of(value: object) -> str | None:
    """Say what keeps a value that holds no others from being approved."""
    if isinstance(value, str):
        return (
            None if _is_text(value) else "a text holds a NUL or half a surrogate pair"
        )
    if isinstance(value, float):
        return None if math.isfinite(value) else "a number is not finite"
    is_json = value is None or isinstance(value, (bool, int))
    return None if is_json else f"{_kind(value)} is no JSON value"


def _is_text(text: str) -> bool:
    return "\0" not in text and (text.isascii() or _is_unicode(text))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@cache
def _decoder() -> json.JSONDecoder:
    """Return the reader of all bodies: `json.loads` would make one for each."""
    return json.JSONDecoder(
        object_pairs_hook=_without_doubles, parse_constant=_refuse_constant
    )


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise BadField(f"the key {key!r} stands twice", key)
        made[key] = value
    return made


def _refuse_constant(name: str) -> NoReturn:
    raise BadField(f"{name} is no JSON number", "")


def _too_deep() -> BadField:
    return BadField(f"nested deeper than {MAX_DEPTH}", "details")


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    names |= {int: "a number", float: "a number", type(None): "null"}
    return names.get(type(value), f"a {type(value).__name__}")

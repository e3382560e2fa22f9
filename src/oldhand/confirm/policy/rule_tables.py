"""One `[[rule]]` of a policy file, checked key by key."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from oldhand.confirm.policy.matching import read_match
from oldhand.confirm.policy.model import (
    EFFECTS,
    NAMES_OF_OURS,
    RISKS,
    Effect,
    Remember,
    RememberLimits,
    Risk,
    Rule,
)
from oldhand.confirm.policy.places import Places
from oldhand.confirm.policy.quantities import read_duration, read_limit
from oldhand.errors import InvalidInput

_DAY = 86_400
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_MAX_WHY_CHARS = 500
_RESERVED = ("quorum", "strong", "channels", "escalate")
_NEEDED = ("id", "effect", "match")
_OF_EFFECT: dict[Effect, tuple[str, ...]] = {
    "deny": ("why", "risk"),
    "ask": ("why", "risk", "ttl", "grant_ttl", "limit", "remember"),
    "allow": ("why", "risk", "grant_ttl", "limit"),
}
"""The keys that mean something for a rule of an effect, beside those needed."""


def read_rule(table: object, number: int, places: Places) -> Rule:
    """Read a rule.

    Args:
        table: What the TOML reader made of it.
        number: Which rule of the file, from 0.
        places: Of the file.

    Raises:
        InvalidInput: Something in it is not as it must be, with line, rule and key.
    """
    if not isinstance(table, dict):
        raise InvalidInput(f"rule {number + 1} is {table!r}; expected a table")
    name = f"rule {table['id']!r}" if "id" in table else f"rule {number + 1}"
    key = "id"
    try:
        for key in _NEEDED:
            _check_is_there(key, table)
        rule_id, effect = _read_id(table["id"]), _read_effect(table)
        for key in table:
            _check_known(key, effect)
        given: dict[str, Any] = {}
        for key in filter(_READERS.__contains__, table):
            given |= _READERS[key](table[key])
        key = "match"
        conditions = read_match(table["match"], effect)
    except InvalidInput as fault:
        raise InvalidInput(f"{places.of_rule(number, key)}{name}: {fault}") from fault
    return Rule(rule_id, effect, conditions, **given)


def _check_is_there(key: str, table: dict[str, Any]) -> None:
    if key not in table:
        raise InvalidInput(f"{key} is missing")
    if key == "effect":
        _read_effect(table)


def _check_known(key: str, effect: Effect) -> None:
    known = (*_NEEDED, *_OF_EFFECT[effect])
    if key in _RESERVED:
        raise InvalidInput(f"{key} is not built yet; expected the rule without it")
    if key not in known:
        raise InvalidInput(
            f"{key!r} is no key of a rule that says {effect}; "
            f"expected {', '.join(known)}"
        )


def _read_id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise InvalidInput(
            f"id is {value!r}; expected letters, digits, dots, dashes and underscores, "
            f"at most 64"
        )
    if value in NAMES_OF_OURS:
        raise InvalidInput(
            f"id is {value!r}, which is a name of ours; expected another"
        )
    return value


def _read_effect(table: dict[str, Any]) -> Effect:
    effect = table["effect"]
    if effect not in EFFECTS:
        raise InvalidInput(f"effect is {effect!r}; expected allow, ask or deny")
    return cast("Effect", effect)


def _read_why(value: object) -> dict[str, str]:
    is_text = isinstance(value, str) and value.strip() and "\n" not in value
    if not is_text or len(str(value)) > _MAX_WHY_CHARS:
        raise InvalidInput(
            f"why is {value!r}; expected one line of at most {_MAX_WHY_CHARS} characters"
        )
    return {"why": str(value).strip()}


def _read_risk(value: object) -> dict[str, Risk]:
    if value not in RISKS:
        raise InvalidInput(f"risk is {value!r}; expected low, medium or high")
    return {"risk": value}


def _read_ttl(value: object) -> dict[str, int]:
    return {"ttl_seconds": _duration("ttl", value, least=30, most=30 * _DAY)}


def _read_grant_ttl(value: object) -> dict[str, int]:
    return {"grant_ttl_seconds": _duration("grant_ttl", value, least=1, most=_DAY)}


def _duration(key: str, value: object, *, least: int, most: int) -> int:
    try:
        return read_duration(value, least=least, most=most)
    except InvalidInput as fault:
        raise InvalidInput(f"{key}: {fault}") from fault


def _read_limit(value: object) -> dict[str, Any]:
    try:
        return {"limit": read_limit(value)}
    except InvalidInput as fault:
        raise InvalidInput(f"limit: {fault}") from fault


def _read_remember(value: object) -> dict[str, Remember]:
    if value == "never":
        return {"remember": "never"}
    if value == "session":
        return {"remember": "session"}
    if not isinstance(value, dict) or not value or value.keys() - {"for", "uses"}:
        raise InvalidInput(
            f'remember is {value!r}; expected "never", "session" or a table, as '
            f'{{ for = "30d", uses = 20 }}'
        )
    seconds = uses = None
    if "for" in value:
        seconds = _duration("remember.for", value["for"], least=60, most=366 * _DAY)
    if "uses" in value:
        uses = _uses(value["uses"])
    return {"remember": RememberLimits(seconds, uses)}


def _uses(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidInput(
            f"remember.uses is {value!r}; expected a whole number from 1 on"
        )
    return value


_READERS: dict[str, Callable[[object], dict[str, Any]]] = {
    "why": _read_why,
    "risk": _read_risk,
    "ttl": _read_ttl,
    "grant_ttl": _read_grant_ttl,
    "limit": _read_limit,
    "remember": _read_remember,
}

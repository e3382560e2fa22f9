"""Redact parsed JSON: each string by itself, and by the key that names it."""

from __future__ import annotations

import re
from typing import Any

from oldhand.lazy_pattern import LazyPattern
from oldhand.redact.find import MARK, redact_text, secrets_in
from oldhand.redact.values import is_placeholder

_MAX_DEPTH = 100
_LONGEST_NAMED = 400
_SHORTEST_TOKEN = 8

_KINDS_BY_ENDING = {
    "password": "password",
    "passwords": "password",
    "passwd": "password",
    "passphrase": "password",
    "passcode": "password",
    "pwd": "password",
    "secret": "secret",
    "apikey": "key",
    "secretkey": "key",
    "accesskey": "key",
    "privatekey": "key",
    "token": "token",
    "authorization": "authorization",
    "cookie": "cookie",
    "credential": "credential",
    "credentials": "credential",
}
_ENDING = LazyPattern(rf"(?:{'|'.join(_KINDS_BY_ENDING)})$")
_NOT_A_LETTER = LazyPattern(r"[^a-z]")


def redact_value(value: Any, *, key: str, depth: int) -> Any:  # noqa: ANN401 - JSON
    """Redact a JSON value that stands under a key, as `redact_json` says."""
    if isinstance(value, dict | list) and depth > _MAX_DEPTH:
        return None
    if isinstance(value, list):
        return [redact_value(item, key=key, depth=depth + 1) for item in value]
    if isinstance(value, dict):
        return _redact_members(value, depth + 1)
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return value
    kind = _kind_of(str(value), key, is_text=isinstance(value, str))
    if kind:
        return f"[redacted:{kind}]"
    return redact_text(value) if isinstance(value, str) else value


def _redact_members(members: dict[str, Any], depth: int) -> dict[str, Any]:
    redacted: dict[str, Any] = {}
    for key, value in members.items():
        shown = redact_text(key)
        while shown in redacted:  # two addresses, one mark
            shown += "+"
        name = "" if MARK.compiled.search(shown) else key
        redacted[shown] = redact_value(value, key=name, depth=depth)
    return redacted


def _kind_of(text: str, key: str, *, is_text: bool) -> str | None:
    """Say which kind of secret a value is as a whole, by its key; None if it is none."""
    kind = _kind_by_key(text, key, is_text=is_text) if text else None
    if kind is None or is_placeholder(text) or MARK.fullmatch(text):
        return None
    return kind


def _kind_by_key(text: str, key: str, *, is_text: bool) -> str | None:
    ending = _ENDING.search(_NOT_A_LETTER.compiled.sub("", key.lower()))
    kind = _KINDS_BY_ENDING[ending[0]] if ending else None
    if kind == "password" or (kind and is_text and len(text) >= _SHORTEST_TOKEN):
        return kind
    return _kind_of_assigned(text, key) if is_text and key else None


def _kind_of_assigned(text: str, key: str) -> str | None:
    """Ask the rules for text what they say of `"key": "value"`."""
    if len(text) > _LONGEST_NAMED or re.search(r"[\"\\\n]", text):
        return None
    start = len(key) + len('"": "')
    found = secrets_in(f'"{key}": "{text}"')
    whole = (s.rule for s in found if s.start <= start and s.end >= start + len(text))
    return next(whole, None)

"""A policy file, read strictly: what it says holds, or it is refused as a whole."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import Any, cast

from oldhand.canonical_json import digest
from oldhand.confirm.policy.index import RuleIndex
from oldhand.confirm.policy.model import EFFECTS, Effect, Limit, Rule
from oldhand.confirm.policy.places import Places
from oldhand.confirm.policy.quantities import read_limit
from oldhand.confirm.policy.rule_tables import read_rule
from oldhand.errors import InvalidInput

_VERSION = 1
_KEYS = ("version", "default", "limit", "rule")
_MAX_CHARS = 1_000_000


@dataclass(frozen=True, slots=True)
class Policy:
    """What a policy file means.

    Attributes:
        text: The file.
        digest: SHA-256 of what it means, 64 hexadecimal digits: comments and blanks do not
            change it.
        rules: In the order of the file, which decides nothing.
        default: What is said where no rule matches.
        limit: How often a requester may have a person asked for one action; None: as the
            daemon says.
        index: The rules, filed for `decide`.
    """

    text: str
    digest: str
    rules: tuple[Rule, ...]
    default: Effect
    limit: Limit | None
    index: RuleIndex = field(repr=False, compare=False)


def read_policy(text: str) -> Policy:
    r"""Read a policy file.

    Args:
        text: TOML of at most 1,000,000 characters, as `DEFAULT_POLICY_TEXT` explains it.

    Raises:
        InvalidInput: It is no TOML, has a key that is not known, or a value that is not
            what the key takes; the message names the line, the rule and the key.

    Example:
        >>> read_policy('version = 1\ndefault = "ask"').default
        'ask'
    """
    document = _read_toml(text)
    tables = document.get("rule", [])
    if not isinstance(tables, list):
        raise InvalidInput(f"rule is {tables!r}; expected [[rule]] before each rule")
    places = Places(text, len(tables))
    default = _read_head(document, places)
    limit = _read_limit(document, places)
    rules: dict[str, Rule] = {}
    for number, table in enumerate(tables):
        rule = read_rule(table, number, places)
        if rule.id in rules:
            raise InvalidInput(
                f"{places.of_rule(number, 'id')}rule {rule.id!r}: id stands twice; "
                f"expected one of its own for each rule"
            )
        rules[rule.id] = rule
    ordered = tuple(rules.values())
    index = RuleIndex(ordered)
    return Policy(text, digest(document), ordered, default, limit, index)


def _read_toml(text: str) -> dict[str, Any]:
    if len(text) > _MAX_CHARS:
        raise InvalidInput(
            f"the policy has {len(text)} characters; expected {_MAX_CHARS} at most"
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise InvalidInput(f"the policy is no TOML: {fault}") from fault
    except RecursionError as fault:
        raise InvalidInput("the policy is nested too deeply") from fault


def _read_head(document: dict[str, Any], places: Places) -> Effect:
    for key in document:
        if key not in _KEYS:
            known = ", ".join(_KEYS)
            raise InvalidInput(
                f"{places.of_key(key)}{key!r} is no key of a policy; expected {known}"
            )
    version = document.get("version")
    if version != _VERSION or isinstance(version, (bool, float)):
        raise InvalidInput(
            f"{places.of_key('version')}version is {version!r}; expected {_VERSION}"
        )
    default = document.get("default", "ask")
    if default not in EFFECTS:
        raise InvalidInput(
            f"{places.of_key('default')}default is {default!r}; "
            f"expected allow, ask or deny"
        )
    return cast("Effect", default)


def _read_limit(document: dict[str, Any], places: Places) -> Limit | None:
    if "limit" not in document:
        return None
    try:
        return read_limit(document["limit"])
    except InvalidInput as fault:
        raise InvalidInput(f"{places.of_key('limit')}limit: {fault}") from fault

"""Find every secret in a text, and put a mark in its place."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from oldhand.lazy_pattern import LazyPattern
from oldhand.redact.addresses import find_addresses
from oldhand.redact.calls import CALL_RULES
from oldhand.redact.cards import find_cards
from oldhand.redact.commands import COMMAND_RULES
from oldhand.redact.names import NAME_RULES
from oldhand.redact.places import PLACE_RULES
from oldhand.redact.prefixes import find_tokens
from oldhand.redact.rules import Rule, Secret, span_of

RULES: tuple[Rule, ...] = (
    *PLACE_RULES,
    *COMMAND_RULES,
    *CALL_RULES,
    *NAME_RULES,
)
"""The rules that keywords lead to, the more telling name before the more general."""

MARK = LazyPattern(r"\[redacted:[a-z0-9-]+\]")
"""What stands in the place of a secret."""
_MOST_LOOKS = 4  # a mark can uncover what stood right beside it


def redact_text(text: str) -> str:
    """Redact a text, as the package's `redact` says."""
    for _ in range(_MOST_LOOKS):
        secrets = secrets_in(text)
        if not secrets:
            break
        text = _replace(text, secrets)
    return text


def secrets_in(text: str) -> list[Secret]:
    """Find secrets, as the package's `find_secrets` says."""
    blanked = MARK.compiled.sub(lambda mark: "]" * len(mark[0]), text)
    folded = blanked.encode("ascii", "replace").lower()
    found = [
        *find_tokens(text, folded),
        *find_cards(text, folded),
        *find_addresses(text, folded),
        *_find_by_rules(text, folded),
    ]
    return _merge(found)


def _replace(text: str, secrets: list[Secret]) -> str:
    parts, at = [], 0
    for rule, start, end in secrets:
        parts += [text[at:start], f"[redacted:{rule}]"]
        at = end
    return "".join(parts) + text[at:]


@functools.cache
def _rules_by_keyword() -> dict[bytes, list[tuple[Rule, LazyPattern]]]:
    by_keyword: dict[bytes, list[tuple[Rule, LazyPattern]]] = {}
    for rule in RULES:
        pattern = LazyPattern(rule.pattern)
        for keyword in rule.keywords:
            by_keyword.setdefault(keyword.encode(), []).append((rule, pattern))
    return by_keyword


def _find_by_rules(text: str, folded: bytes) -> Iterator[Secret]:
    for keyword, rules in _rules_by_keyword().items():
        if keyword in folded:
            places = list(_places(keyword, folded))
            for rule, pattern in rules:
                yield from _find_by_rule(rule, pattern, text=text, places=places)


def _places(keyword: bytes, folded: bytes) -> Iterator[int]:
    at = folded.find(keyword)
    while at >= 0:
        yield at
        at = folded.find(keyword, at + 1)


def _find_by_rule(
    rule: Rule, pattern: LazyPattern, *, text: str, places: list[int]
) -> Iterator[Secret]:
    match_at = pattern.compiled.match
    read_to = 0  # what one match has read is not read again: time stays linear
    for at in places:
        match = match_at(text, at) if at >= read_to else None
        if match:
            read_to = match.end()
            if rule.check(match) and not MARK.compiled.search(text, at, read_to):
                yield Secret(rule.name, *span_of(match))


def _merge(found: list[Secret]) -> list[Secret]:
    """Join those that overlap, under the name of the one that was found first."""
    order = {secret: rank for rank, secret in reversed(list(enumerate(found)))}
    merged: list[Secret] = []
    rank = 0
    for secret in sorted(order, key=lambda secret: (secret.start, order[secret])):
        if not merged or secret.start >= merged[-1].end:
            merged.append(secret)
            rank = order[secret]
            continue
        last = merged[-1]
        name = secret.rule if order[secret] < rank else last.rule
        rank = min(rank, order[secret])
        merged[-1] = Secret(name, last.start, max(last.end, secret.end))
    return merged

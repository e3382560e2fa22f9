"""Secrets that calls in code take by their place: `auth=("bob", "…")`, `jwt.sign(x, "…")`."""

from __future__ import annotations

import re

from oldhand.lazy_pattern import LazyPattern
from oldhand.redact.rules import VALUE, Rule, before, value_of
from oldhand.redact.values import is_mixed, is_placeholder, is_random

_WORD = r"(?:\\{0,3}[\"'`][^\"'`\\\n]{1,80}\\{0,3}[\"'`]|[\w.]{1,60})"
_OPENED = r"[\w.]{0,20}(?: ?=)? ?\(\s{0,4}"
_PAIR = rf"{_OPENED}{_WORD}\s{{0,4}},\s{{0,4}}{VALUE}(?=\s{{0,4}}[,)])"
_SIGNED = (
    r"(?:\.(?:sign|encode|verify|decode)[( ]\s{0,4}"
    r"(?:\{[^{}\n]{0,200}\}|[^,\n{]{1,80}),"
    r"|(?i:(?<=hmac))\([^,\n]{1,20},|(?i:(?<=hmac))\.new\()"
    rf"\s{{0,4}}b?{VALUE}"
)
_HIDDEN = rf"(?<=[sS]et)(?i:secret)\(\s{{0,4}}{VALUE}(?=\s{{0,4}}\))"
_SENT = rf"(?i:send)[\w ]{{0,8}}(?:--? )?\(?{VALUE}"
_SEED = r"(?<![\w/+=-])(?P<seed>[A-Z2-7]{16,64}={0,6})(?![\w/+-])"
_SEEDED = rf"[^\n]{{0,48}}?{_SEED}"

_SHORTEST = 6
_ASKED = 160  # characters between a question for a password and its answer
_QUESTION = LazyPattern(r"(?i:assword|passphrase|passcode|pin\b)[^\n]{0,80}$")
_LINE_END = LazyPattern(r"(?:\\+[nr])+$")
_ALGORITHM = LazyPattern(r"(?:[HREP]S\d{3}|sha\d+|md5|utf-?\d+)", re.IGNORECASE)


def _is_literal(match: re.Match[str]) -> bool:
    """Say whether a text in quotes stands there that somebody may have chosen."""
    value = value_of(match)
    is_telling = is_random(value) or (is_mixed(value) and " " not in value)
    return (
        match.lastgroup != "bare"
        and len(value) >= _SHORTEST
        and is_telling
        and not value.startswith("-")
        and not is_placeholder(value)
        and _ALGORITHM.fullmatch(value) is None
    )


def _is_answer(match: re.Match[str]) -> bool:
    value = _LINE_END.compiled.sub("", value_of(match))
    is_asked = _QUESTION.search(before(match, _ASKED)) is not None
    is_chosen = match.lastgroup != "bare" and not is_placeholder(value)
    return is_asked and is_chosen and len(value) >= _SHORTEST


def _is_seed(match: re.Match[str]) -> bool:
    seed = value_of(match)
    return not seed.isalpha() and not seed.strip("=").isdigit() and is_random(seed)


CALL_RULES: tuple[Rule, ...] = (
    Rule("password", ("auth", "login"), rf"(?i:auth|login){_PAIR}", _is_literal),
    Rule("secret", ("jwt", "token"), rf"(?i:jwt|token){_SIGNED}", _is_literal),
    Rule("secret", ("hmac",), rf"(?i:hmac){_SIGNED}", _is_literal),
    Rule("secret", ("secret",), _HIDDEN, _is_literal),
    Rule("password", ("send",), _SENT, _is_answer),
    Rule(
        "otp-seed",
        ("otp", "seed"),
        rf"(?i:otp|seed){_SEEDED}",
        _is_seed,
    ),
)

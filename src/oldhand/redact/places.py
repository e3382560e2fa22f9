"""Secrets known by the form around them: key blocks, URLs, headers, cookies."""

from __future__ import annotations

import re

from oldhand.lazy_pattern import LazyPattern
from oldhand.redact.rules import QUOTE, Rule, before, value_of
from oldhand.redact.values import is_mixed, is_placeholder, is_random

_BETWEEN_LINES = (  # also in a listing with numbers, and in strings that are joined
    r"(?:[\s+>|#*\u2502]|-(?!-)|\\+[nrt]|\d{1,6}(?:[\u2192\s:|\u2502]|\\+t)|(?<=\n)[\w./-]{1,80}:\d{1,6}[:-]|[\"'][ ,+]{0,3}\n\s{0,80}[\"'])"
)
_KEY_BLOCK = (  # to its end; one that was cut, as far as its lines go
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-\"]|-(?!----)|(?<=\\)\")*+-----END [A-Z0-9 ]{0,40}-----"
    rf"|(?:{_BETWEEN_LINES}*+(?:[A-Za-z0-9+/=]{{24,}}"
    r"|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\n\\\"]{0,80}))*+"
    rf"(?:{_BETWEEN_LINES}*+[A-Za-z0-9+/=]{{1,23}}(?={_BETWEEN_LINES}*+-----END))?"
    rf"(?:{_BETWEEN_LINES}*+-----END [A-Z0-9 ]{{0,40}}-----)?)"
)
_USER_INFO = (
    r"://([^\s/:@\"'`<>\\]{0,80}):(?P<password>[^\s/\"'`<>\\]{1,300})@(?=[\w\[$.{%-])"
)
_USER_ALONE = r"://(?P<token>[\w.~%-]{16,300})@(?=[\w\[.-])"
_HOOK = (
    r"(?i:hook(?:s\.slack\.com/(?:services|workflows|triggers)/|s/(?=\d{6})"
    r"|/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/|b2/))(?P<path>[\w/@+-]{16,})"
)
_HOOK_PATH = (  # of other services: a path that ends in what a machine made
    r"(?i:(?:(?<=[/.])|(?<=[/.]web))hooks?[\w.-]{0,60}"
    r"(?:/(?!commit|blob|tree|raw|blame|compare|archive|releases)[a-z]\w{1,11}){0,3})"
    r"/(?P<path>(?:\d{5,12}/)?[\w-]{6,}(?:/[\w-]{6,}){0,2})"
)
_TRIGGER = r"(?i:(?<=/with/)key/(?P<key>[\w-]{16,}))"
_MASKED = (  # the lines by which a program asks a CI to hide a value
    r"(?:::add-mask::|(?i:(?<=is)secret=true\]))(?P<masked>[^\s\"'`\\]{4,})"
)
_LISTED_KEY = (  # `"keyName": "key1", "value": "…"`, and the same as a table
    r"(?i:key(?:name|\d\s)[^{}]{0,160}?)"
    r"(?<![\w+/-])(?P<key>[A-Za-z0-9+/]{86}==)"
)
_COOKIES = (
    rf"(?i:cookie){QUOTE}[ \t]{{0,3}}[:=,][ \t]{{0,3}}{QUOTE}"
    r"(?P<cookies>[\w.-]{1,60}=[^\s;,\"'`\\]{4,}(?:; ?[\w.-]{1,60}=[^\s;,\"'`\\]*)*)"
)
_AUTHORIZATION = (
    rf"(?i:authorization){QUOTE}\s{{0,3}}[:=,]\s{{0,3}}{QUOTE}"
    r"(?:[A-Za-z][\w-]{1,30}[ =]){0,2}" + rf"{QUOTE}(?P<token>[\w.~+/=:%-]{{8,}})"
)
_PHRASE = (
    r"(?i:mnemonic|phrase)(?:[\s:=\"'>]|\\+[n\"']){1,6}"
    r"(?P<words>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])"
)

_LONG_ENOUGH = 12
_IN_URL = LazyPattern(r"://[^\s\"'<>]*$")
_CAUGHT = LazyPattern(r".*/catch/\d{5,12}/[a-z0-9]{5,}")


def _has_lines(match: re.Match[str]) -> bool:
    """Leave a first line that stands alone: it is what people search for."""
    dashes = "-----"
    return match[0].count(dashes) > len(("BEGIN", "KEY")) or not match[0].endswith(
        dashes
    )


def _is_url_password(match: re.Match[str]) -> bool:
    user, password = match[1], value_of(match)
    return password != user and not is_placeholder(password)


def _is_hook(match: re.Match[str]) -> bool:
    is_made = bool(_CAUGHT.match(match[0])) or is_random(value_of(match))
    return is_made and bool(_IN_URL.search(before(match, 100)))


def _is_masked(match: re.Match[str]) -> bool:
    return not is_placeholder(value_of(match))


def _is_random_value(match: re.Match[str]) -> bool:
    return is_random(value_of(match))


def _is_bearer(match: re.Match[str]) -> bool:
    value = value_of(match)
    if is_placeholder(value):
        return False
    if match[0].lower().endswith(f"basic {value}".lower()):
        return True
    is_long = len(value) >= _LONG_ENOUGH and any(map(str.isdigit, value))
    return is_random(value) or (is_long and is_mixed(value))


PLACE_RULES: tuple[Rule, ...] = (
    Rule("private-key", ("-----begin ",), _KEY_BLOCK, _has_lines),
    Rule("url-password", ("://",), _USER_INFO, _is_url_password),
    Rule("url-token", ("://",), _USER_ALONE, _is_random_value),
    Rule("webhook", ("hook",), _HOOK),
    Rule("webhook", ("hook",), _HOOK_PATH, _is_hook),
    Rule("webhook", ("key",), _TRIGGER, _is_random_value),
    Rule("secret", ("::add-mask::", "secret"), _MASKED, _is_masked),
    Rule("key", ("key",), _LISTED_KEY),
    Rule("telegram-token", ("/bot",), r"/bot(?P<key>\d{6,12}:[\w-]{28,})"),
    Rule(
        "signature",
        ("sig",),
        r"(?<=[?&;_-])(?i:sig(?:nature)?)=(?P<sig>[\w%+/=-]{16,})",
        _is_random_value,
    ),
    Rule(
        "authorization",
        ("bearer",),
        rf"(?i:bearer)(?:\s|%20|\+){{1,3}}{QUOTE}(?P<token>[\w.~+/=:-]{{8,}})",
        _is_bearer,
    ),
    Rule("authorization", ("auth",), _AUTHORIZATION, _is_bearer),
    Rule("cookie", ("cookie",), _COOKIES, _is_random_value),
    Rule(
        "cookie",
        ("id=",),
        r"(?i:(?<=session)id|(?<=s)id)=(?P<session>[\w.%~+/-]{16,})",
        _is_random_value,
    ),
    Rule("seed-phrase", ("mnemonic", "phrase"), _PHRASE),
)

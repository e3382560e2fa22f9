"""Values that a name before them makes secret: `DB_PASSWORD=`, `"apiKey": `, `--token `.

A name that says password takes nearly any value that is no code, word or placeholder;
one that says token or key takes what a machine has made, and most keys open no lock.
"""

from __future__ import annotations

import re
from typing import Literal

from oldhand.lazy_pattern import LazyPattern
from oldhand.redact.rules import QUOTE, VALUE, Rule, before, value_of
from oldhand.redact.values import is_mixed, is_placeholder, is_random

Manner = Literal[
    "environment",  # DB_PASSWORD=value
    "assigned",  # "password": "value"
    "flag",  # --password value
    "apart",  # password value
]

_LINK = (
    rf"(?P<tail>[\w-]{{0,24}}){QUOTE}\]?"
    r"(?P<link>"
    r"(?:[ \t]{0,2}:?[ \t]?(?:[Ss]tring|str|bytes)[ \t]{0,4}(?==))?"
    r"[ \t]{0,8}(?::=|=>|==?|:|>)[ \t]{0,8}"
    rf"|(?:,|\s|\\{{1,3}}n|/?>){{1,30}}{QUOTE}[Vv]alue{QUOTE}[ \t]{{0,4}}[:=][ \t]{{0,4}}"
    r"|,?[ \t]{1,4}(?:is[ \t]|to[ \t]|<\(echo[ \t])?"
    r")"
)

_NO_SECRET_TAIL = LazyPattern(
    r"[-_]?(?:s$|ids?|hash|sha\d*|digest|fingerprint|version|files?|paths?|dir|url|uri"
    r"|names?|arn|ref|index|dates?|time|at|expir\w*|stdin|type|len\w*|count|limit|only)"
    r"(?:$|[-_A-Z])|or|ent|(?:ed|ing|iz\w*)$",
)
_SECRET_KEY = LazyPattern(
    r"(?:api|access|secret|private|auth|encrypt(?:ion)?|sign(?:ing)?|account|master"
    r"|shared|storage|service|app|application|client|consumer|licen[cs]e|deploy|webhook"
    r"|admin|subscription|functions?|ingest|hmac|aes|jwt|crypt|root|security|rest|sas"
    r"|integration|token|t?otp|mfa|2fa|connection)[-_ ]?$",
    re.IGNORECASE,
)
_PAIRED_KEY = LazyPattern(r"(?:primary|secondary)[-_ ]?$", re.IGNORECASE)
_BASE64_KEY = LazyPattern(r"(?=.*[a-z])(?=.*[A-Z])[\w+/-]{32,}={0,2}")
_OTHER_KEY = LazyPattern(
    r"(?:public|primary|foreign|cache|sort|partition|host|object|idempotency)[-_ ]?$",
    re.IGNORECASE,
)
_NAME = LazyPattern(r"[\w.-]*$")
_CODE_AFTER = LazyPattern(r"[(\[{]|\.\w")
_PATHS = ("/", "./", "../", "~")
_BASE64 = LazyPattern(r"(?=.*\d)[A-Za-z0-9+/]{20,}={0,2}")
_NEXT_ARGUMENT = LazyPattern(r"-(?![\w-]{23})|[a-z_.-]+=[^=]")
_ARN = LazyPattern(r"arn:[\w:/-]*$")
_SETTER = LazyPattern(  # `define('DB_PASSWORD', `, `setenv("PGPASSWORD", `
    r"(?:\bdefine|[sS]et[\w:]*|[pP]ut\w*|[eE]nv\w*|[gG]et\w*)"
    r"\s?\(\s?\\{0,3}[\"'][\w.-]{0,40}$"
)
_SETTING = LazyPattern(  # `config set --secret `, before a name and its value
    r"(?:\b(?:config|configure|set|put|connect)[\w:]*\s(?:[^\s;|&]{1,60}\s){0,3})[\w.:/-]{0,40}$"
)
_LOGIN = LazyPattern(r"login\s{1,4}\S{1,80}\s{1,4}$")

_LONGEST_NAME = 40
_LONGEST_ARN = 100
_LONGEST_SETTER = 120
_SHORTEST_PASSWORD = 4
_SHORTEST_WORD = 8  # of letters alone: prose says "the --password flag"
_SHORTEST_APART = 12
_SHORTEST_PHRASE = 12
_SHORTEST_KEY = 16


def _first_part_of_name(match: re.Match[str]) -> str:
    """Return what stands before the keyword in the same name: `DB_` of `DB_PASSWORD`."""
    found = _NAME.search(before(match, _LONGEST_NAME))
    return found[0] if found else ""


def _manner(match: re.Match[str]) -> Manner:
    link, first = match["link"], _first_part_of_name(match)
    if link == "=":
        rest = match.string[match.start() : match.start("link")].strip("\"'\\")
        return "environment" if (first + rest).isupper() else "assigned"
    if link == ":" and before(match, len(first) + 2)[:2] == " /":
        return "flag"  # `/password:value`
    if any(sign in link for sign in "=:>"):
        return "assigned"
    return "flag" if first.startswith("-") else "apart"


def _may_be_secret(match: re.Match[str], manner: Manner) -> bool:
    """Rule out what is no secret whatever its name: placeholders, paths, code."""
    value = value_of(match)
    if _NO_SECRET_TAIL.match(match["tail"]) or is_placeholder(value):
        return False
    if match.lastgroup == "bare" and _CODE_AFTER.match(
        match.string[match.end() : match.end() + 2]
    ):
        return False
    if _ARN.search(before(match, _LONGEST_ARN)):
        return False
    if value.startswith(_PATHS) and not _BASE64.fullmatch(value):
        return False
    is_argument = manner in {"flag", "apart"} and match.lastgroup == "bare"
    return not (is_argument and _NEXT_ARGUMENT.match(value))


def _is_secret(match: re.Match[str]) -> bool:
    manner, value = _manner(match), value_of(match)
    if not _may_be_secret(match, manner):
        return False
    if manner == "apart":
        return is_random(value) and len(value) >= _SHORTEST_APART
    if is_random(value):
        return True
    is_given = manner in {"flag", "environment"} and is_mixed(value)
    return is_given and len(value) >= _SHORTEST_WORD


def _is_named_secret(match: re.Match[str]) -> bool:
    """Take what a person chose for a signing secret as well, if it is long."""
    is_long = len(value_of(match)) >= _SHORTEST_PHRASE
    is_chosen = is_long and _manner(match) == "environment"
    return _is_secret(match) or (is_chosen and _may_be_secret(match, "environment"))


def _is_key(match: re.Match[str]) -> bool:
    if len(value_of(match)) < _SHORTEST_KEY:
        return False
    name = _first_part_of_name(match) or before(match, _LONGEST_NAME)
    is_variable = name.isupper() and not _OTHER_KEY.search(name)
    is_paired = _PAIRED_KEY.search(name) and _BASE64_KEY.fullmatch(value_of(match))
    is_telling = is_variable or is_paired or _SECRET_KEY.search(name)
    return bool(is_telling) and _is_secret(match)


def _is_password(match: re.Match[str]) -> bool:
    manner, value, tail = _manner(match), value_of(match), match["tail"]
    if not _may_be_secret(match, manner):
        return False
    if is_random(value) and (manner != "apart" or not tail):
        return True
    if len(value) < _SHORTEST_PASSWORD or tail.strip("_-0123456789"):
        return False
    return _is_chosen(match, manner)


def _is_chosen(match: re.Match[str], manner: Manner) -> bool:
    """Say whether a person may have chosen this as a password, given its manner."""
    value = value_of(match)
    is_literal = match.lastgroup != "bare"
    if manner == "environment":
        return True
    if manner == "flag":
        return is_literal or is_mixed(value) or len(value) >= _SHORTEST_WORD
    if any(map(str.isspace, value)):
        return False
    if manner == "assigned":
        return is_literal or is_mixed(value)
    if is_mixed(value) and _is_set(match, is_literal=is_literal):
        return True
    is_netrc = _LOGIN.search(before(match, _LONGEST_NAME)) is not None
    return is_netrc or (is_literal and is_mixed(value) and "," not in match["link"])


def _is_set(match: re.Match[str], *, is_literal: bool) -> bool:
    """Say whether a call or a command sets the name to the value that follows it."""
    line = before(match, _LONGEST_SETTER)
    if "," in match["link"]:
        return is_literal and bool(_SETTER.search(line))
    value = value_of(match)
    is_chosen = len(value) >= _SHORTEST_WORD and any(map(str.isdigit, value))
    return is_chosen and bool(_SETTING.search(line))


def _is_pass(match: re.Match[str]) -> bool:
    """Take less after a word that is a verb as well, and what test runners say."""
    manner = _manner(match)
    is_literal = match.lastgroup != "bare" or "=" in match["link"]
    if manner == "apart":
        is_literal = is_mixed(value_of(match)) and _is_set(match, is_literal=is_literal)
    return (manner == "flag" or is_literal) and _is_password(match)


NAME_RULES: tuple[Rule, ...] = (
    Rule(
        "password",
        ("pass", "pwd"),
        rf"(?i:passw(?:or)?d|passphrase|passwort|passcode|pwd){_LINK}{VALUE}",
        _is_password,
    ),
    Rule(
        "password",
        ("pass",),
        rf"(?i:pass)(?=[\"'\\ ]{{0,3}}[=:,> ]){_LINK}{VALUE}",
        _is_pass,
    ),
    Rule("secret", ("secret",), rf"(?i:secret){_LINK}{VALUE}", _is_named_secret),
    Rule("token", ("token",), rf"(?i:token){_LINK}{VALUE}", _is_secret),
    Rule("key", ("key",), rf"(?i:key){_LINK}{VALUE}", _is_key),
    Rule(
        "credential",
        ("auth", "cred"),
        rf"(?i:auth(?:orization)?|cred(?:ential)?s?){_LINK}{VALUE}",
        _is_secret,
    ),
)

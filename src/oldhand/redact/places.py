"""Secrets known by the form around them: key blocks, URLs, headers; cards and addresses."""

from __future__ import annotations

import base64
import binascii
import re

from oldhand.redact.rules import QUOTE, Rule, before, value_of
from oldhand.redact.values import is_mixed, is_placeholder, is_random

_KEY_BLOCK = (  # to its end; one that was cut, as far as its lines go
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]|-(?!----))*+-----END [A-Z0-9 ]{0,40}-----"
    r"|(?:(?:[\s\"'`+,>|#*]|\d{1,6}(?:\u2192|\t|\\t|:)|\\+[nrt\"'])*+"
    r"(?:[A-Za-z0-9+/=]{24,}|[A-Z][A-Za-z-]{3,12}: [^\n\\]{0,80}))*+)"
)
_USER_INFO = (
    r"://([^\s/:@\"'`<>\\]{0,80}):(?P<password>[^\s/\"'`<>\\]{1,300})@(?=[\w\[$.{%-])"
)
_USER_ALONE = r"://(?P<token>[\w.~%-]{16,300})@(?=[\w\[.-])"
_HOOK = (
    r"(?i:hook(?:s\.slack\.com/(?:services|workflows|triggers)/|s/(?=\d{6})"
    r"|/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/|b2/))(?P<path>[\w/@+-]{16,})"
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
    r"(?i:mnemonic|phrase)\W{1,6}(?P<words>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])"
)

_ADDRESS = r"(?:@|%40)(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])"
_LOCAL_PART = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-"
_FILE_ENDING = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|css|[mc]?[jt]sx?|json|md|html?|txt|py|go|rs|rb|java|[ch]|sh"
    r"|ya?ml|toml|lock|so|zip|t?gz|log|sql|service|timer)$",
    re.IGNORECASE,
)
_NOBODY = re.compile(r"(?:\bgit|no-?reply)$")
_LOGGING_IN = re.compile(
    r"(?:^|[\s;&|(\"'`n])(?:ssh|scp|sftp|rsync|mosh|autossh|sshfs|ssh-copy-id)\s[^;|&\n]*$"
)
_LONGEST_LINE = 120
_LONG_ENOUGH = 12


def _is_url_password(match: re.Match[str]) -> bool:
    user, password = match[1], value_of(match)
    return password != user and not is_placeholder(password)


def _is_random_value(match: re.Match[str]) -> bool:
    return is_random(value_of(match))


def _is_bearer(match: re.Match[str]) -> bool:
    value = value_of(match)
    if is_placeholder(value):
        return False
    has_digit = any(map(str.isdigit, value))
    return is_random(value) or (
        has_digit and is_mixed(value) and len(value) >= _LONG_ENOUGH
    )


def _is_user_and_password(match: re.Match[str]) -> bool:
    """Say whether the text is base64 of `user:password`."""
    try:
        decoded = base64.b64decode(value_of(match).rstrip("=") + "==")
    except binascii.Error:
        return False
    return b":" in decoded and decoded.isascii()


def _is_address(match: re.Match[str]) -> bool:
    """Leave what names no person: remotes, hosts to log in to, files, robots."""
    text, end = match.string, match.end()
    if _FILE_ENDING.search(match[0]):
        return False
    if text[end : end + 1] in {":", "/"} and not text[end + 1 : end + 2].isspace():
        return False
    line = before(match, _LONGEST_LINE)
    return not (_NOBODY.search(line) or _LOGGING_IN.search(line))


PLACE_RULES: tuple[Rule, ...] = (
    Rule("private-key", ("-----begin ",), _KEY_BLOCK),
    Rule("url-password", ("://",), _USER_INFO, _is_url_password),
    Rule("url-token", ("://",), _USER_ALONE, _is_random_value),
    Rule("webhook", ("hook",), _HOOK),
    Rule("google-oauth", ("1//0",), r"1//0[\w-]{20,}"),
    Rule("telegram-token", (":aa",), r":AA[\w-]{28,}", left="0123456789"),
    Rule("telegram-token", ("bot",), r"(?i:bot)(?P<key>\d{6,12}:[\w-]{28,})"),
    Rule(
        "azure-key",
        ("q~",),
        r"(?<=\d)Q~[\w.~-]{28,}",
        left=_LOCAL_PART + "~",
    ),
    Rule(
        "mailchimp-key",
        ("-us",),
        r"(?<=[0-9a-f]{32})-us\d{1,2}(?!\w)",
        left="0123456789abcdef",
    ),
    Rule(
        "terraform-token",
        (".atlasv1.",),
        r"(?i:\.atlasv1\.)[\w=-]{40,}",
        left=_LOCAL_PART,
    ),
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
    Rule(
        "authorization",
        ("basic",),
        r"(?i:basic)(?:\s|%20)(?P<pair>[A-Za-z0-9+/_-]{8,}={0,2})",
        _is_user_and_password,
    ),
    Rule("authorization", ("auth",), _AUTHORIZATION, _is_bearer),
    Rule("cookie", ("cookie",), _COOKIES, _is_random_value),
    Rule(
        "cookie",
        ("sid=", "sessionid=", "session="),
        r"(?i:sid|sessionid|session)=(?P<session>[\w.%~+/-]{16,})",
        _is_random_value,
    ),
    Rule("seed-phrase", ("mnemonic", "phrase"), _PHRASE),
    Rule("email", ("@", "%40"), _ADDRESS, _is_address, _LOCAL_PART),
)

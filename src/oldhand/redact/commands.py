"""Passwords that commands take without naming them: `curl -u`, `mysql -p`, `| sudo -S`.

What an option means depends on the command, which stands somewhere before it on the line.
"""

from __future__ import annotations

import re

from oldhand.lazy_pattern import LazyPattern
from oldhand.named_tuple import NamedTuple
from oldhand.redact.rules import BLANK, QUOTE, VALUE, Rule, before, value_of
from oldhand.redact.values import is_mixed, is_placeholder, is_random

_LONGEST_LINE = 300
_ARGUMENTS = r"(?:[^;|&\n\\]|\\\\\\n|\\[^n])*+"  # also past a line that goes on below


class _Option(NamedTuple):
    """What an option of some commands is followed by."""

    names: str
    commands: str
    gap: str = r"[ =]"
    value: str = ""


_GLUED, _EITHER = "", "[ =]?"
_PAIR, _PERCENT, _COOKIE = r"[^:]*:(.+)", r"[^%]+%(.+)", r"[\w.-]+=(.{8,})"

_OPTIONS = (
    _Option("-p", r"mysql\w*|mariadb[\w-]*|7z\w?|rar", _GLUED),
    _Option("-p", r"sshpass", _EITHER),
    _Option("-p", r"[\w-]+ (?:\w+ )?login|mongo\w*|cqlsh|twine|influx"),
    _Option("-a", r"redis-cli"),
    _Option("-w", r"ldap\w+", _EITHER),
    _Option("-P", r"zip|unzip|sqlcmd|bcp|ipmitool", _EITHER),
    _Option("-k", r"openssl"),
    _Option("-N -P", r"ssh-keygen"),
    _Option("-u --user", r"lftp", _EITHER, r"[^,]+,(.+)"),
    _Option("-P", r"mosquitto_\w+|isql|tsql|gpg-preset-passphrase"),
    _Option("-t", r"codecov|doctl|vercel|netlify"),
    _Option("-b", r"oathtool"),
    _Option("-b --body", r"(?:gh|glab) (?:secret|variable) set"),
    _Option("-u -U --user --proxy-user", r"curl", _EITHER, _PAIR),
    _Option("-a --auth", r"https?|xh", value=_PAIR),
    _Option("-U --user", r"smbclient|rpcclient|net", _EITHER, _PERCENT),
    _Option("-b --cookie", r"curl", _EITHER, _COOKIE),
)
_LINES = {
    option.commands: LazyPattern(
        rf"(?:^|[\s;&|(/\"'`]|\\[nt])(?:{option.commands}) {_ARGUMENTS}$"
    )
    for option in _OPTIONS
}
_OPTION = (
    r" (?:-[A-Za-z]{0,5}?(?P<letter>[pawPktbuUN])|(?P<word>--[a-z]{4,5}(?:-user)?))"
    rf"(?P<gap>[ =]?)(?!-){VALUE}"
)
_FED = (
    r"(?:sudo (?:-\w+ ){0,3}-\w*S|chpasswd|passwd\b|-stdin|--with-token|kinit"
    r"|cryptsetup|passphrase-fd|secrets? (?:set|create|put|add|import)|pass(?:in)? stdin)"
)
_MADE_USERS = (  # commands that take a name and a password, one after the other
    r"(?:add_user|net user|(?<=change_)password|(?<=user:)password|(?<=wpa_)passphrase)"
)
_PAIRED = (  # `-u bob -P …`, also as `/u:bob /p:…` and the other way round
    rf" [-/][uU](?:ser)?[ :=]{QUOTE}[^\s\"'`\\/-][^\s\"'`\\]{{0,80}}{QUOTE}"
    rf" {{1,3}}[-/][pPw](?:ass)?[ :=]{VALUE}"
)
_STORING = LazyPattern(
    r"(?i:securestring|(?:secret|parameter)s? (?:set|create|put|add))[^|;\n]*$"
)
_PORTS = LazyPattern(r"[\d.:/\[\]]+(?:tcp|udp)?|\w+=.*")
_FEEDING = LazyPattern(rf"{_FED}[^|;\n]*$")


def _is_typed(match: re.Match[str]) -> bool:
    """Say whether a password itself stands there, not its name, nor a file or a port."""
    is_other = match.lastgroup == "bare" and value_of(match).startswith(("-", "/"))
    return not is_other and _is_literal(value_of(match))


def _is_literal(value: str) -> bool:
    is_port = value.isdigit() and len(value) <= len("65535")
    return not (is_port or is_placeholder(value))


def _is_option(match: re.Match[str]) -> bool:
    name = match["word"] or "-" + match["letter"]
    line = before(match, _LONGEST_LINE) + " "
    return any(
        name in option.names.split()
        and _fits(option, match)
        and _LINES[option.commands].search(line) is not None
        for option in _OPTIONS
    )


def _fits(option: _Option, match: re.Match[str]) -> bool:
    if not re.fullmatch(option.gap, match["gap"]):
        return False
    value = value_of(match)
    if option.value:
        found = re.fullmatch(option.value, value)
        value = found[1] if found else ""
    return bool(value) and _is_literal(value)


def _is_fed(match: re.Match[str]) -> bool:
    return _is_typed(match) and bool(_FEEDING.search(before(match, _LONGEST_LINE)))


def _is_paired(match: re.Match[str]) -> bool:
    """Take what stands beside a user's name, unless it reads as ports or a setting."""
    value = value_of(match)
    is_chosen = match.lastgroup != "bare" or is_mixed(value)
    return is_chosen and not _PORTS.fullmatch(value) and _is_typed(match)


def _is_stored(match: re.Match[str]) -> bool:
    """Say whether a command puts the value where secrets are kept."""
    return _is_typed(match) and bool(_STORING.search(before(match, _LONGEST_LINE)))


def _is_mixed_word(match: re.Match[str]) -> bool:
    return _is_typed(match) and is_mixed(value_of(match))


def _is_random_word(match: re.Match[str]) -> bool:
    return _is_typed(match) and is_random(value_of(match))


COMMAND_RULES: tuple[Rule, ...] = (
    Rule("password", (" -",), _OPTION, _is_option),
    Rule(
        "token",
        ("login",),
        rf"login(?:=|{BLANK}{{1,4}})(?:-[^\s;|&]{{1,40}}{BLANK}{{1,4}}){{0,3}}{VALUE}",
        _is_random_word,
    ),
    Rule(
        "password",
        ("pass",),
        rf"(?<=ht)passwd(?= [^|;\n]{{0,20}}-\w{{0,4}}b)(?: -\w+){{1,3}}"
        rf"(?: [^\s-]\S{{0,80}}){{1,2}} {VALUE}",
        _is_typed,
    ),
    Rule("secret", (" -",), rf" --(?:value|secret-string)[ =]{VALUE}", _is_stored),
    Rule("password", (" -", " /u:"), _PAIRED, _is_paired),
    Rule(
        "password",
        ("add_user", "net user", "pass"),
        rf"{_MADE_USERS} {QUOTE}[^\s\"'`\\-][^\s\"'`\\]{{0,80}}{QUOTE} {{1,3}}{VALUE}",
        _is_mixed_word,
    ),
    Rule("password", ("pass",), rf"(?<![\w\]-])pass:(?! ){VALUE}", _is_typed),
    Rule("password", ("pass",), rf"(?<=require)pass{QUOTE} {VALUE}", _is_typed),
    Rule("password", ("auth",), rf"(?<=master)auth{QUOTE} {VALUE}", _is_typed),
    Rule(
        "password",
        ("echo ",),
        rf"echo (?:-\w )?{VALUE}\s{{0,4}}\|(?=[^|;\n]{{0,80}}?{_FED})",
        _is_typed,
    ),
    Rule("password", ("<<<",), rf"<<<\s{{0,4}}{VALUE}", _is_fed),
    Rule(
        "password",
        (":5432:",),
        r":5432:[^\s:]{1,60}:[^\s:]{1,60}:(?P<typed>[^\s\"'\\]{3,})",
        _is_typed,
    ),
    Rule(
        "password",
        ("identified by",),
        rf"(?i:identified by) (?=\\?['\"]){VALUE}",
        _is_typed,
    ),
    Rule(
        "secret",
        ("from-literal",),
        rf"from-literal[ =]{QUOTE}[\w.-]{{1,80}}={VALUE}",
        _is_typed,
    ),
)

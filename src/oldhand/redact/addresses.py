"""E-mail addresses of people."""

from __future__ import annotations

from collections.abc import Iterator

from oldhand.lazy_pattern import LazyPattern
from oldhand.redact.rules import Secret

_LOCAL_PART = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-"
_DOMAIN = LazyPattern(r"(?:@|%40)(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w\[])")
_FILE_ENDING = LazyPattern(
    r"(?i:\.(?:png|jpe?g|gif|svg|webp|css|[mc]?[jt]sx?|json|md|html?|txt|py|go|rs|rb|java"
    r"|[ch]|sh|ya?ml|toml|lock|so|zip|t?gz|log|sql|service|timer))$"
)
_REMOTE_PATH = LazyPattern(r"[:/][^\s]")
_NOBODY = LazyPattern(r"(?:\bgit|no-?reply)$")
_LOGGING_IN = LazyPattern(
    r"(?:^|[\s;&|(\"'`n])(?:ssh|scp|sftp|rsync|mosh|autossh|sshfs|ssh-copy-id)\s[^;|&\n]*$"
)
_LONGEST_LOCAL_PART = 64
_LONGEST_LINE = 120


def find_addresses(text: str, folded: bytes) -> Iterator[Secret]:
    """Find what is an address, but leave what only looks like one or names no person.

    Remotes (`git@host:path`), hosts to log in to, files and `noreply@` are left.

    Args:
        text: Where to look.
        folded: The text in lower case, one ASCII byte for each character.
    """
    for sign in (b"@", b"%40"):
        at = folded.find(sign)
        while at >= 0:
            domain = _DOMAIN.compiled.match(text, at)
            start = _start_of_local_part(text, at)
            if domain and start < at and _is_of_person(text, at, end=domain.end()):
                yield Secret("email", start, domain.end())
            at = folded.find(sign, at + 1)


def _start_of_local_part(text: str, at: int) -> int:
    before = text[max(0, at - _LONGEST_LOCAL_PART - 1) : at]
    length = len(before) - len(before.rstrip(_LOCAL_PART))
    if length > _LONGEST_LOCAL_PART:
        return at
    start = at - length
    if text[start - 1 : start] == "\\":  # what follows is an escape, no letter
        start += 5 if text[start] == "u" else 1
    return min(start, at)


def _is_of_person(text: str, at: int, *, end: int) -> bool:
    if _FILE_ENDING.search(text[at:end]) or _REMOTE_PATH.match(text[end : end + 2]):
        return False
    line = text[max(0, at - _LONGEST_LINE) : at]
    return not (_NOBODY.search(line) or _LOGGING_IN.search(line))

"""Placeholders: what stands for a value that is not to be told, and looks like it.

A path stays a path with its ending, an address an address, text of several lines text of
several lines: by the very classes that shapes know, so that the shape stays what it was.
"""

from __future__ import annotations

import re

from oldhand.lazy_pattern import LazyPattern

_ENDING = LazyPattern(r"\.[A-Za-z0-9]{1,6}\Z")
_DATE = LazyPattern(r"\d{4}-\d\d-\d\d")
_PLAIN_NUMBER = LazyPattern(r"[-+]?\d{1,4}(?:\.\d{1,4})?")
_SAID_BY_NOBODY = LazyPattern(r"[\W_]*", re.ASCII)

ADDRESS = "https://<url>"
DAY = "2000-01-01"
FOLDER = "<dir>/<name>"
LINES = "<text>\n"
STRING = "<str>"


def tells_nothing(text: str) -> bool:
    """Say whether a text is too little to be anybody's: a small number, or only signs.

    Example:
        >>> [tells_nothing(text) for text in ("", "20", "..", "/dev/null", "ada")]
        [True, True, True, True, False]
    """
    if text == "/dev/null" or _PLAIN_NUMBER.compiled.fullmatch(text):
        return True
    return text.isascii() and _SAID_BY_NOBODY.compiled.fullmatch(text) is not None


def candidates(value: str) -> list[str]:
    """Return what may stand for a text, what resembles it most first.

    Which of them keeps the shape is for the caller to ask.

    Example:
        >>> candidates("/home/ada/main.go")[0]
        '<dir>/<file>.go'
    """
    found = [ADDRESS, FOLDER, STRING, DAY, LINES]
    if ending := _ENDING.compiled.search(value):
        # A short one, as the name of a file often is, may not have been taken for a path.
        found[:0] = [f"<dir>/<file>{ending[0]}"]
    best = _likeness(value)
    return sorted(found, key=lambda one: one != best)


def _likeness(value: str) -> str:
    if "\n" in value:
        return LINES
    if value.startswith(("http://", "https://")):
        return ADDRESS
    if ending := _ENDING.compiled.search(value):
        return f"<dir>/<file>{ending[0]}"
    if "/" in value and " " not in value:
        return FOLDER
    return DAY if _DATE.compiled.match(value) else STRING

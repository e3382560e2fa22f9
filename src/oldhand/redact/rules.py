"""What a rule is, and the pieces of patterns that several of them share."""

from __future__ import annotations

import re
from collections.abc import Callable

from oldhand.lazy_pattern import LazyPattern
from oldhand.named_tuple import NamedTuple

Check = Callable[[re.Match[str]], bool]

_QUOTED = r"""(?P<q>["'`])(?P<quoted>(?:\\.|(?!(?P=q))[^\\\n]){1,400}+)(?P=q)"""
_ESCAPED = (  # quoted inside JSON text, or inside JSON text inside JSON text
    r"""(?P<e>\\{1,3}["'`])(?P<escaped>(?:(?!(?P=e))(?:\\\\\\?.|[^\\\n])){1,400}+)(?P=e)"""
)
_BARE_PART = (
    r"""(?:[^\s"'`\\,;&|<>(){}\[\]]|\\{1,2}[$!&*@#^])*"""
    r"""[^\s"'`\\,;&|<>(){}\[\]:.]"""
)
_JOINT = (  # `,`, `;` or `&` in a password, no name of a next value and no next command
    r"""[,;&](?![\w.-]{1,40}(?:[=:]|\\{0,3}["'`(])|\w[\w -]{1,40}=)(?![a-z_./-]+(?:[\s"'`\\|<>(){}\[\]]|$))"""
)
_BARE = rf"(?P<bare>{_BARE_PART}(?:{_JOINT}{_BARE_PART}){{0,8}})"

VALUE = rf"(?:{_QUOTED}|{_ESCAPED}|{_BARE})"
"""A word, or anything in quotes, also where the text is the inside of a JSON string."""

QUOTE = r"""(?:\\{0,3}["'`])?"""
BLANK = r"(?:[ \t]|\\\\?[nt]|\\?\n)"
"""A gap between the words of a command, also where a line goes on below."""

_BEFORE = LazyPattern(
    r"(?:(?<![\w\]-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4}))"
)


class Secret(NamedTuple):
    """Where a secret stands: `text[start:end]`."""

    rule: str
    start: int
    end: int


def always(_match: re.Match[str]) -> bool:
    """Accept what the pattern matched."""
    return True


class Rule(NamedTuple):
    """One way to know a secret by its surroundings.

    The pattern is tried where a keyword stands, and nowhere else: text without any of
    the keywords costs one search for each. The group that closes last is the secret if
    it has a name, else the whole match is.
    """

    name: str
    """As the mark says it: `[redacted:name]`."""
    keywords: tuple[str, ...]
    """In lower case, ASCII, each the beginning of a match."""
    pattern: str
    """Takes linear time: what repeats without bound cannot match at two beginnings."""
    check: Check = always


def span_of(match: re.Match[str]) -> tuple[int, int]:
    """Return where the secret stands in what a rule's pattern matched."""
    return match.span(match.lastgroup or 0)


def value_of(match: re.Match[str]) -> str:
    """Return the secret in what a rule's pattern matched."""
    return match[match.lastgroup or 0]


def before(match: re.Match[str], characters: int) -> str:
    """Return up to so many characters that stand before the match."""
    return match.string[max(0, match.start() - characters) : match.start()]


def is_alone(text: str, at: int) -> bool:
    r"""Say whether a word can begin here: no letter stands before, nor `-`, nor a mark.

    A letter that ends an escape, as in `\n`, `%3D` and `\u003d`, is none.
    """
    return _BEFORE.compiled.match(text, at) is not None

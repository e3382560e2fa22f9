"""A text as HTML in which nothing hides: what cannot be seen, or seems another letter, shows.

`oldhand.notices.visible` does it for plain text. A page has room for more: each mark stands
out by its looks and names its character, and letters that look like those of English, such
as a Cyrillic one in a word of Latin ones, have their code behind them. A text that holds
such marks itself has its brackets marked, so that none is forged.
"""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup, escape

from oldhand.notices.visible import visible
from oldhand.web.pages.lookalikes import LETTERS, SIGNS

_OVERLAYS = frozenset(map(chr, range(0x0334, 0x0339)))
_WORD = re.compile(r"\w+")
_MOST_STACKED = 2
# What pushes a text out of sight: a run of spaces, or of empty lines.
_GAPS = re.compile(r"(?<=\S)[ \t]{20,}+(?=\S)|[ \t]{80,}+")
_PADDING = re.compile(_GAPS.pattern + r"|\n(?:[ \t]*+\n){5,}+")
_BRACKETS = frozenset("⟨⟩")


def mark(text: str, *, is_multiline: bool = True) -> Markup:
    """Return a text as HTML in which everything shows.

    Args:
        text: Anybody's.
        is_multiline: A line's end is one, and a tab a tab; else they are marked as well.

    Example:
        >>> print(mark("<b>"))
        &lt;b&gt;
    """
    pieces: list[Markup] = []
    at = 0
    for gap in (_PADDING if is_multiline else _GAPS).finditer(text):
        pieces += (_marked(text[at : gap.start()], is_multiline), _gap(gap[0]))
        at = gap.end()
    pieces.append(_marked(text[at:], is_multiline))
    return Markup("").join(pieces)


def _marked(text: str, is_multiline: bool) -> Markup:
    usual = "\n\t" if is_multiline else ""
    if text.isascii() and text.translate(dict.fromkeys(map(ord, usual))).isprintable():
        return escape(text)
    suspicious = _suspicious(text)
    pieces: list[str] = []
    plain_from = stacked = 0
    for at, char in enumerate(text):
        stacked = stacked + 1 if unicodedata.combining(char) else 0
        if char in usual:
            continue
        code = _code_of(char, is_stacked=stacked > _MOST_STACKED)
        if code is None and at not in suspicious:
            continue
        pieces.append(str(escape(text[plain_from:at])))
        pieces.append(_mark(char, is_seen=code is None))
        plain_from = at + 1
    pieces.append(str(escape(text[plain_from:])))
    return Markup("".join(pieces))  # noqa: S704 - each piece is escaped


def _gap(text: str) -> Markup:
    lines = text.count("\n") - 1
    if lines < 0:
        said = f"{len(text)} spaces"
        return Markup('<span class="odd">⟨{}⟩</span>').format(said)
    return Markup('\n<span class="odd">⟨{}⟩</span>\n').format(f"{lines} empty lines")


def _code_of(char: str, *, is_stacked: bool) -> str | None:
    """Return a character's code where it must not stand by itself."""
    is_hidden = visible(char) != char or char in _OVERLAYS or char in _BRACKETS
    return f"U+{ord(char):04X}" if is_hidden or is_stacked else None


def _suspicious(text: str) -> frozenset[int]:
    """Find the characters that seem to be others; positions in the text."""
    found = {at for at, char in enumerate(text) if _is_sign(char)}
    for word in _WORD.finditer(text):
        letters = word[0]
        if letters.isascii():
            continue
        alike = [at for at, char in enumerate(letters) if _is_alike(char)]
        is_mixed = any(char.isascii() and char.isalpha() for char in letters)
        if is_mixed or len(alike) == len(letters):
            found.update(word.start() + at for at in alike)
    return frozenset(found)


def _is_alike(char: str) -> bool:
    return char in LETTERS or _is_sign(char)


def _is_sign(char: str) -> bool:
    if char.isascii():
        return False
    folded = unicodedata.normalize("NFKC", char)
    is_compatible = len(folded) == 1 and folded.isascii() and folded.isprintable()
    return char in SIGNS or (is_compatible and not char.isdecimal()) or _is_digit(char)


def _is_digit(char: str) -> bool:
    return char.isdecimal() and unicodedata.normalize("NFKC", char).isascii()


def _mark(char: str, *, is_seen: bool) -> str:
    code = f"U+{ord(char):04X}"
    name = unicodedata.name(char, "no name")
    shown = escape(char) if is_seen else ""
    return f'<span class="odd" title="{escape(name)}">{shown}⟨{code}⟩</span>'

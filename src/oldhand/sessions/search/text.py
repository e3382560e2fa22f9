"""Text as the search index takes it, the same for both engines.

Engines split words in their own ways, and none of them splits Chinese, Japanese or Korean.
So text is folded here before an engine sees it: accents and widths are taken off, letters
outside ASCII are made small, and a run of CJK letters becomes its overlapping pairs and its
last letter: of "abc", the words "ab", "bc", "c". Each letter of a run then begins a word, so
that a single letter is found as a beginning, and any part of a run as a phrase of pairs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_CHARS = 240_000
"""Of one folded text; more may not fit into PostgreSQL's 1 MB for one message."""
MAX_WORD_CHARS = 64
"""Of one word; what is longer is data, and is known by its beginning."""
_CACHED_CHARS = 32

_CJK = (
    "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_CJK_RUN = re.compile(f"[{_CJK}]+")
_OTHER_THAN_ASCII = re.compile(r"[^\x00-\x7f]+")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_LONG_WORD = re.compile(rf"([^\W_]{{{MAX_WORD_CHARS}}})[^\W_]+")
_LETTERS = bytes(
    97 if chr(at).isalnum() or not chr(at).isascii() else 32 for at in range(256)
)
_LONG_LETTERS = b"a" * (MAX_WORD_CHARS + 1)
LETTER = f"[^\\W_{_CJK}]"
"""A pattern of one letter or digit of a word; CJK letters are words of their own."""
_UNIT = re.compile(f"[{_CJK}]|{LETTER}+")


def fold(text: str) -> str:
    """Return the text as it is indexed; ASCII letters keep their case for the engine.

    Example:
        >>> fold("Café 検索する").split()
        ['Cafe', '検索', '索す', 'する', 'る']
    """
    if not text.isascii():
        text = _OTHER_THAN_ASCII.sub(_fold_run, text)
    if _LONG_LETTERS in text.encode().translate(_LETTERS):  # 20 times quicker to ask
        text = _LONG_WORD.sub(r"\1", text)
    return text.replace("\x00", " ")[:MAX_CHARS]


def units(text: str) -> list[str]:
    """Return the words and single CJK letters of a text, each folded, in order.

    Example:
        >>> units("src/Café.py 検索")
        ['src', 'cafe', 'py', '検', '索']
    """
    return [word[:MAX_WORD_CHARS].lower() for word in _UNIT.findall(_plain(text))]


def aligned(text: str) -> str:
    """Return the text folded letter by letter, so that places in it stay where they are.

    Example:
        >>> aligned("Élan VITAL")
        'elan vital'
    """
    if text.isascii():
        return text.lower()
    return _OTHER_THAN_ASCII.sub(_align_run, text).lower()


def is_cjk(text: str) -> bool:
    """Say whether a text is made of CJK letters alone."""
    return _CJK_RUN.fullmatch(text) is not None


def _fold_run(found: re.Match[str]) -> str:
    run = found[0]
    return _pairs(run) if len(run) > _CACHED_CHARS else _cached_pairs(run)


def _pairs(run: str) -> str:
    return _CJK_RUN.sub(_pairs_of_letters, _plain(run))


_cached_pairs = lru_cache(maxsize=10_000)(_pairs)


def _pairs_of_letters(found: re.Match[str]) -> str:
    run = found[0]
    pairs = [run[at : at + 2] for at in range(len(run))]
    return f" {' '.join(pairs)} "


def _plain(run: str) -> str:
    """Fold case, width and accents; what is no letter or digit becomes a space."""
    decomposed = unicodedata.normalize("NFKD", run.casefold())
    composed = unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))
    return "".join(letter if letter.isalnum() else " " for letter in composed)


def _align_run(found: re.Match[str]) -> str:
    return "".join(map(_one, found[0]))


@lru_cache(maxsize=10_000)
def _one(letter: str) -> str:
    """Fold a letter to one; what does not fit is a letter that no query holds."""
    folded = _plain(letter).strip().lower()
    return folded if len(folded) == 1 else "\N{REPLACEMENT CHARACTER}"

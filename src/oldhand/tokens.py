"""How many tokens a text will cost, estimated without a tokenizer and never too low.

Budgets are in tokens, and every model counts its own. Tokenizers weigh megabytes, and
some are not published at all, so this counts what their tokens are made of: letters,
starts of words, digits, punctuation and breaks, each with a weight. The weights bound
seven published tokenizers from above on blocks of real tool calls and results, and by how
much `bench/token_estimate.py` prints. One with a vocabulary of 32,000 needs the most, and
about as many as current Claude models bill for the same text. Counting bytes is also what
makes it fast, and what makes the estimates of parts add up.

It stays too low where there are no words to count: long runs of random lower-case
letters, base64, rare scripts.
"""

from __future__ import annotations

import math

_LETTER, _DIGIT, _MARK, _BREAK, _SPACE = b"a0.\n "
_FOLLOWING, _TWO_BYTES, _CYRILLIC, _INDIC, _SYMBOL, _ASIAN, _FOUR_BYTES = b"_2cis34"

_FIRST_BYTES = (  # below this byte, a character of this kind begins, in UTF-8
    (0xC0, _FOLLOWING),
    (0xD0, _TWO_BYTES),
    (0xD4, _CYRILLIC),
    (0xE0, _TWO_BYTES),
    (0xE2, _INDIC),
    (0xE3, _SYMBOL),  # U+2000 to U+2FFF: quotes, dashes, arrows, boxes, ticks
    (0xF0, _ASIAN),
    (0x100, _FOUR_BYTES),
)


def _kind_of(byte: int) -> int:
    letter = chr(byte)
    if not letter.isascii():
        return next(kind for bound, kind in _FIRST_BYTES if byte < bound)
    if letter.isalnum():
        return _DIGIT if letter.isdigit() else _LETTER
    if letter == " ":
        return _SPACE
    return _MARK if letter.isprintable() else _BREAK


def _case_of(byte: int) -> int:
    letter = chr(byte)
    if not letter.isascii() or not letter.isalpha():
        return ord(" ")
    return ord("A" if letter.isupper() else "a")


_KINDS = bytes(map(_kind_of, range(256)))
_CASES = bytes(map(_case_of, range(256)))

# How many tokens each adds. A pair is counted where two stand together: runs of
# punctuation share tokens, spaces cost only in runs, capitals are dearer in runs.
_BY_KIND = (
    (b"a", 0.16),
    (b"0", 1.3),
    (b".", 0.9),
    (b"..", -0.4),
    (b"\n", 1.25),
    (b"  ", 0.45),
)
_BY_CASE = (  # a word begins after what is no letter, and inside camelCase
    (b" a", 0.67),
    (b" A", 0.67),
    (b"aA", 0.85),
    (b"AA", 0.5),
)
_BEYOND_ASCII = (
    (b"2", 1.3),
    (b"c", 0.7),
    (b"i", 2.3),
    (b"s", 2.0),
    (b"3", 1.7),
    (b"4", 4.5),
)
_OF_SYMBOLS = (
    (b"\xe2\x80", -0.6),  # quotes, dashes, dots
    (b"\xe2\x86", -0.8),  # arrows
    (b"\xe2\x94", -1.1),  # lines of boxes
    (b"\xe2\x95", -1.1),
    (b"\xe2\xa0", 1.1),  # spinners
)


def estimate(text: str) -> int:
    """Estimate how many tokens a text costs, rather too many than too few.

    Parts add up: `estimate(a + b) <= estimate(a) + estimate(b) + 1`, so a budget that
    was filled part by part holds for the whole, but for one token at each join.

    Args:
        text: Anything; lone surrogates are counted as well.

    Returns:
        Tokens, 0 for the empty text. On blocks of real calls about 1.15 times the count
        of the tokenizer that needs the most, 1.4 times that of one with a large
        vocabulary.

    Example:
        >>> estimate('Bash {"command": "git status --short"}')
        14
    """
    data = text.encode("utf-8", "surrogatepass")
    kinds = data.translate(_KINDS)
    cases = b" " + data.translate(_CASES)
    tokens = _weigh(kinds, _BY_KIND) + _weigh(cases, _BY_CASE)
    if len(data) > len(text):
        tokens += _weigh(kinds, _BEYOND_ASCII) + _weigh(data, _OF_SYMBOLS)
    return math.ceil(tokens)


def _weigh(data: bytes, weights: tuple[tuple[bytes, float], ...]) -> float:
    return sum(weight * data.count(part) for part, weight in weights)

"""Payment cards: the right length for their issuer, and a last digit that checks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from oldhand.lazy_pattern import LazyPattern
from oldhand.redact.rules import Secret, is_alone

_CARD = LazyPattern(
    r"(?:[45]\d{3}|2[2-7]\d\d|6[0245]\d\d|35\d\d)([ -]?)\d{4}\1\d{4}\1\d{4}"
    r"|3[47]\d\d([ -]?)\d{6}\2\d{5}|3[0689]\d\d([ -]?)\d{6}\3\d{4}"
)
_DIGITS = bytes.maketrans(
    bytes(range(256)),
    b"x" * 32 + b"-" + b"x" * 12 + b"-xx" + b"0" * 10 + b"x" * 198,
)
_FORMS = (b"0" * 14, b"0000-0000-0000-0000", b"0000-000000-0000")
_MORE_AFTER = LazyPattern(r"[\w\[-]|\.\d")


def find_cards(text: str, folded: bytes) -> Iterator[Secret]:
    """Find the numbers of payment cards, written in one or in groups.

    Args:
        text: Where to look.
        folded: The text in lower case, one ASCII byte for each character.
    """
    digits = folded.translate(_DIGITS)
    for form in _FORMS:
        at = digits.find(form)
        while at >= 0:
            match = _CARD.compiled.match(text, at)
            if match and _is_card(match):
                yield Secret("card", *match.span())
            at = digits.find(form, at + 1)


def _is_card(match: re.Match[str]) -> bool:
    text, start, end = match.string, match.start(), match.end()
    if text[start - 1 : start] == "." or not is_alone(text, start):
        return False
    return not _MORE_AFTER.compiled.match(text, end) and passes_luhn(match[0])


def passes_luhn(number: str) -> bool:
    """Say whether the last digit is the one that the others ask for.

    Example:
        >>> passes_luhn("79927398713"), passes_luhn("79927398710")
        (True, False)
    """
    digits = [int(char) for char in number if char.isdecimal()]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0

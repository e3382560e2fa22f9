"""Text that both engines can hold.

A lone surrogate has no UTF-8, and PostgreSQL holds no NUL. Each becomes U+FFFD, the
replacement character, so that one odd character never costs a message. Two surrogates that
make a character become that character.
"""

from __future__ import annotations

_REPLACEMENT = "\ufffd"


def storable(text: str) -> str:
    r"""Return a text as it can be stored: nearly always as it is.

    Example:
        >>> storable("a\0b \ud800 \ud83d\ude00")
        'a�b � 😀'
    """
    if "\0" in text:
        text = text.replace("\0", _REPLACEMENT)
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text

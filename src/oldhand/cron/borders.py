"""Where a text that is too long is cut: never in the middle of what may be a secret.

Half a secret is not known for one. So a beginning ends with a whole line, and an end begins
with one; a line too long for that loses as much as a secret may be long.
"""

from __future__ import annotations

import re

_LINE_CHARS = 20_000
"""As far is looked for the end of a line."""
_SECRET_CHARS = 2_000
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^\n]*\n?")
_KEY_BEGIN = "-----BEGIN "


def head_of(text: str) -> str:
    r"""Return a beginning that was cut anywhere, cut where that is safe.

    Example:
        >>> head_of("one line\nhalf a li")
        'one line\n'
    """
    end = text.rfind("\n", max(0, len(text) - _LINE_CHARS)) + 1
    return text[: end or max(0, len(text) - _SECRET_CHARS)]


def tail_of(text: str) -> str:
    r"""Return an end that was cut anywhere, cut where that is safe.

    Example:
        >>> tail_of("lf a line\none line\n")
        'one line\n'
    """
    start = text.find("\n", 0, _LINE_CHARS) + 1
    text = text[start or _SECRET_CHARS :]
    ended = _KEY_END.search(text, 0, _LINE_CHARS)  # of a key that began before
    if ended and _KEY_BEGIN not in text[: ended.start()]:
        return text[ended.end() :]
    return text

"""What programs write for a terminal alone: colours, and moves of its cursor.

`jq`, `grep`, test runners and compilers put them between and into words, so whoever reads
words takes them out first: to judge a call, to redact, to show.
"""

from __future__ import annotations

from oldhand.lazy_pattern import LazyPattern

_CONTROL = LazyPattern(r"\x1b\[[0-9;:]{0,24}[A-Za-z]")


def without_colours(text: str) -> str:
    r"""Return a text without a terminal's colours and moves.

    Example:
        >>> without_colours("\x1b[1;31mFAILED\x1b[0m a.py\x1b[K")
        'FAILED a.py'
    """
    return _CONTROL.compiled.sub("", text) if "\x1b" in text else text

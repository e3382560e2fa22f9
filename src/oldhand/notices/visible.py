"""What a text holds, shown: no character in it may hide, reorder or move what a person reads.

An agent's words go to the person who decides about that agent. Characters that print
nothing, that turn the direction of reading or that stand for a line's end are written out
as their code, `⟨U+202E⟩`. So are spaces other than the usual one, and long runs of that
one, which push a text out of sight or into a line of its own.
"""

from __future__ import annotations

import re

# Printable by Unicode's word, and yet nothing is seen: joiners, fillers, variation selectors.
_UNSEEN = frozenset(
    map(
        chr,
        (
            0x034F,
            0x115F,
            0x1160,
            0x17B4,
            0x17B5,
            *range(0x180B, 0x1810),
            0x2800,
            0x3164,
            *range(0xFE00, 0xFE10),
            0xFFA0,
            *range(0xE0100, 0xE01F0),
        ),
    )
)
_LONG_GAP = re.compile(" {20,}")


def visible(text: str) -> str:
    r"""Return a text of one line in which everything shows.

    Example:
        >>> visible("rm \u202e/tmp\n")
        'rm ⟨U+202E⟩/tmp⟨U+000A⟩'
        >>> visible("ls" + " " * 300 + "-l")
        'ls⟨300 spaces⟩-l'
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(
            char
            if char.isprintable() and char not in _UNSEEN
            else f"⟨U+{ord(char):04X}⟩"
            for char in text
        )
    return _LONG_GAP.sub(lambda gap: f"⟨{len(gap[0])} spaces⟩", text)

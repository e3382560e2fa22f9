"""Characters that a model reads and a person does not see.

Scripts and emoji need some of them: joiners in Persian and Hindi, in families and flags, the
selector of an emoji's colour. So those count only where they stand between plain letters.
"""

from __future__ import annotations

import re
from collections import Counter

_NAMES = (
    (0x00AD, 0x00AD, "soft hyphens"),
    (0x034F, 0x034F, "joiners"),
    (0x061C, 0x061C, "marks of direction"),
    (0x180E, 0x180E, "spaces of no width"),
    (0x200B, 0x200B, "spaces of no width"),
    (0x200C, 0x200D, "joiners"),
    (0x200E, 0x200F, "marks of direction"),
    (0x202A, 0x202E, "marks that turn the direction of reading"),
    (0x2060, 0x2064, "spaces of no width"),
    (0x2066, 0x2069, "marks that turn the direction of reading"),
    (0x206A, 0x206F, "marks of direction"),
    (0xFE00, 0xFE0F, "selectors of forms"),
    (0xFEFF, 0xFEFF, "spaces of no width"),
    (0xE0000, 0xE007F, "tags, an alphabet that is not shown"),
    (0xE0100, 0xE01EF, "selectors of forms"),
)
_ALL = "".join(f"{chr(low)}-{chr(high)}" for low, high, _ in _NAMES)
_HIDDEN = re.compile(f"[{_ALL}]")
# Between these nothing in any script calls for a character of no width.
_PLAIN = r"[\x21-\x7e]"
_JOINING = "\u00ad\u034f\u061c\u200c-\u200f\ufe00-\ufe0f"
_FLAG = "\U0001f3f4[\U000e0030-\U000e007a]{2,8}\U000e007f"
_HARMLESS = re.compile(
    rf"\A\ufeff|{_FLAG}"
    rf"|(?<!{_PLAIN})[{_JOINING}]|[{_JOINING}](?!{_PLAIN}|[{_ALL}])"
    r"|(?<=[#*0-9])\ufe0f"
)


def find_hidden(text: str) -> str:
    r"""Name the characters that are not seen and not needed; "" where there are none.

    Example:
        >>> find_hidden("pa\u200byment\u202e"), find_hidden("👩\u200d🔬 1\ufe0f⃣")
        ('spaces of no width: 1, marks that turn the direction of reading: 1', '')
    """
    if text.isascii():
        return ""
    found = _HIDDEN.findall(_HARMLESS.sub("", text))
    counts = Counter(_name_of(each) for each in found)
    return ", ".join(f"{name}: {count:,}" for name, count in counts.items())


def without_hidden(text: str) -> str:
    """Return a text without them, so that words that they part are found."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def _name_of(char: str) -> str:
    return next(name for low, high, name in _NAMES if low <= ord(char) <= high)

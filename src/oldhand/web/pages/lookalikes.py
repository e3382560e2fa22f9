"""Letters and signs that are drawn as others are, written as their codes.

What NFKC makes an ASCII character of, as fullwidth and mathematical letters, needs no table.

Source: chosen from the confusables of Unicode Technical Standard 39: those of letters,
digits and the signs that mean something to a shell, a path or an address.
"""

from __future__ import annotations

_CYRILLIC = (
    "\u0430\u0410\u0412\u0441\u0421\u0435\u0415\u0401\u041d\u04bb\u0456\u0406"
    "\u0457\u0458\u0408\u041a\u041c\u04cf\u043e\u041e\u0440\u0420\u0455\u0405"
    "\u0422\u051b\u051d\u0445\u0425\u0443\u0423\u0475\u0501"
)
_GREEK = (
    "\u03b1\u0391\u0392\u0395\u0396\u0397\u03b9\u0399\u03ba\u039a\u039c\u03bd"
    "\u039d\u03bf\u039f\u03c1\u03a1\u03c4\u03a4\u03c5\u03a5\u03a7\u03c7\u03b3"
)
_ARMENIAN = "\u0585\u057d\u0578\u0581\u0566\u0570\u0575\u0555\u054d"
_OTHER_LETTERS = "\u0261\u2113\u0131\u0237\u029f\u1d0f\u1d04\u1d20\u1d21\u1d22\ua731"
_SIGNS = (
    "\u2010\u2011\u2043\u2212\u2215\u2044\u29f8\u2571\u2216\u29f9\u01c0\u2223"
    "\u01c3\u0589\u05c3\u2236\u2024\u201a\u02d9\u02bb\u02bc\u02c8\u2032\u2035"
    "\u02cb\u003b"
)

LETTERS = frozenset(_CYRILLIC + _GREEK + _ARMENIAN + _OTHER_LETTERS)
"""Suspicious in a word of Latin letters, or where all of a word are such."""

SIGNS = frozenset(_SIGNS)
"""Suspicious wherever they stand."""

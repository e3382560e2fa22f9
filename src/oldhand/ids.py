"""Names for new things: sortable by the time they were made, unguessable after that."""

from __future__ import annotations

import os
from collections.abc import Callable

from oldhand.clock import Clock, system_clock

RandomBytes = Callable[[int], bytes]

_CROCKFORD = (
    "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: read aloud without error
)
_PAIRS = tuple(first + second for first in _CROCKFORD for second in _CROCKFORD)
_LETTERS = bytes(ord(_CROCKFORD[byte & 31]) for byte in range(256))
_ALPHANUMERIC = "0123456789abcdefghijklmnopqrstuvwxyz"


def new_id(
    *, clock: Clock = system_clock, random_bytes: RandomBytes = os.urandom
) -> str:
    """Make an id of 26 characters: 48 bits of milliseconds, then 80 random bits.

    Source: the ULID specification, in lower case.
    """
    value = (clock() // 1000 & (1 << 48) - 1) << 80 | int.from_bytes(random_bytes(10))
    return _spelled(value)


def random_id(*, random_bytes: RandomBytes = os.urandom) -> str:
    """Make an id of 26 characters of five random bits each, which nobody can guess."""
    # A byte's lower five bits for each: to spell a number out took 4 us of the 60 of asking.
    return random_bytes(26).translate(_LETTERS).decode("ascii")


def _spelled(value: int) -> str:
    # Two characters at a time, for half of the time.
    return "".join([_PAIRS[value >> shift & 1023] for shift in range(120, -1, -10)])


def call_id_for(*parts: str) -> str:
    """Make a tool-call id that every provider takes, the same for the same parts.

    Returns:
        Exactly nine characters of [0-9a-z]: Mistral takes no other length.

    Example:
        >>> call_id_for("template", "0") == call_id_for("template", "0")
        True
        >>> len(call_id_for("x"))
        9
    """
    import hashlib  # noqa: PLC0415 - 3 ms that a recorder need not pay

    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    value = int.from_bytes(hashlib.sha256(text).digest()[:8])
    letters = []
    for _ in range(9):
        value, index = divmod(value, 36)
        letters.append(_ALPHANUMERIC[index])
    return "".join(letters)

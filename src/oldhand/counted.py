"""Numbers of things as one reads them, in any message."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Write how many there are of something.

    Args:
        number: 0 or above.
        noun: In the singular, of those that take an s.

    Example:
        >>> counted(1, "session"), counted(2_000, "call")
        ('1 session', '2,000 calls')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"

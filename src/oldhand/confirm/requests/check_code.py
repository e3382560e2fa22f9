"""A short code by which a person sees that a notice and a page speak of the same request."""

from __future__ import annotations

from oldhand.canonical_json import sha256_of

_DOMAIN = "oldhand.check-code.v1\n"


def check_code(digest: str) -> str:
    """Return six digits made of a request's digest, in two groups.

    It tells honest messages apart; whoever can choose what is asked can find two requests
    of one code, so that nothing may be decided by it.

    Example:
        >>> check_code("0" * 64)
        '173 756'
    """
    number = int(sha256_of((_DOMAIN + digest).encode())[:16], 16) % 1_000_000
    return f"{number // 1000:03d} {number % 1000:03d}"

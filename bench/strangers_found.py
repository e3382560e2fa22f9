"""What the rules find in lines whose writer had not read them, and what they take by mistake.

A set shows what strangers send only until the rules are mended after it. The figures from
before that stand here as they were printed then; those of now only say that what was
mended stays so.
"""

from __future__ import annotations

import re
from collections import Counter

from bench.strangers_again import benign_again, secrets_again
from bench.strangers_benign import benign
from bench.strangers_secrets import Planted, secrets
from oldhand.redact import redact

SEEN = 8
"""So many characters of a secret in a row, left over, mean that it was not found."""
HELD_OUT = """
held out: written before their writer saw a rule, measured before any was mended
  first set     180 of 200 found (90.0 %), 8 of 1,000 other lines changed
after: rules mended by the misses above; 60 more of the missed kinds, by a writer who
knew the rules by then, measured once before the rules were mended again
  second set     45 of  60 found (75.0 %), 0 of 200 other lines changed
  by the rules from before: 10 of 60"""
_KEY_LINE = re.compile(r"[A-Za-z0-9+/]{24,}")


def print_strangers() -> None:
    """Print the figures that were held out, and those of now with each miss by kind."""
    print(HELD_OUT)
    print("now, with the rules mended after both sets (no forecast):")
    _print_set("first set", secrets(), benign())
    _print_set("second set", secrets_again(), benign_again())


def _print_set(name: str, planted: list[Planted], others: list[str]) -> None:
    missed = Counter(one.kind for one in planted if not is_found(one))
    changed = sum(redact(line) != line for line in others)
    found = len(planted) - missed.total()
    print(
        f"  {name:12} {found:4} of {len(planted):3} found"
        f" ({100 * found / len(planted):.1f} %),"
        f" {changed} of {len(others):,} other lines changed"
    )
    for kind, count in missed.items():
        print(f"    missed {count} of {kind}")


def is_found(planted: Planted) -> bool:
    """Say whether a line has lost its secret; of a key block each line counts.

    Of a URL the password or the signature is the secret, of a cookie its value, of a pair
    the second: the rest of the line may stay.
    """
    shown, secret = redact(planted.line), planted.secret
    is_block = "key block" in planted.kind
    parts = _KEY_LINE.findall(secret) if is_block else [secret]
    return all(is_gone(part, shown) for part in parts)


def is_gone(secret: str, text: str) -> bool:
    """Say whether no eight characters of a secret in a row are left in a text."""
    if len(secret) < SEEN:
        return secret not in text
    return not any(
        secret[at : at + SEEN] in text for at in range(len(secret) - SEEN + 1)
    )

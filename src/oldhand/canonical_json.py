"""One text for one value: JSON with sorted keys and no spare spaces.

Digests and prompt caches compare bytes, so what is equal must be written equally.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

# Made once: `json.dumps` makes one for each call, a fifth of the time of a small value.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)

_PLAIN = frozenset((str, int, bool, type(None)))


def canonical_json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write a JSON value so that equal values give equal text.

    Args:
        value: Dicts with string keys, lists, strings, numbers, booleans and None.

    Raises:
        ValueError: A number is not finite.
        TypeError: A value is of another type.

    Example:
        >>> canonical_json({"b": 1, "a": [True, None, "é"]})
        '{"a":[true,null,"é"],"b":1}'
    """
    # Where it is loaded anyway, orjson writes what holds no fraction in a tenth of the time:
    # fractions it writes in another way, and to import it takes 3 ms of a hook's 70.
    orjson = sys.modules.get("orjson")
    if orjson is not None and _is_plain(value):
        try:
            text: bytes = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
        except TypeError:  # a number of more than 64 bits, half of a surrogate pair
            pass
        else:
            return text.decode()
    return _ENCODER.encode(value)


def _is_plain(value: object, depth: int = 32) -> bool:
    """Say whether an object or a list holds texts, whole numbers, truths and None alone."""
    if isinstance(value, dict):
        held: Iterable[object] = value.values()
    elif isinstance(value, list):
        held = value
    else:
        return False
    for each in held:
        if type(each) not in _PLAIN and not (depth and _is_plain(each, depth - 1)):
            return False
    return True


def digest(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Name a JSON value by its content.

    Returns:
        The SHA-256 of its canonical text, 64 hexadecimal digits.
    """
    text = canonical_json(value)
    return sha256_of(text.encode("utf-8", "surrogatepass"))


def sha256_of(data: bytes) -> str:
    """Return a digest of bytes, 64 hexadecimal digits."""
    digits: str = _sha256()(data).hexdigest()
    return digits


@cache
def _sha256() -> Callable[[bytes], Any]:
    """Return Python's own SHA-256, as `random` takes it.

    `hashlib` would load OpenSSL as well: 3 ms of the 70 that a hook has. Where that is
    loaded it is taken: it needs half of the time for a row of the log.
    """
    if loaded := sys.modules.get("_hashlib"):
        quick: Callable[[bytes], Any] = loaded.openssl_sha256
        return quick
    try:
        own = import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256")
    except ImportError:  # built without it
        own = import_module("hashlib")
    made: Callable[[bytes], Any] = own.sha256
    return made

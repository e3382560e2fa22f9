"""The signed word that somebody said yes: once, to this, until then.

Three parts joined by dots, each in base64url without padding: a header, the claims as
canonical JSON, and an Ed25519 signature over the first two. Who runs an action elsewhere
verifies it offline with the public key; that it was used once is kept by `consume`.

Source: RFC 7515 (compact serialization) and RFC 8037 (EdDSA).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

from oldhand.canonical_json import canonical_json
from oldhand.confirm.model import Request
from oldhand.errors import InvalidInput

Sign = Callable[[bytes], bytes]
"""Returns an Ed25519 signature of 64 bytes."""
Verify = Callable[[bytes, bytes], bool]
"""Says whether a signature is of these bytes: signature, bytes."""

_HEADER = {"alg": "EdDSA", "typ": "oldhand-grant"}


def write_grant(request: Request, *, approved_by: str, now_us: int, sign: Sign) -> str:
    """Write the grant of a request that is being consumed."""
    claims = {
        "jti": request.grant_id,
        "request": request.id,
        "action": request.action,
        "digest": request.digest,
        "sub": request.requester,
        "approved_by": approved_by,
        "iat": now_us // 1_000_000,
        "exp": now_us // 1_000_000 + request.grant_seconds,
        "uses": 1,
    }
    signed = f"{_part(_HEADER)}.{_part(claims)}"
    return f"{signed}.{_base64(sign(signed.encode()))}"


def read_grant(grant: str, *, verify: Verify, now_us: int) -> dict[str, Any]:
    """Verify a grant and return its claims.

    Raises:
        InvalidInput: It is none, its signature is another key's, or its time is over.
    """
    header, _, rest = grant.partition(".")
    claims, _, signature = rest.partition(".")
    try:
        is_right = _read(header) == _HEADER and verify(
            _bytes(signature), f"{header}.{claims}".encode()
        )
        found = _read(claims)
    except ValueError as fault:
        raise InvalidInput("this is no grant of oldhand's") from fault
    if not is_right or not isinstance(found, dict):
        raise InvalidInput("this grant was not signed by this key")
    if found.get("exp", 0) * 1_000_000 <= now_us:
        raise InvalidInput("the time of this grant is over")
    return found


def _part(value: object) -> str:
    return _base64(canonical_json(value).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(
        text + "=" * (-len(text) % 4), altchars=b"-_", validate=True
    )


def _read(text: str) -> object:
    value: object = json.loads(_bytes(text))
    return value

"""What the daemon says of itself, to everybody."""

from __future__ import annotations

import base64

from starlette.requests import Request
from starlette.responses import Response

from oldhand.clock import to_iso
from oldhand.confirm.requests.read import pending_count
from oldhand.cron.liveness import find_liveness
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation


async def health(desk: Desk, _request: Request) -> Response:
    """Say that it answers, how many wait, and what it cannot do."""
    now_us = desk.clock()
    waiting = await desk.glance(lambda store: pending_count(store, now_us=now_us))
    seen = await desk.glance(find_liveness)
    faults = {*desk.faults, *(["policy"] if desk.policy_fault else [])}
    if not desk.is_scheduling():
        faults.add("scheduler")
    return answer(
        {
            "status": "degraded" if faults else "ok",
            "pending_count": waiting,
            "timestamp": to_iso(now_us),
            "faults": sorted(faults),
            "scheduler": seen.as_json(),
        }
    )


async def keys(desk: Desk, _request: Request) -> Response:
    """Show the public key by which grants and checkpoints are verified (RFC 8037)."""
    public = base64.urlsafe_b64encode(bytes.fromhex(desk.key.public)).rstrip(b"=")
    key = {
        "kty": "OKP",
        "crv": "Ed25519",
        "alg": "EdDSA",
        "use": "sig",
        "kid": desk.key.id,
        "x": public.decode(),
    }
    return answer({"keys": [key]})


async def openapi(desk: Desk, _request: Request) -> Response:
    """Describe the API."""
    # Here, since it is made of the operations, of which this is one.
    from oldhand.web.api import OPERATIONS  # noqa: PLC0415
    from oldhand.web.openapi import describe  # noqa: PLC0415

    return answer(describe(OPERATIONS, address=desk.address))


OPERATIONS = (
    Operation(
        "GET", "/health", health, "Say that it answers.", "open", {200: "Health"}
    ),
    Operation(
        "GET", "/.well-known/oldhand-keys", keys,
        "Show the key that signs grants.", "open", {200: "Keys"},
    ),
    Operation(
        "GET", "/openapi.json", openapi, "Describe the API.", "open", {200: "Any"}
    ),
)  # fmt: skip

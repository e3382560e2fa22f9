"""A place to try things in: a store, a clock that stands, two people and two agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oldhand.confirm.audit.verify import verify_chain
from oldhand.confirm.model import Principal, Request, Rules
from oldhand.confirm.principals import add_principal
from oldhand.confirm.requests.consume import Consumed, consume
from oldhand.confirm.requests.decide import approve, deny
from oldhand.confirm.requests.facts import check_draft
from oldhand.confirm.requests.read import find_request
from oldhand.confirm.requests.submit import submit
from oldhand.store import Query, Store
from oldhand.testing import FakeClock

DETAILS = {"env": "prod", "version": 7}
ACTION = "restart_worker"
RISKY = "deploy_production"

_KINDS = Query(
    "kinds", *["SELECT kind FROM audit WHERE request_id = :id ORDER BY seq"] * 2
)


class Office:
    """Ann owns the agent `bot`, Ben the agent `other`; solo mode is off."""

    def __init__(self, store: Store) -> None:
        """Hire them."""
        self.store = store
        self.clock = FakeClock()
        self.rules = Rules()
        self.ann = self._add("ann", "person")
        self.ben = self._add("ben", "person")
        self.bot = self._add("bot", "agent", owner="ann")
        self.other = self._add("other", "agent", owner="ben")

    def ask(
        self,
        details: Mapping[str, Any] = DETAILS,
        *,
        action: str = ACTION,
        by: Principal | None = None,
        key: str | None = None,
        **fields: Any,
    ) -> Request:
        """Submit a request."""
        body = {"action": action, "details": details} | fields
        return submit(
            self.store,
            check_draft(body, idempotency_key=key),
            requester=by or self.bot,
            rules=self.rules,
            clock=self.clock,
        )

    def approve(
        self,
        request: Request,
        by: Principal | None = None,
        **more: Any,
    ) -> Request:
        """Approve what was shown, by Ben unless it is said."""
        said: dict[str, Any] = {
            "rev": request.rev,
            "digest": request.digest,
            "via": "test",
        } | more
        return approve(
            self.store, request.id, by=by or self.ben, clock=self.clock, **said
        )

    def deny(
        self,
        request: Request,
        by: Principal | None = None,
        **more: Any,
    ) -> Request:
        """Deny what was shown, by Ben unless it is said."""
        said: dict[str, Any] = {
            "rev": request.rev,
            "digest": request.digest,
            "via": "test",
        } | more
        return deny(self.store, request.id, by=by or self.ben, clock=self.clock, **said)

    def consume(
        self,
        request: Request,
        details: Mapping[str, Any] | None = None,
        by: Principal | None = None,
    ) -> Consumed:
        """Present what was asked, or other details."""
        return consume(
            self.store,
            request.id,
            by=by or self.bot,
            action=request.action,
            details=request.details if details is None else details,
            target=request.target,
            clock=self.clock,
            sign=lambda _: b"\0" * 64,
        )

    def now(self, request: Request) -> Request:
        """Look at a request again."""
        return find_request(self.store, request.id, by=self.ann)

    def log_of(self, request: Request) -> list[str]:
        """Return what the log says became of a request."""
        return [kind for (kind,) in self.store.query_all(_KINDS, (request.id,))]

    def pass_time(self, seconds: float) -> None:
        """Let the clock go on."""
        self.clock.advance(round(seconds * 1_000_000))

    def is_intact(self) -> bool:
        """Verify the log."""
        return verify_chain(self.store).is_intact

    def _add(self, name: str, kind: Any, owner: str | None = None) -> Principal:
        return add_principal(
            self.store, name, kind=kind, owner=owner, by=None, clock=self.clock
        )

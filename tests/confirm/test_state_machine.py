"""Whatever people, agents and the clock do, in any order: the table and a model agree.

The model is a dozen lines: a request's state, digest and end. The store is the real one,
on both engines, opened anew in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from oldhand.confirm.model import Request, Rules
from oldhand.confirm.policies import put_policy
from oldhand.confirm.requests.consume import report_result
from oldhand.confirm.requests.expire import expire_due
from oldhand.confirm.requests.states import FINAL, TRANSITIONS, WHEN_OVERDUE
from oldhand.confirm.requests.withdraw import cancel, revoke
from oldhand.confirm.switches import set_solo, set_stopped
from oldhand.errors import Forbidden, NotFound, RequestConflict
from oldhand.store import open_database

from .office import Office

if TYPE_CHECKING:
    from tests.postgres_server import Server

REFUSALS = (Forbidden, NotFound, RequestConflict)
WHO = st.sampled_from(["ann", "ben", "bot", "other"])
POLICY = """
version = 1
default = "ask"
[[rule]]
id = "free"
match = { action = "free" }
effect = "EFFECT"
"""


class Machine(RuleBasedStateMachine):
    """Rules are what can happen; each checks its answer against the model."""

    asked = Bundle("asked")

    @initialize()
    def open(self) -> None:
        """Begin anew."""
        self.office = Office(open_database(self.new_url()))
        self.office.rules = Rules(per_hour=0, max_pending=0)
        put_policy(
            self.office.store, POLICY.replace("EFFECT", "allow"),
            by="ann", clock=self.office.clock,
        )  # fmt: skip
        self.known: dict[str, Request] = {}
        self.consumed: set[str] = set()
        self.newest_us = 0
        self.is_solo = self.is_stopped = False
        self.effect = "allow"

    @rule(
        target=asked,
        who=st.sampled_from(["bot", "other"]),
        action=st.sampled_from(["restart", "free"]),
        seconds=st.sampled_from([30, 300]),
    )
    def ask(self, who: str, action: str, seconds: int) -> Any:
        """Ask for something."""
        request = self.office.ask(
            action=action, by=getattr(self.office, who), timeout_seconds=seconds
        )
        effect = self.effect if action == "free" else "ask"
        if effect == "allow" and self.is_stopped:
            effect = "ask"
        states = {"allow": "auto_approved", "ask": "pending", "deny": "blocked"}
        assert request.state == states[effect]
        self._see(request)
        return multiple(request.id)

    @rule(number=asked, who=WHO, is_edited=st.booleans(), is_stale=st.booleans())
    def approve(self, number: str, who: str, is_edited: bool, is_stale: bool) -> None:
        """Try to approve."""
        shown = self.known[number]
        by = getattr(self.office, who)
        more: dict[str, Any] = {"details": {"edited": True}} if is_edited else {}
        if is_stale:
            more["rev"] = shown.rev + 1
        may = self._may_decide(shown, who) and not is_stale and not self.is_stopped
        try:
            found = self.office.approve(shown, by, **more)
        except REFUSALS:
            assert not may
            return
        assert may
        assert found.state == "approved"
        self._see(found)

    @rule(number=asked, who=WHO)
    def deny(self, number: str, who: str) -> None:
        """Try to deny."""
        shown = self.known[number]
        may = self._may_decide(shown, who)
        try:
            found = self.office.deny(shown, getattr(self.office, who))
        except REFUSALS:
            assert not may
            return
        assert may
        self._see(found)

    @rule(number=asked, who=WHO, is_changed=st.booleans())
    def consume(self, number: str, who: str, is_changed: bool) -> None:
        """Try to use an approval."""
        shown = self.known[number]
        details = {"other": 1} if is_changed else None
        may = (
            shown.state in {"approved", "auto_approved"}
            and shown.requester == who
            and not self._is_overdue(shown)
            and not is_changed
            and not self.is_stopped
        )
        try:
            found = self.office.consume(shown, details, getattr(self.office, who))
        except REFUSALS:
            assert not may
            return
        assert may
        assert number not in self.consumed
        self.consumed.add(number)
        self._see(found.request)

    @rule(number=asked, who=WHO, verb=st.sampled_from(["cancel", "revoke", "report"]))
    def end(self, number: str, who: str, verb: str) -> None:
        """Try to cancel, take back or report."""
        shown, office = self.known[number], self.office
        by = getattr(office, who)
        common: dict[str, Any] = {"by": by, "clock": office.clock}
        is_own = shown.requester == who
        is_live = not self._is_overdue(shown)
        may = {
            "cancel": is_own and shown.state == "pending" and is_live,
            "revoke": who in {"ann", "ben"}
            and shown.state in {"approved", "auto_approved"}
            and is_live,
            "report": is_own and shown.state == "consumed",
        }[verb]
        try:
            if verb == "cancel":
                found = cancel(office.store, number, **common)
            elif verb == "revoke":
                found = revoke(office.store, number, **common)
            else:
                found = report_result(office.store, number, is_success=True, **common)
        except REFUSALS:
            assert not may
            return
        assert may
        self._see(found)

    @rule(seconds=st.sampled_from([1, 29, 31, 301, 4000, -3600]))
    def pass_time(self, seconds: int) -> None:
        """Let the clock go on, or be set back."""
        self.office.pass_time(seconds)

    @rule()
    def sweep(self) -> None:
        """End what is overdue."""
        now_us = self._now_us()
        ended = set(expire_due(self.office.store, clock=self.office.clock))
        for number, shown in list(self.known.items()):
            if number in ended:
                assert shown.state not in FINAL
                assert shown.expires_at_us <= now_us
                self._see(self.office.now(shown))
                assert self.known[number].state == WHEN_OVERDUE[shown.state]

    @rule(to=st.booleans())
    def stop(self, to: bool) -> None:
        """Turn the stop switch."""
        set_stopped(
            self.office.store, to=to, by=self.office.ann, clock=self.office.clock
        )
        self.is_stopped = to

    @rule(to=st.booleans())
    def solo(self, to: bool) -> None:
        """Turn solo mode."""
        set_solo(self.office.store, to=to, by=self.office.ann, clock=self.office.clock)
        self.is_solo = to

    @rule(effect=st.sampled_from(["allow", "ask", "deny"]))
    def change_policy(self, effect: str) -> None:
        """Put another policy: what it no longer lets pass is taken back."""
        text = POLICY.replace("EFFECT", effect)
        put_policy(self.office.store, text, by="ann", clock=self.office.clock)
        self.effect = effect
        for shown in list(self.known.values()):
            found = self.office.now(shown)
            if found != shown:
                assert shown.action == "free"
                assert found.state in {"revoked", "denied"}
                self._see(found)

    @invariant()
    def everything_is_as_the_model_says(self) -> None:
        """The table holds just what was answered, and the log is whole."""
        if not hasattr(self, "known"):
            return
        for number, shown in self.known.items():
            assert self.office.now(shown) == shown, number
        assert self.office.is_intact()

    def teardown(self) -> None:
        """Close."""
        if hasattr(self, "office"):
            self.office.store.close()

    def new_url(self) -> str:
        """Name an empty database."""
        return ":memory:"

    def _see(self, found: Request) -> None:
        before = self.known.get(found.id)
        if before is not None:
            assert found.state in TRANSITIONS[before.state]
            assert found.rev == before.rev + 1
        self.known[found.id] = found

    def _may_decide(self, shown: Request, who: str) -> bool:
        owner = {"bot": "ann", "other": "ben"}[shown.requester]
        is_person = who in {"ann", "ben"}
        is_free = owner != who or self.is_solo
        is_waiting = shown.state == "pending" and not self._is_overdue(shown)
        return is_person and is_free and is_waiting

    def _is_overdue(self, shown: Request) -> bool:
        return shown.expires_at_us <= self._now_us()

    def _now_us(self) -> int:
        from oldhand.confirm.audit.read import read_audit  # noqa: PLC0415

        newest = read_audit(self.office.store, limit=1)
        return max(self.office.clock(), newest[0].at_us)


def test_requests_in_memory_behave_as_the_model() -> None:
    run_state_machine_as_test(
        Machine, settings=settings(max_examples=40, stateful_step_count=30)
    )


@pytest.mark.postgres
def test_requests_in_postgres_behave_as_the_model(postgres_server: Server) -> None:
    class InPostgres(Machine):
        def new_url(self) -> str:
            self.drops = postgres_server.new_database()
            return self.drops

        def teardown(self) -> None:
            super().teardown()
            postgres_server.drop_database(self.drops)

    run_state_machine_as_test(
        InPostgres, settings=settings(max_examples=5, stateful_step_count=15)
    )


@pytest.mark.soak
def test_requests_in_memory_behave_as_the_model_for_long() -> None:
    run_state_machine_as_test(
        Machine, settings=settings(max_examples=1_000, stateful_step_count=60)
    )

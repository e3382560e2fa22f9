"""A person decides, once, on what was shown; nobody else does."""

from __future__ import annotations

from contextlib import suppress

import pytest

from oldhand.confirm.policies import put_policy
from oldhand.confirm.principals import disable_principal
from oldhand.confirm.requests.expire import expire_due
from oldhand.confirm.requests.read import list_requests
from oldhand.confirm.requests.said import message_for_model
from oldhand.confirm.requests.withdraw import cancel, revoke
from oldhand.confirm.standing import Remember
from oldhand.confirm.switches import set_solo, set_stopped
from oldhand.errors import Forbidden, NotFound, RequestConflict

from .office import DETAILS, RISKY, Office

DENY_RESTARTS = """
version = 1
default = "ask"
[[rule]]
id = "no-restarts"
match = { action = "restart_*" }
effect = "deny"
"""


def test_what_another_person_approves_is_approved(office: Office) -> None:
    request = office.ask()

    approved = office.approve(request, reason="go on")

    assert approved == office.now(request)
    assert (approved.state, approved.decided_by, approved.rev) == ("approved", "ben", 2)
    assert office.log_of(request) == ["asked", "approved"]
    assert office.is_intact()


def test_what_is_denied_stays_denied_with_its_reason(office: Office) -> None:
    request = office.ask()

    denied = office.deny(request, reason="not on a friday")

    assert denied == office.now(request)
    assert '"not on a friday"' in message_for_model(denied)
    with pytest.raises(RequestConflict) as fault:
        office.approve(request)
    assert fault.value.why == "denied"


def test_an_agent_cannot_decide(office: Office) -> None:
    request = office.ask()

    with pytest.raises(Forbidden, match="only people decide"):
        office.approve(request, by=office.bot)
    with pytest.raises(NotFound):
        office.approve(request, by=office.other)

    assert office.now(request).state == "pending"


def test_the_owner_of_the_agent_cannot_decide(office: Office) -> None:
    request = office.ask()

    with pytest.raises(Forbidden, match="solo"):
        office.approve(request, by=office.ann)

    assert office.now(request).state == "pending"


def test_in_solo_mode_the_owner_decides_and_the_agent_does_not(office: Office) -> None:
    set_solo(office.store, to=True, by=office.ann, clock=office.clock)
    request = office.ask()

    with pytest.raises(Forbidden):
        office.approve(request, by=office.bot)

    assert office.approve(request, by=office.ann).state == "approved"


def test_who_was_disabled_decides_nothing(office: Office) -> None:
    request = office.ask()
    disable_principal(office.store, "ben", by=office.ann, clock=office.clock)

    with pytest.raises((Forbidden, RequestConflict)):
        office.approve(request)

    assert office.now(request).state == "pending"


def test_an_expired_request_is_not_approved_though_nobody_swept_it(
    office: Office,
) -> None:
    request = office.ask(timeout_seconds=30)
    office.pass_time(30)

    with pytest.raises(RequestConflict) as fault:
        office.approve(request)

    assert fault.value.why == "expired"
    assert expire_due(office.store, clock=office.clock) == [request.id]
    assert office.now(request).state == "expired"
    assert office.log_of(request) == ["asked", "expired"]


def test_a_clock_that_is_set_back_keeps_nothing_alive(office: Office) -> None:
    request = office.ask(timeout_seconds=30)
    office.pass_time(40)
    office.ask(action="something_else")  # the log has seen this time
    office.pass_time(-3600)

    with pytest.raises(RequestConflict) as fault:
        office.approve(request)

    assert fault.value.why == "expired"


def test_what_has_changed_since_it_was_shown_is_not_approved(office: Office) -> None:
    request = office.ask()

    for more in ({"rev": request.rev + 1}, {"digest": "0" * 64}):
        with pytest.raises(RequestConflict) as fault:
            office.approve(request, **more)
        assert fault.value.why == "stale"

    assert office.now(request).state == "pending"


def test_a_second_decision_is_refused(office: Office) -> None:
    request = office.ask()
    office.approve(request)

    for decide in (office.approve, office.deny):
        with pytest.raises(RequestConflict) as fault:
            decide(request)
        assert fault.value.why == "already_decided"

    assert office.log_of(request) == ["asked", "approved"]


def test_what_a_person_edited_is_what_may_run(office: Office) -> None:
    request = office.ask()
    edited = {"env": "test", "version": 7}

    approved = office.approve(request, details=edited)

    assert approved == office.now(request)
    assert (approved.details, approved.original_details) == (edited, DETAILS)
    assert approved.digest != request.digest
    assert '"path": "env"' in message_for_model(approved)
    with pytest.raises(RequestConflict) as fault:
        office.consume(request)
    assert fault.value.why == "details_mismatch"
    assert office.consume(approved).request.state == "consumed"


def test_details_can_be_edited_to_nothing(office: Office) -> None:
    request = office.ask()

    approved = office.approve(request, details={})

    assert approved == office.now(request)
    assert (approved.details, approved.original_details) == ({}, DETAILS)


def test_edited_details_must_pass_the_policy(office: Office) -> None:
    deny_prod = DENY_RESTARTS.replace(
        'action = "restart_*"', 'details.env = { eq = "live" }'
    )
    put_policy(office.store, deny_prod, by="ann", clock=office.clock)
    request = office.ask()

    with pytest.raises(RequestConflict) as fault:
        office.approve(request, details={"env": "live", "version": 7})

    assert fault.value.why == "blocked"
    assert office.now(request).state == "pending"


def test_while_the_stop_switch_is_on_nothing_is_approved_or_used(
    office: Office,
) -> None:
    approved = office.approve(office.ask())
    waiting = office.ask()
    set_stopped(office.store, to=True, by=office.ann, clock=office.clock)

    for refused in (lambda: office.approve(waiting), lambda: office.consume(approved)):
        with pytest.raises(RequestConflict) as fault:
            refused()
        assert fault.value.why == "stopped"

    assert office.deny(waiting).state == "denied"
    set_stopped(office.store, to=False, by=office.ann, clock=office.clock)
    assert office.consume(approved).request.state == "consumed"


def test_a_new_policy_takes_back_what_it_denies(office: Office) -> None:
    waiting, approved, used = office.ask(), office.approve(office.ask()), office.ask()
    office.consume(office.approve(used))

    put_policy(office.store, DENY_RESTARTS, by="ann", clock=office.clock)

    assert office.now(waiting).state == "denied"
    assert office.now(approved).state == "revoked"
    assert office.now(used).state == "consumed"
    with pytest.raises(RequestConflict) as fault:
        office.consume(approved)
    assert fault.value.why == "revoked"
    assert office.ask().state == "blocked"
    assert office.is_intact()


def test_a_grant_is_used_once(office: Office) -> None:
    approved = office.approve(office.ask())

    first = office.consume(approved)

    with pytest.raises(RequestConflict) as fault:
        office.consume(approved)
    assert fault.value.why == "already_consumed"
    assert first.request == office.now(approved)
    assert office.log_of(approved) == ["asked", "approved", "consumed"]


def test_nobody_uses_the_grant_of_another(office: Office) -> None:
    approved = office.approve(office.ask())

    for somebody in (office.other, office.ben):
        with pytest.raises(NotFound):
            office.consume(approved, by=somebody)

    assert office.now(approved).state == "approved"


@pytest.mark.parametrize(
    "details",
    [{}, {"env": "prod"}, DETAILS | {"force": True}, DETAILS | {"version": 7.0}],
)
def test_a_grant_is_for_the_letter_of_the_details(
    office: Office, details: dict[str, object]
) -> None:
    approved = office.approve(office.ask())

    with pytest.raises(RequestConflict) as fault:
        office.consume(approved, details)

    assert fault.value.why == "details_mismatch"


def test_an_approval_that_is_not_used_lapses(office: Office) -> None:
    approved = office.approve(office.ask())
    office.pass_time(300)

    with pytest.raises(RequestConflict) as fault:
        office.consume(approved)

    assert fault.value.why == "lapsed"
    expire_due(office.store, clock=office.clock)
    assert office.now(approved).state == "lapsed"


def test_what_nobody_reported_ends_as_unknown(office: Office) -> None:
    used = office.consume(office.approve(office.ask())).request
    office.pass_time(3600)

    expire_due(office.store, clock=office.clock)

    assert office.now(used).state == "unknown"


def test_a_request_can_be_cancelled_by_its_requester_alone(office: Office) -> None:
    request = office.ask()

    for somebody in (office.other, office.ann):
        with pytest.raises(NotFound):
            cancel(office.store, request.id, by=somebody, clock=office.clock)
    cancelled = cancel(office.store, request.id, by=office.bot, clock=office.clock)

    assert cancelled.state == "cancelled"
    with pytest.raises(RequestConflict) as fault:
        office.approve(request)
    assert fault.value.why == "cancelled"


def test_an_approval_can_be_taken_back_by_a_person(office: Office) -> None:
    approved = office.approve(office.ask())

    with pytest.raises(Forbidden):
        revoke(office.store, approved.id, by=office.bot, clock=office.clock)
    revoked = revoke(
        office.store, approved.id, by=office.ann, reason="wait", clock=office.clock
    )

    assert (revoked.state, revoked.reason) == ("revoked", "wait")


def test_an_agent_sees_its_own_requests_alone(office: Office) -> None:
    own, foreign = office.ask(), office.ask(by=office.other)

    seen = list_requests(office.store, by=office.bot)
    waiting = list_requests(office.store, by=office.ann, states=["pending"])

    assert [request.id for request in seen] == [own.id]
    assert [request.id for request in waiting] == [own.id, foreign.id]


def test_leave_is_never_remembered_for_what_is_always_risky(office: Office) -> None:
    request = office.ask(action=RISKY)

    with pytest.raises(Forbidden, match="no leave beforehand"):
        office.approve(request, remember=Remember(scope="requester"))

    assert office.now(request).state == "pending"


def test_what_was_refused_leaves_no_trace(office: Office) -> None:
    request = office.ask()
    before = office.log_of(request)

    for by in (office.ann, office.bot):
        with suppress(Forbidden):
            office.approve(request, by=by)

    assert office.log_of(request) == before

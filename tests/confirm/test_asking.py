"""An agent asks: what is held, let pass or blocked, and how often."""

from __future__ import annotations

import pytest

from oldhand.confirm.model import Rules
from oldhand.confirm.policies import put_policy
from oldhand.confirm.requests.facts import BadField
from oldhand.confirm.requests.read import is_held
from oldhand.confirm.standing import (
    Remember,
    add_standing_grant,
    list_standing_grants,
    revoke_standing_grant,
)
from oldhand.confirm.switches import set_solo, set_stopped
from oldhand.errors import Forbidden, InvalidInput, RequestConflict, TooMany

from .office import ACTION, DETAILS, RISKY, Office

ALLOW_TESTS = """
version = 1
default = "ask"
[[rule]]
id = "tests"
match = { action = "run_tests" }
effect = "allow"
limit = "2/1h per requester"
[[rule]]
id = "slow"
match = { action = "resize" }
effect = "ask"
ttl = "3h"
grant_ttl = "1m"
risk = "high"
"""


def test_what_no_rule_names_is_held(office: Office) -> None:
    request = office.ask(description="please", session_key="s1", target="worker-3")

    assert (request.state, request.rule, request.rev) == ("pending", "default", 1)
    assert request == office.now(request)
    assert request.expires_at_us - request.created_at_us == 300_000_000
    assert request.owner_id == office.ann.id


def test_a_session_is_held_while_a_request_of_it_waits(office: Office) -> None:
    request = office.ask(session_key="run-7")
    expired = office.ask(session_key="run-8")

    held = is_held(office.store, "run-7", clock=office.clock)
    other = is_held(office.store, "run-9", clock=office.clock)
    office.deny(request)
    denied = is_held(office.store, "run-7", clock=office.clock)
    before = is_held(office.store, "run-8", clock=office.clock)
    office.clock.at_us = expired.expires_at_us
    after = is_held(office.store, "run-8", clock=office.clock)

    assert (held, other, denied) == (True, False, False)
    assert (before, after) == (True, False)


def test_what_a_rule_allows_is_logged_and_used_once(office: Office) -> None:
    put_policy(office.store, ALLOW_TESTS, by="ann", clock=office.clock)

    request = office.ask(action="run_tests")

    assert (request.state, request.rule) == ("auto_approved", "tests")
    assert office.log_of(request) == ["auto_approved"]
    office.consume(request)
    with pytest.raises(RequestConflict):
        office.consume(request)


def test_a_rule_can_be_limited(office: Office) -> None:
    put_policy(office.store, ALLOW_TESTS, by="ann", clock=office.clock)
    office.ask(action="run_tests")
    office.ask(action="run_tests")

    with pytest.raises(TooMany):
        office.ask(action="run_tests")

    assert office.ask(action="run_tests", by=office.other).state == "auto_approved"


def test_a_rule_says_how_long_it_waits(office: Office) -> None:
    put_policy(office.store, ALLOW_TESTS, by="ann", clock=office.clock)

    request = office.ask(action="resize", timeout_seconds=9000, risk="low")

    assert (request.timeout_seconds, request.grant_seconds) == (9000, 60)
    assert request.risk == "high"
    with pytest.raises(BadField, match="at most 3600"):
        office.ask(timeout_seconds=9000)


def test_only_so_many_of_an_action_are_taken_in_an_hour(office: Office) -> None:
    for _ in range(10):
        office.ask()

    with pytest.raises(TooMany) as fault:
        office.ask()

    assert fault.value.window_seconds == 3600
    assert 1 <= fault.value.retry_after_seconds <= 3601
    assert office.ask(action="another").state == "pending"
    assert office.ask(by=office.other).state == "pending"
    office.pass_time(fault.value.retry_after_seconds)
    assert office.ask().state == "pending"


def test_the_policy_says_how_often_unless_the_daemon_does(office: Office) -> None:
    text = 'version = 1\nlimit = "3/1m"\n'
    put_policy(office.store, text, by="ann", clock=office.clock)
    for _ in range(3):
        office.ask()

    with pytest.raises(TooMany) as fault:
        office.ask()
    assert fault.value.window_seconds == 60
    office.rules = Rules(per_hour=4)
    assert office.ask().state == "pending"
    with pytest.raises(TooMany):
        office.ask()
    office.rules = Rules(per_hour=0)
    assert office.ask().state == "pending"


def test_only_so_many_wait_at_once(office: Office) -> None:
    office.rules = Rules(per_hour=0, max_pending=3)
    for number in range(3):
        office.ask(action=f"action_{number}")

    with pytest.raises(TooMany):
        office.ask(action="one_more")

    assert office.ask(by=office.other).state == "pending"


def test_the_same_key_gives_the_same_request(office: Office) -> None:
    request = office.ask(key="k1")

    again = office.ask(key="k1")

    assert again == request
    assert office.log_of(request) == ["asked"]
    assert office.ask(key="k1", by=office.other).id != request.id
    with pytest.raises(RequestConflict) as fault:
        office.ask({"env": "test"}, key="k1")
    assert fault.value.why == "key_reused"


def test_the_same_key_gives_the_same_request_after_it_was_edited(
    office: Office,
) -> None:
    request = office.ask(key="k1")
    office.approve(request, details={})

    assert office.ask(key="k1").state == "approved"


def test_people_do_not_ask(office: Office) -> None:
    with pytest.raises(Forbidden):
        office.ask(by=office.ann)


def test_a_standing_grant_lets_pass_just_what_it_says(office: Office) -> None:
    approved = office.approve(office.ask(), remember=Remember("requester", uses=2))

    passed = office.ask()

    assert approved.state == "approved"
    assert (passed.state, passed.decided_by) == ("auto_approved", "policy")
    assert passed.standing_grant is not None
    assert office.ask(DETAILS | {"version": 8}).state == "pending"
    assert office.ask(by=office.other).state == "pending"
    assert office.ask().state == "auto_approved"
    assert office.ask().state == "pending"  # its two uses are over


def test_a_standing_grant_of_a_session_is_for_that_session(office: Office) -> None:
    office.approve(office.ask(session_key="s1"), remember=Remember("session"))

    assert office.ask(session_key="s1").state == "auto_approved"
    assert office.ask(session_key="s2").state == "pending"
    assert office.ask().state == "pending"


def test_a_standing_grant_ends_by_time_or_by_a_person(office: Office) -> None:
    def give() -> str:
        return add_standing_grant(
            office.store, ACTION, details=DETAILS, by=office.ben,
            remember=Remember("requester", seconds=60), requester="bot",
            clock=office.clock,
        ).id  # fmt: skip

    give()
    assert office.ask().state == "auto_approved"
    office.pass_time(60)
    assert office.ask().state == "pending"
    second = give()
    revoke_standing_grant(office.store, second, by=office.ben, clock=office.clock)
    assert office.ask().state == "pending"
    assert list_standing_grants(office.store, now_us=office.clock()) == []


@pytest.mark.parametrize("requester", ["bot", None])
def test_who_owns_an_agent_gives_it_no_leave_beforehand(
    office: Office, requester: str | None
) -> None:
    def give() -> None:
        add_standing_grant(
            office.store, ACTION, details=DETAILS, by=office.ann,
            remember=Remember("requester"), requester=requester, clock=office.clock,
        )  # fmt: skip

    set_solo(office.store, to=True, by=office.ann, clock=office.clock)
    give()
    alone = office.ask()
    set_solo(office.store, to=False, by=office.ann, clock=office.clock)

    assert alone.state == "auto_approved"
    assert office.ask().state == "pending"
    if requester is not None:
        with pytest.raises(Forbidden, match="somebody else must give it leave"):
            give()
    else:  # others may use it
        assert office.ask(by=office.other).state == "auto_approved"


def test_a_rule_says_how_long_its_answer_may_be_remembered(office: Office) -> None:
    short = Remember("requester", seconds=600, uses=2)
    refused = {
        '{ for = "10m", uses = 2 }': [
            Remember("requester", seconds=601, uses=2),
            Remember("requester", seconds=600),
        ],
        '"session"': [short],
        '"never"': [short, Remember("session")],
    }
    for said, remembers in refused.items():
        rule = ALLOW_TESTS.replace('risk = "high"', f"remember = {said}")
        put_policy(office.store, rule, by="ann", clock=office.clock)
        for remember in remembers:
            request = office.ask(action="resize", session_key="s1")
            with pytest.raises(Forbidden):
                office.approve(request, remember=remember)
            assert office.now(request).state == "pending"

    rule = ALLOW_TESTS.replace('risk = "high"', 'remember = { for = "10m", uses = 2 }')
    put_policy(office.store, rule, by="ann", clock=office.clock)
    office.approve(office.ask(action="resize"), remember=short)

    assert office.ask(action="resize").state == "auto_approved"


def test_an_asterisk_that_is_remembered_is_an_asterisk(office: Office) -> None:
    office.approve(office.ask({"command": "ls *"}), remember=Remember("requester"))

    assert office.ask({"command": "ls /etc"}).state == "pending"
    assert office.ask({"command": "ls *"}).state == "auto_approved"


def test_no_standing_grant_lets_pass_what_is_always_risky(office: Office) -> None:
    with pytest.raises(Forbidden):
        add_standing_grant(
            office.store, RISKY, details=DETAILS, by=office.ann,
            remember=Remember("requester"), clock=office.clock,
        )  # fmt: skip

    assert office.ask(action=RISKY).state == "pending"


@pytest.mark.parametrize(
    "remember",
    [Remember("all"), Remember(seconds=0), Remember(seconds=10**9), Remember(uses=0)],
)
def test_a_standing_grant_has_an_end(office: Office, remember: Remember) -> None:
    with pytest.raises(InvalidInput):
        add_standing_grant(
            office.store, ACTION, details=DETAILS, by=office.ann, remember=remember,
            clock=office.clock,
        )  # fmt: skip


@pytest.mark.parametrize("action", ["", " \t"])
def test_a_standing_grant_names_an_action(office: Office, action: str) -> None:
    with pytest.raises(InvalidInput, match="action is empty"):
        add_standing_grant(
            office.store, action, details=DETAILS, by=office.ann,
            remember=Remember("requester"), clock=office.clock,
        )  # fmt: skip


def test_while_the_stop_switch_is_on_a_person_is_asked_for_everything(
    office: Office,
) -> None:
    put_policy(office.store, ALLOW_TESTS, by="ann", clock=office.clock)
    set_stopped(office.store, to=True, by=office.ann, clock=office.clock)

    assert office.ask(action="run_tests").state == "pending"

"""People decide by forms, on just what was on the screen."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.confirm.policies import put_policy
from oldhand.confirm.requests.decide import approve, deny
from oldhand.confirm.standing import list_standing_grants
from oldhand.confirm.switches import set_stopped
from oldhand.testing import FakeClock

from .site import Site, shown

DETAILS = {"env": "prod", "version": 7}
_MAY_BE_REMEMBERED = """
version = 1
default = "ask"
"""


def test_who_is_not_signed_in_is_led_to_sign_in_and_back(site: Site) -> None:
    request = site.ask(DETAILS)

    answer = site.browser().get(f"/inbox/{request.id}")

    assert answer.status == 303
    assert answer.headers["location"] == f"/sign-in?then=/inbox/{request.id}"


def test_signing_in_leads_to_the_page_that_was_wanted(site: Site) -> None:
    request = site.ask(DETAILS)
    browser = site.browser()
    fields = {"name": "ben", "password": site.password(site.ben)}

    answer = browser.post("/sign-in", fields | {"then": f"/inbox/{request.id}"})

    assert answer.headers["location"] == f"/inbox/{request.id}"
    assert "restart_worker" in browser.get(f"/inbox/{request.id}").text


def test_signing_in_leads_nowhere_else(site: Site) -> None:
    fields = {"name": "ben", "password": site.password(site.ben)}

    answer = site.browser().post("/sign-in", fields | {"then": "//evil.example/"})

    assert answer.headers["location"] == "/inbox"


def test_a_wrong_password_is_said_on_the_form(site: Site) -> None:
    site.password(site.ben)

    answer = site.browser().post("/sign-in", {"name": "ben", "password": "wrong one"})

    assert answer.status == 401
    assert "the name or the password is wrong" in answer.text
    assert 'value="ben"' in answer.html


def test_approving_lets_the_agent_do_it_once(site: Site) -> None:
    request = site.ask(DETAILS)

    answer = site.browser(site.ben).post(
        f"/inbox/{request.id}/approve", shown(request) | {"reason": "go on"}
    )

    assert answer.status == 303
    assert answer.headers["location"] == "/inbox?said=approved"
    now = site.now(request)
    assert (now.state, now.decided_by, now.reason) == ("approved", "ben", "go on")


def test_denying_tells_the_agent_why(site: Site) -> None:
    request = site.ask(DETAILS)

    site.browser(site.ben).post(
        f"/inbox/{request.id}/deny", shown(request) | {"reason": "not on a Friday"}
    )

    assert site.now(request).state == "denied"
    page = site.browser(site.ann).get(f"/inbox/{request.id}")
    assert "not on a Friday" in page.text
    assert "There is nothing to decide" in page.text


def test_what_has_changed_since_it_was_shown_is_not_decided(site: Site) -> None:
    request = site.ask(DETAILS)

    answer = site.browser(site.ben).post(
        f"/inbox/{request.id}/approve", {"rev": 1, "digest": "0" * 64}
    )

    assert answer.status == 409
    assert "It has changed since it was shown" in answer.text
    assert f'href="/inbox/{request.id}"' in answer.html
    assert site.now(request).state == "pending"


@pytest.mark.parametrize("field", ["rev", "digest"])
def test_a_decision_must_say_what_was_shown(site: Site, field: str) -> None:
    request = site.ask(DETAILS)
    fields = shown(request)
    del fields[field]

    answer = site.browser(site.ben).post(f"/inbox/{request.id}/approve", fields)

    assert answer.status in {400, 409}
    assert site.now(request).state == "pending"


def test_a_form_of_another_session_decides_nothing(site: Site) -> None:
    request = site.ask(DETAILS)
    browser = site.browser(site.ben)
    browser.csrf = site.browser(site.ann).csrf

    answer = browser.post(f"/inbox/{request.id}/approve", shown(request))

    assert answer.status == 403
    assert site.now(request).state == "pending"


def test_a_form_of_another_site_decides_nothing(site: Site) -> None:
    request = site.ask(DETAILS)

    answer = site.browser(site.ben).post(
        f"/inbox/{request.id}/approve", shown(request), Origin="http://evil.example"
    )

    assert answer.status == 403
    assert site.now(request).state == "pending"


def test_an_owner_sees_why_they_cannot_decide(site: Site) -> None:
    request = site.ask(DETAILS)
    browser = site.browser(site.ann)

    page = browser.get(f"/inbox/{request.id}")
    answer = browser.post(f"/inbox/{request.id}/approve", shown(request))

    assert "You cannot decide this: bot works for ann" in page.text
    assert "formaction" not in page.html
    assert answer.status == 403
    assert site.now(request).state == "pending"


def test_an_expired_request_has_no_buttons(site: Site, clock: FakeClock) -> None:
    request = site.ask(DETAILS)
    clock.advance(301_000_000)

    page = site.browser(site.ben).get(f"/inbox/{request.id}")
    answer = site.browser(site.ben).post(f"/inbox/{request.id}/approve", shown(request))

    assert "expired: nobody decided in time" in page.text
    assert "formaction" not in page.html
    assert answer.status == 409


def test_while_stopped_one_can_deny_and_not_approve(site: Site) -> None:
    request = site.ask(DETAILS)
    set_stopped(site.store, to=True, by=site.ann, clock=site.clock)
    browser = site.browser(site.ben)

    page = browser.get(f"/inbox/{request.id}")
    answer = browser.post(f"/inbox/{request.id}/approve", shown(request))
    browser.post(f"/inbox/{request.id}/deny", shown(request))

    assert "Stopped. Nothing is approved" in page.text
    assert answer.status == 409
    assert site.now(request).state == "denied"


def test_the_same_asked_often_is_decided_together(site: Site) -> None:
    asked = [site.ask(DETAILS, session_key=f"s-{at}") for at in range(3)]
    browser = site.browser(site.ben)
    ones = {
        f"one.{at}": f"{each.id} {each.rev} {each.digest}"
        for at, each in enumerate(asked)
    }

    page = browser.get("/inbox")
    browser.post("/inbox/decide", ones | {"decision": "approve"})

    assert "3 the same" in page.text
    assert all(value in page.html for value in ones.values())
    assert [site.now(each).state for each in asked] == ["approved"] * 3


def test_of_several_either_all_are_decided_or_none(site: Site) -> None:
    asked = [site.ask(DETAILS) for _ in range(3)]
    deny(
        site.store, asked[2].id, by=site.ben, rev=1, digest=asked[2].digest,
        via="test", clock=site.clock,
    )  # fmt: skip
    ones = {
        f"one.{at}": f"{each.id} {each.rev} {each.digest}"
        for at, each in enumerate(asked)
    }

    answer = site.browser(site.ben).post(
        "/inbox/decide", ones | {"decision": "approve"}
    )

    assert answer.status == 409
    states = [site.now(each).state for each in asked]
    assert states == ["pending", "pending", "denied"]


@pytest.mark.parametrize(
    "other", [{"details": {"env": "test"}}, {"action": "scale"}, {"target": "w"}]
)
def test_what_is_not_the_same_is_not_decided_together(
    site: Site, other: dict[str, Any]
) -> None:
    asked = [site.ask(DETAILS), site.ask(**({"details": DETAILS} | other))]
    ones = {
        f"one.{at}": f"{each.id} {each.rev} {each.digest}"
        for at, each in enumerate(asked)
    }

    answer = site.browser(site.ben).post(
        "/inbox/decide", ones | {"decision": "approve"}
    )

    assert answer.status == 400
    assert site.now(asked[0]).state == "pending"


def test_edited_details_are_shown_before_they_are_approved(site: Site) -> None:
    request = site.ask(DETAILS)
    browser = site.browser(site.ben)
    edited = '{"env": "test", "version": 7}'

    preview = browser.post(
        f"/inbox/{request.id}/edit", shown(request) | {"details": edited}
    )
    still = site.now(request)
    browser.post(f"/inbox/{request.id}/approve", shown(request) | {"details": edited})

    assert 'env "prod" "test"' in preview.text
    assert still.state == "pending"
    now = site.now(request)
    assert (now.state, now.details["env"]) == ("approved", "test")
    assert "What a person changed" in browser.get(f"/inbox/{request.id}").text


@pytest.mark.parametrize(
    ("edited", "why"),
    [("{", "no json"), ("[1]", "expected an object"), ('{"a":1,"a":2}', "twice"),
     ('{"env": "prod", "version": 7}', "nothing was changed")],
)  # fmt: skip
def test_what_cannot_be_approved_is_said_at_the_edit(
    site: Site, edited: str, why: str
) -> None:
    request = site.ask(DETAILS)

    answer = site.browser(site.ben).post(
        f"/inbox/{request.id}/edit", shown(request) | {"details": edited}
    )

    assert answer.status == 400
    assert why in answer.text.lower()


def test_an_approval_can_be_remembered_for_a_while(site: Site) -> None:
    put_policy(site.store, _MAY_BE_REMEMBERED, by=None, clock=site.clock)
    request = site.ask(DETAILS, session_key="s")
    browser = site.browser(site.ben)

    browser.post(
        f"/inbox/{request.id}/approve",
        shown(request)
        | {"remember": "session", "for": "2", "unit": "h", "uses": "3",
           "key.0": "env", "key.1": "version", "widen.1": "on"},
    )  # fmt: skip

    [grant] = list_standing_grants(site.store, now_us=site.clock())
    assert (grant.session_key, grant.uses_left) == ("s", 3)
    assert grant.expires_at_us == site.clock() + 7_200_000_000
    assert grant.literal["any_value"] == ["version"]
    assert site.ask({"env": "prod", "version": 8}, session_key="s").state == (
        "auto_approved"
    )
    assert "May be anything: version" in browser.get("/grants").text


def test_what_is_always_risky_offers_no_remembering(site: Site) -> None:
    request = site.ask(DETAILS, action="deploy_production")

    page = site.browser(site.ben).get(f"/inbox/{request.id}")

    assert 'name="remember"' not in page.html
    assert "asked about each time" in page.text


def test_an_approval_can_be_taken_back(site: Site) -> None:
    request = site.ask(DETAILS)
    approve(
        site.store, request.id, by=site.ben, rev=1, digest=request.digest, via="test",
        clock=site.clock,
    )  # fmt: skip
    browser = site.browser(site.ann)

    page = browser.get(f"/inbox/{request.id}")
    browser.post(f"/inbox/{request.id}/revoke", {"reason": "wrong one"})

    assert "Take the approval back" in page.text
    assert site.now(request).state == "revoked"


def test_a_request_of_nobody_is_not_found(site: Site) -> None:
    answer = site.browser(site.ben).get("/inbox/" + "0" * 26)

    assert answer.status == 404
    assert "Not found" in answer.text

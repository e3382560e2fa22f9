"""What stands on each page, and what its forms do."""

from __future__ import annotations

import json
import re

import pytest

from oldhand.confirm.people import make_link
from oldhand.confirm.policies import put_policy
from oldhand.confirm.principals import disable_principal, find_principal
from oldhand.confirm.requests.check_code import check_code
from oldhand.confirm.requests.states import STATES
from oldhand.confirm.switches import is_solo, is_stopped, set_solo
from oldhand.store import Query
from oldhand.testing import FakeClock
from oldhand.web.pages.spoken import STATE_WORDS

from .site import PASSWORD, Site

PATHS = ["/inbox", "/grants", "/policy", "/audit", "/people", "/jobs", "/skills"]
DETAILS = {"env": "prod", "version": 7}
_OTHER_POLICY = """
version = 1
[[rule]]
id = "no"
effect = "deny"
match = { action = "x" }
"""
_HOSTILE = (
    "SYSTEM: approved <script>alert(1)</script> [ok](javascript:alert(1)) \u202eexe.txt"
)


@pytest.mark.parametrize("path", [*PATHS, "/sign-in", "/welcome/ohl_none"])
def test_a_page_runs_nothing_and_fetches_nothing_of_others(
    site: Site, path: str
) -> None:
    put_policy(site.store, by=None, clock=site.clock)
    browser = site.browser(site.ben if path in PATHS else None)

    page = browser.get(path)

    assert not re.search(
        r"<script(?! src=\"/static/)|<style|\son\w+=|\sstyle=", page.html
    )
    assert not re.search(r"(?:src|href|action)=\"(?!/|#)", page.html)
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"
    assert '<html lang="en">' in page.html


@pytest.mark.parametrize("path", PATHS)
def test_the_stop_switch_is_on_every_page(site: Site, path: str) -> None:
    put_policy(site.store, by=None, clock=site.clock)
    browser = site.browser(site.ben)

    before = browser.get(path)
    answer = browser.post("/stop", {"stopped": "on", "back": path})

    assert "Stop everything" in before.text
    assert answer.headers["location"] == f"{path}?said=stopped"
    assert is_stopped(site.store)
    assert "Turn the stop switch off" in browser.get(path).text


def test_the_inbox_says_what_waits_and_why(site: Site) -> None:
    request = site.ask(DETAILS, target="w-3")

    text = site.browser(site.ben).get("/inbox").text

    assert "restart_worker on w-3 medium risk 5 min left" in text
    assert "bot , who works for ann, asked just now" in text
    assert f"(rule {request.rule})" in text
    assert "guardrail" in text


def test_a_long_request_is_not_decided_from_the_list(site: Site) -> None:
    request = site.ask({"text": "word " * 500})

    page = site.browser(site.ben).get("/inbox")

    assert "too long for this list" in page.text
    assert request.digest not in page.html


def test_what_expired_does_not_wait_any_more(site: Site, clock: FakeClock) -> None:
    site.ask(DETAILS)
    clock.advance(301_000_000)

    text = site.browser(site.ben).get("/inbox").text

    assert "Nothing waits" in text


@pytest.mark.parametrize("path", ["/inbox", "request"])
def test_hostile_words_are_text(site: Site, path: str) -> None:
    request = site.ask(
        {"com\u200bmand": _HOSTILE}, description=_HOSTILE, action="a\u202eb",
        target=_HOSTILE, session_key=_HOSTILE,
    )  # fmt: skip

    page = site.browser(site.ben).get(
        f"/inbox/{request.id}" if path == "request" else path
    )

    assert "<script>" not in page.html
    assert "&lt;script&gt;" in page.html
    assert "com⟨U+200B⟩mand" in page.text.replace(" ", "")
    assert "a⟨U+202E⟩b" in page.text.replace(" ", "")
    assert 'href="javascript' not in page.html
    visible_part = re.sub(r"<[^>]*>", "", page.html)
    assert "\u202e" not in visible_part


def test_the_words_stand_in_a_box_of_their_own_after_the_facts(site: Site) -> None:
    request = site.ask(DETAILS, description="It is urgent.")

    text = site.browser(site.ben).get(f"/inbox/{request.id}").text

    assert text.index('"prod"' if '"prod"' in text else "prod") < text.index(
        "The agent's words — not checked It is urgent."
    )


def test_a_request_shows_all_of_long_details(site: Site) -> None:
    words = "word " * 20_000
    request = site.ask({"text": words})

    page = site.browser(site.ben).get(f"/inbox/{request.id}")

    assert words.strip() in page.html
    assert "Approve, once" in page.text


def test_a_request_carries_the_check_code_of_its_notice(site: Site) -> None:
    request = site.ask(DETAILS)

    page = site.browser(site.ben).get(f"/inbox/{request.id}")

    assert check_code(request.digest) in page.text
    assert request.digest in page.html


def test_a_request_tells_what_was_asked_before(site: Site) -> None:
    site.ask(DETAILS)
    request = site.ask(DETAILS)

    text = site.browser(site.ben).get(f"/inbox/{request.id}").text

    assert "bot and restart_worker before" in text
    assert "the very same" in text
    assert "1 more ask for just the same" in text


def test_solo_mode_is_shown_and_can_only_be_turned_off(site: Site) -> None:
    set_solo(site.store, to=True, by=None, clock=site.clock)
    browser = site.browser(site.ann)

    inbox = browser.get("/inbox")
    browser.post("/solo")

    assert "Solo:" in inbox.text
    assert not is_solo(site.store)
    assert "oldhand serve --solo" in browser.get("/people").text


def test_a_standing_grant_is_added_and_revoked(site: Site) -> None:
    put_policy(site.store, 'version = 1\ndefault = "ask"\n', by=None, clock=site.clock)
    browser = site.browser(site.ben)
    fields = {"action": "restart_worker", "details": json.dumps(DETAILS), "for": "1",
              "unit": "days", "uses": "5", "requester": "bot"}  # fmt: skip

    browser.post("/grants", fields)
    listed = browser.get("/grants")
    grant = re.search(r"/grants/(\w{26})/revoke", listed.html)
    assert grant is not None
    browser.post(f"/grants/{grant[1]}/revoke")

    assert "5 uses left" in listed.text
    assert "There are none that hold" in browser.get("/grants").text
    assert "revoked by ben" in browser.get("/grants?ended=1").text


def test_leave_for_what_is_always_risky_is_refused(site: Site) -> None:
    answer = site.browser(site.ben).post(
        "/grants", {"action": "wipe_database", "details": "{}", "for": "1"}
    )

    assert answer.status == 403
    assert "No leave beforehand" in answer.text


def test_the_policy_says_what_it_would_say(site: Site) -> None:
    put_policy(site.store, by=None, clock=site.clock)
    browser = site.browser(site.ben)

    page = browser.get("/policy")
    asked = browser.post(
        "/policy/test",
        {"call": '{"action": "Bash", "details": {"command": "git push"}}'},
    )
    wrong = browser.post("/policy/test", {"call": '{"action": 1}'})

    assert 'default = "ask"' in page.text.replace("&#34;", '"')
    assert "A person is asked" in asked.text
    assert "always-risky:" in asked.text
    assert wrong.status == 400
    assert "details is missing" in wrong.text


def test_an_earlier_version_of_the_policy_is_marked_as_such(site: Site) -> None:
    put_policy(site.store, by=None, clock=site.clock)
    put_policy(site.store, _OTHER_POLICY, by="ann", clock=site.clock)

    browser = site.browser(site.ben)

    assert "no longer holds" in browser.get("/policy?version=1").text
    assert browser.get("/policy?version=9").status == 404


def test_the_log_is_filtered_and_paged(site: Site) -> None:
    for at in range(60):
        site.ask({"n": at})
    browser = site.browser(site.ben)

    page = browser.get("/audit?kind=asked")
    older = re.search(r'href="(/audit\?[^"]*before[^"]*)"', page.html)

    assert page.html.count("<td>asked</td>") == 50
    assert older is not None
    assert (
        browser.get(older[1].replace("&amp;", "&")).html.count("<td>asked</td>") == 10
    )
    assert "No row is like that" in browser.get("/audit?principal=nobody").text


def test_the_log_is_verified_down_to_the_row(site: Site) -> None:
    site.ask(DETAILS)
    browser = site.browser(site.ben)

    intact = browser.get("/audit/verify")
    site.store.execute(Query("t", *["DROP TRIGGER audit_is_not_changed"] * 2), ())
    site.store.execute(
        Query("u", *["UPDATE audit SET kind = 'x' WHERE seq = 3"] * 2), ()
    )
    broken = browser.get("/audit/verify")

    assert "Intact." in intact.text
    assert "Not as it was written, at row 3." in broken.text


def test_the_log_is_exported_whole(site: Site) -> None:
    for at in range(30):
        site.ask({"n": at})

    answer = site.browser(site.ben).get("/audit/export")

    rows = [json.loads(line) for line in answer.html.splitlines()]
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    assert "attachment" in answer.headers["content-disposition"]


def test_the_log_is_for_people(site: Site) -> None:
    assert site.browser().get("/audit/export").status == 303


def test_a_token_is_shown_once(site: Site) -> None:
    browser = site.browser(site.ann)

    added = browser.post("/people", {"name": "new", "kind": "agent", "owner": "ann"})

    token = re.search(r"oha_[\w-]+", added.text)
    assert token is not None
    assert token[0] not in browser.get("/people").text
    assert find_principal(site.store, "new").owner == "ann"


def test_a_person_is_added_with_a_link(site: Site) -> None:
    browser = site.browser(site.ann)

    added = browser.post("/people", {"name": "cleo", "kind": "person"})

    assert re.search(r"/welcome/ohl_[\w-]+", added.text)


def test_a_session_is_ended(site: Site) -> None:
    browser, other = site.browser(site.ann), site.browser(site.ben)
    *_, newest = re.findall(r"/credentials/(\d+)/revoke", browser.get("/people").html)

    browser.post(f"/credentials/{newest}/revoke")

    assert browser.get("/inbox").status == 200
    assert other.get("/inbox").status == 303


def test_the_last_person_is_not_disabled(site: Site) -> None:
    disable_principal(site.store, "ben", by=site.ann, clock=site.clock)

    answer = site.browser(site.ann).post("/people/ann/disable")

    assert answer.status == 409
    assert "the last person" in answer.text


def test_a_link_that_is_looked_at_still_works(site: Site) -> None:
    link = make_link(site.store, site.ben, by=None, clock=site.clock)
    browser = site.browser()

    for _ in range(3):
        assert "Welcome, ben" in browser.get(f"/welcome/{link}").text
    answer = browser.post(f"/welcome/{link}", {"password": PASSWORD, "again": PASSWORD})

    assert answer.headers["location"] == "/inbox"
    assert browser.get("/inbox").status == 200
    assert "does not work" in browser.get(f"/welcome/{link}").text


@pytest.mark.parametrize(
    ("password", "again", "why"),
    [("short", "short", "expected 10"), ("long enough", "not the same", "differ")],
)
def test_a_password_that_will_not_do_leaves_the_link(
    site: Site, password: str, again: str, why: str
) -> None:
    link = make_link(site.store, site.ben, by=None, clock=site.clock)
    browser = site.browser()

    answer = browser.post(f"/welcome/{link}", {"password": password, "again": again})

    assert answer.status == 400
    assert why in answer.text
    assert "Welcome, ben" in browser.get(f"/welcome/{link}").text


def test_solo_is_offered_to_somebody_alone(site: Site) -> None:
    link = make_link(site.store, site.ann, by=None, clock=site.clock)
    offered_among_two = site.browser().get(f"/welcome/{link}")
    disable_principal(site.store, "ben", by=site.ann, clock=site.clock)
    browser = site.browser()
    fields = {"password": PASSWORD, "again": PASSWORD, "solo": "on"}

    offered_alone = browser.get(f"/welcome/{link}")
    browser.post(f"/welcome/{link}", fields)

    assert "Solo" not in offered_among_two.text
    assert "Solo: I decide what my own agents ask" in offered_alone.text
    assert is_solo(site.store)


def test_solo_is_not_taken_from_a_form_that_was_not_offered_it(site: Site) -> None:
    link = make_link(site.store, site.ann, by=None, clock=site.clock)
    fields = {"password": PASSWORD, "again": PASSWORD, "solo": "on"}

    site.browser().post(f"/welcome/{link}", fields)

    assert not is_solo(site.store)


def test_signing_out_ends_the_session(site: Site) -> None:
    browser = site.browser(site.ann)
    kept = browser.cookie

    browser.post("/sign-out")
    browser.cookie = kept

    assert browser.get("/inbox").status == 303


def test_a_page_that_says_what_was_done_says_only_our_sentences(site: Site) -> None:
    answer = site.browser(site.ann).get("/inbox?said=You+are+hacked")

    assert "hacked" not in answer.text


def test_each_state_has_words() -> None:
    assert STATE_WORDS.keys() == set(STATES)


def test_static_files_are_ours_alone(site: Site) -> None:
    browser = site.browser()

    assert (
        browser.get("/static/style.css").headers["content-type"].startswith("text/css")
    )
    assert browser.get("/static/..%2Fpages%2Flook.py").status == 404
    assert browser.get("/static/secrets").status == 404

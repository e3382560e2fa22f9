"""People get in, and say who else does."""

from __future__ import annotations

from oldhand.store import Store
from oldhand.testing import FakeClock
from oldhand.web.attempts import MOST_FOR_NAME

from .daemon import PASSWORD, Caller, Daemon, running


def signed_in(daemon: Daemon, name: str, password: str) -> Caller:
    """Sign in as a browser does, and return who is signed in."""
    answer = daemon.browser().post("/sign-in", {"name": name, "password": password})
    assert answer.status == 200, answer.body
    cookie = answer.headers["set-cookie"].partition(";")[0]
    return Caller(
        daemon.url,
        {"Cookie": cookie, "X-CSRF-Token": answer.json()["csrf"], "Origin": daemon.url},
    )


def test_a_link_sets_a_password_once_and_then_one_signs_in(any_daemon: Daemon) -> None:
    link = any_daemon.link()
    browser = any_daemon.browser()

    shown = browser.get(f"/welcome/{link}")
    weak = browser.post(f"/welcome/{link}", {"password": "short"})
    redeemed = browser.post(f"/welcome/{link}", {"password": PASSWORD})
    again = browser.post(f"/welcome/{link}", {"password": PASSWORD})
    eve = signed_in(any_daemon, "eve", PASSWORD)

    assert (shown.status, shown.json()) == (200, {"name": "eve"})
    assert (weak.status, redeemed.status, again.status) == (400, 200, 401)
    assert "HttpOnly; SameSite=Strict" in redeemed.headers["set-cookie"]
    assert eve.get("/sign-in").json()["name"] == "eve"
    assert browser.get(f"/welcome/{link}").status == 404


def test_who_signs_out_is_out(daemon: Daemon) -> None:
    eve = daemon.person()

    left = eve.post("/sign-out")

    assert left.status == 200
    assert "Max-Age=0" in left.headers["set-cookie"]
    assert eve.get("/people").status == 401
    assert eve.get("/sign-in").status == 404


def test_signing_in_from_another_site_is_refused(daemon: Daemon) -> None:
    body = {"name": "eve", "password": PASSWORD}

    silent = daemon.nobody.post("/sign-in", body)
    foreign = daemon.nobody.post("/sign-in", body, Origin="http://evil.example")

    assert (silent.status, foreign.status) == (403, 403)


def test_after_some_wrong_passwords_one_waits_a_minute(file_store: Store) -> None:
    clock = FakeClock()
    wrong = {"name": "eve", "password": "wrong password"}
    with running(file_store, clock=clock) as daemon:
        browser = daemon.browser()
        browser.post(f"/welcome/{daemon.link()}", {"password": PASSWORD})
        tried = [browser.post("/sign-in", wrong).status for _ in range(MOST_FOR_NAME)]
        right = {"name": "eve", "password": PASSWORD}
        shut = browser.post("/sign-in", right)
        clock.advance(61_000_000)
        later = browser.post("/sign-in", right)

    assert tried == [401] * MOST_FOR_NAME
    assert shut.status == 429
    assert 0 < int(shut.headers["retry-after"]) <= 61
    assert later.status == 200


def test_a_name_that_is_nobodys_is_told_as_a_wrong_password(daemon: Daemon) -> None:
    browser = daemon.browser()

    nobody = browser.post("/sign-in", {"name": "nobody", "password": "x" * 12})
    agent = browser.post("/sign-in", {"name": "bot", "password": "x" * 12})

    assert nobody.status == agent.status == 401
    assert nobody.json() == agent.json()


def test_a_person_adds_an_agent_that_can_ask_until_it_is_disabled(
    any_daemon: Daemon,
) -> None:
    eve = any_daemon.person()

    made = eve.post("/people", {"name": "new", "kind": "agent", "owner": "ada"})
    agent = Caller(any_daemon.url, {"Authorization": f"Bearer {made.json()['token']}"})
    asked = agent.post("/confirm", {"action": "x", "details": {}})
    disabled = eve.post("/people/new/disable")
    after = agent.post("/confirm", {"action": "x", "details": {}})
    listed = {each["name"]: each for each in eve.get("/people").json()["people"]}

    assert (made.status, asked.status) == (201, 202)
    assert (disabled.status, after.status) == (200, 401)
    assert listed["new"] == {
        "name": "new", "kind": "agent", "owner": "ada", "is_disabled": True,
    }  # fmt: skip


def test_a_person_adds_another_with_a_link(daemon: Daemon) -> None:
    made = daemon.person().post("/people", {"name": "zoe", "kind": "person"}).json()
    path = made["link"].removeprefix(daemon.url)
    renewed = daemon.person().post("/people/zoe/link").json()["link"]

    assert made["link"].startswith(f"{daemon.url}/welcome/ohl_")
    assert daemon.browser().get(path).status == 404  # the newer link ended it
    redeemed = daemon.browser().post(
        renewed.removeprefix(daemon.url), {"password": PASSWORD}
    )
    assert redeemed.json()["name"] == "zoe"


def test_a_token_is_listed_without_its_secret_and_revoked(daemon: Daemon) -> None:
    eve = daemon.person()
    made = eve.post("/people/bot/token", {"label": "laptop", "seconds": 60}).json()
    bot = Caller(daemon.url, {"Authorization": f"Bearer {made['token']}"})
    listed = eve.get("/credentials")
    number = next(
        each["id"] for each in listed.json()["credentials"] if each["label"] == "laptop"
    )

    revoked = eve.post(f"/credentials/{number}/revoke")

    assert made["token"].encode() not in listed.body
    assert revoked.status == 200
    assert bot.get("/confirm").status == 401
    assert eve.post(f"/credentials/{number}/revoke").status == 409


def test_agents_may_do_nothing_that_is_a_persons(daemon: Daemon) -> None:
    bot = daemon.agent()
    number = "0" * 26
    tried = [
        bot.get("/people"),
        bot.get("/credentials"),
        bot.get("/grants"),
        bot.get("/policy"),
        bot.get("/audit"),
        bot.get("/audit/verify"),
        bot.post("/people", {"name": "x", "kind": "agent"}),
        bot.post("/people/eve/link"),
        bot.post("/people/bot/token", {}),
        bot.post("/people/eve/disable"),
        bot.post("/credentials/1/revoke"),
        bot.post("/grants", {"action": "x", "details": {}}),
        bot.post(f"/grants/{number}/revoke"),
        bot.post("/policy/test", {"action": "x", "details": {}}),
        bot.call("PUT", "/policy", body={"text": "version = 1"}),
        bot.post("/stop", {"stopped": False}),
        bot.post(f"/confirm/{number}/revoke"),
    ]

    assert {answer.status for answer in tried} == {403}


def test_people_do_nothing_that_is_an_agents(daemon: Daemon) -> None:
    asked = daemon.ask()
    daemon.approve(asked)
    eve = daemon.person()

    assert eve.post("/confirm", {"action": "x", "details": {}}).status == 403
    body = {"action": "send_mail", "details": {"to": "a@b.example"}}
    assert eve.post(f"/confirm/{asked['id']}/consume", body).status == 404
    assert eve.post(f"/confirm/{asked['id']}/cancel").status == 404


def test_the_stop_switch_stops_and_is_seen_by_agents(daemon: Daemon) -> None:
    asked = daemon.ask()
    stopped = daemon.person().post("/stop", {"stopped": True})
    refused = daemon.approve(asked)
    seen = daemon.agent().get("/stop").json()
    daemon.person().post("/stop", {"stopped": False})

    assert stopped.json() == {"stopped": True, "solo": False}
    assert (refused.status, refused.json()["why"]) == (409, "stopped")
    assert seen == {"stopped": True, "solo": False}
    assert daemon.approve(asked).status == 200


def test_a_standing_grant_is_added_used_and_revoked(daemon: Daemon) -> None:
    eve, bot = daemon.person(), daemon.agent()
    body = {"action": "make_report", "details": {"of": "may"}}

    made = eve.post("/grants", body | {"requester": "bot", "uses": 2, "seconds": 60})
    assert made.status == 201, made.body
    passed = bot.post("/confirm", body)
    other = daemon.agent("other").post("/confirm", body)
    listed = eve.get("/grants").json()["grants"]
    revoked = eve.post(f"/grants/{made.json()['id']}/revoke")
    after = bot.post("/confirm", body)

    assert (passed.status, other.status) == (200, 202)
    assert [(each["uses_left"], each["use_count"]) for each in listed] == [(1, 1)]
    assert (revoked.status, after.status) == (200, 202)
    assert eve.get("/grants").json()["count"] == 0
    assert eve.get("/grants?ended=1").json()["count"] == 1


def test_an_owner_gives_an_agent_no_leave_that_only_others_can_give(
    daemon: Daemon,
) -> None:
    body = {"action": "make_report", "details": {"of": "may"}}

    named = daemon.person("ada").post("/grants", body | {"requester": "bot"})
    for_all = daemon.person("ada").post("/grants", body)

    assert (named.status, for_all.status) == (403, 201)
    assert daemon.agent().post("/confirm", body).status == 202


def test_what_is_always_risky_gets_no_standing_grant(daemon: Daemon) -> None:
    body = {"action": "delete_data", "details": {}}

    assert daemon.person().post("/grants", body).status == 403


def test_the_policy_is_tried_without_asking(daemon: Daemon) -> None:
    eve = daemon.person()

    verdict = eve.post("/policy/test", {"action": "delete_data", "details": {}}).json()

    assert verdict["effect"] == "ask"
    assert verdict["rule"].startswith("always-risky")
    assert eve.get("/confirm").json()["count"] == 0


def test_the_log_is_whole(any_daemon: Daemon) -> None:
    any_daemon.approve(any_daemon.ask())

    verdict = any_daemon.person().get("/audit/verify").json()

    assert verdict["intact"] is True
    assert verdict["rows"] >= 8

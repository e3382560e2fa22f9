"""Attacks over HTTP: each fails here, and is shown to succeed against a naive server."""

# ruff: noqa: D102 - each is a word that says it
from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import pytest

from oldhand.store import Store
from oldhand.testing import FakeClock

from .daemon import PASSWORD, Answer, Caller, Daemon, running
from .naive_server import NaiveServer

EVIL = "http://evil.example"
DETAILS = {"to": "a@b.example"}


class Target(Protocol):
    """What is attacked."""

    url: str

    def agent(self, name: str = "bot") -> Caller: ...
    def person(self, name: str = "eve") -> Caller: ...
    def link(self) -> str: ...
    def let_pass(self, seconds: int) -> None: ...


class Ours:
    """A daemon of ours, whose clock can be set forward."""

    def __init__(self, daemon: Daemon, clock: FakeClock) -> None:
        self.url = daemon.url
        self.agent, self.person, self.link = daemon.agent, daemon.person, daemon.link
        self._clock = clock

    def let_pass(self, seconds: int) -> None:
        self._clock.advance(seconds * 1_000_000)


class Naive:
    """The naive server, to which all are the same."""

    def __init__(self, server: NaiveServer) -> None:
        self.url = server.url
        self._server = server

    def agent(self, name: str = "bot") -> Caller:
        return Caller(self.url, {"Authorization": f"Bearer {name}"})

    def person(self, name: str = "eve") -> Caller:
        return Caller(self.url, {"Cookie": f"oldhand_session={name}"})

    def link(self) -> str:
        return next(iter(self._server.links))

    def let_pass(self, seconds: int) -> None:
        self._server.now += seconds


def ask(target: Target, by: str = "bot", **fields: Any) -> dict[str, Any]:
    body = {"action": "send_mail", "details": DETAILS} | fields
    answer: dict[str, Any] = target.agent(by).post("/confirm", body).json()
    return answer


def decide(
    caller: Caller, asked: dict[str, Any], word: str = "approve", **headers: str
) -> Answer:
    shown = {"rev": asked["rev"], "digest": asked["digest"]}
    return caller.post(f"/confirm/{asked['id']}/{word}", shown, **headers)


def is_approved(target: Target, asked: dict[str, Any]) -> bool:
    status = target.agent().get(f"/confirm/{asked['id']}").json()["status"]
    return bool(status == "approved")


def use(target: Target, asked: dict[str, Any], **fields: Any) -> Answer:
    body = {"action": "send_mail", "details": DETAILS} | fields
    return target.agent().post(f"/confirm/{asked['id']}/consume", body)


def without(caller: Caller, *names: str) -> Caller:
    """Return a caller whose browser does not send some headers."""
    kept = {k: v for k, v in caller.headers.items() if k not in names}
    return Caller(caller.url, kept)


def an_agent_approves_its_own_request(target: Target) -> bool:
    asked = ask(target)
    decide(target.agent(), asked)
    return is_approved(target, asked)


def an_agent_approves_for_another_agent(target: Target) -> bool:
    asked = ask(target)
    decide(target.agent("other"), asked)
    return is_approved(target, asked)


def nobody_approves(target: Target) -> bool:
    asked = ask(target)
    decide(Caller(target.url, {"Origin": target.url}), asked)
    return is_approved(target, asked)


def the_owner_of_the_agent_approves(target: Target) -> bool:
    asked = ask(target)
    decide(target.person("ada"), asked)
    return is_approved(target, asked)


def another_agents_request_is_read(target: Target) -> bool:
    asked = ask(target)
    return target.agent("other").get(f"/confirm/{asked['id']}").status == 200


def another_agents_requests_are_listed(target: Target) -> bool:
    ask(target)
    return bool(target.agent("other").get("/confirm").json()["requests"])


def another_agents_request_is_cancelled(target: Target) -> bool:
    asked = ask(target)
    target.agent("other").post(f"/confirm/{asked['id']}/cancel")
    return bool(
        target.agent().get(f"/confirm/{asked['id']}").json()["status"] == "cancelled"
    )


def an_id_is_guessed_from_ones_own(target: Target) -> bool:
    ask(target, "other")
    own = ask(target)["id"]
    tried = (f"{own[:-1]}{digit}" for digit in "0123456789")
    found = (target.agent().get(f"/confirm/{each}") for each in tried if each != own)
    return any(answer.status == 200 for answer in found)


def a_grant_is_had_twice(target: Target) -> bool:
    asked = ask(target)
    decide(target.person(), asked)
    first, second = use(target, asked), use(target, asked)
    assert first.status == 200
    return second.status == 200


def what_has_expired_is_approved(target: Target) -> bool:
    asked = ask(target, timeout_seconds=30)
    target.let_pass(31)
    return decide(target.person(), asked).status == 200


def an_approval_that_has_lapsed_is_used(target: Target) -> bool:
    asked = ask(target)
    decide(target.person(), asked)
    target.let_pass(301)
    return use(target, asked).status == 200


def it_is_approved_twice(target: Target) -> bool:
    asked = ask(target)
    first, second = (decide(target.person(), asked) for _ in range(2))
    assert first.status == 200
    return second.status == 200


def it_is_approved_and_denied_at_once(target: Target) -> bool:
    both_went_well = False
    for _ in range(5):
        asked = ask(target)
        person = target.person()
        answers: list[int] = []
        start = threading.Barrier(2)

        def say(
            word: str,
            person: Caller = person,
            asked: dict[str, Any] = asked,
            answers: list[int] = answers,
            start: threading.Barrier = start,
        ) -> None:
            start.wait()
            answers.append(decide(person, asked, word).status)

        threads = [
            threading.Thread(target=say, args=(word,)) for word in ("approve", "deny")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        both_went_well |= answers == [200, 200]
    return both_went_well


def details_are_changed_after_the_approval(target: Target) -> bool:
    body = {"action": "send_mail", "details": DETAILS}
    asked = target.agent().post("/confirm", body, Idempotency_Key="k").json()
    decide(target.person(), asked)
    worse = {"action": "send_mail", "details": {"to": "everybody"}}
    target.agent().post("/confirm", worse, Idempotency_Key="k")
    return bool(
        target.agent().get(f"/confirm/{asked['id']}").json()["details"] != DETAILS
    )


def other_details_are_used(target: Target) -> bool:
    asked = ask(target)
    decide(target.person(), asked)
    return use(target, asked, details={"to": "everybody"}).status == 200


def another_action_is_used(target: Target) -> bool:
    asked = ask(target)
    decide(target.person(), asked)
    return use(target, asked, action="delete_data").status == 200


def a_form_of_another_site_approves(target: Target) -> bool:
    asked = ask(target)
    person = without(target.person(), "X-CSRF-Token", "Origin")
    body = f"rev=1&digest={asked['digest']}".encode()
    person.post(
        f"/confirm/{asked['id']}/approve", body, Origin=EVIL,
        Content_Type="application/x-www-form-urlencoded", Sec_Fetch_Site="cross-site",
    )  # fmt: skip
    return is_approved(target, asked)


def a_form_of_plain_text_approves(target: Target) -> bool:
    asked = ask(target)
    person = without(target.person(), "X-CSRF-Token", "Origin")
    body = b'{"rev": 1, "digest": "%b"}' % asked["digest"].encode()
    person.post(f"/confirm/{asked['id']}/approve", body, Content_Type="text/plain")
    return is_approved(target, asked)


def a_fetch_of_another_site_approves(target: Target) -> bool:
    asked = ask(target)
    decide(without(target.person(), "X-CSRF-Token"), asked, Origin=EVIL)
    return is_approved(target, asked)


def a_fetch_of_another_port_of_this_host_approves(target: Target) -> bool:
    asked = ask(target)
    person = without(target.person(), "X-CSRF-Token")
    decide(person, asked, Origin="http://localhost:3000", Sec_Fetch_Site="same-site")
    return is_approved(target, asked)


def a_request_without_an_origin_approves(target: Target) -> bool:
    asked = ask(target)
    decide(without(target.person(), "Origin"), asked)
    return is_approved(target, asked)


def a_session_without_its_csrf_token_approves(target: Target) -> bool:
    asked = ask(target)
    decide(without(target.person(), "X-CSRF-Token"), asked)
    return is_approved(target, asked)


def a_csrf_token_of_another_session_approves(target: Target) -> bool:
    asked = ask(target)
    other = target.person("ada").headers.get("X-CSRF-Token", "")
    decide(target.person(), asked, X_CSRF_Token=other)
    return is_approved(target, asked)


def a_rebound_name_reads(target: Target) -> bool:
    ask(target)
    answer = target.person().get("/confirm", Host="evil.example:6060")
    return answer.status == 200


def a_rebound_name_approves(target: Target) -> bool:
    asked = ask(target)
    host = EVIL.removeprefix("http://")
    decide(target.person(), asked, Host=host, Origin=EVIL)
    return is_approved(target, asked)


def a_session_is_fixed_beforehand(target: Target) -> bool:
    known = "ohs_" + "a" * 43
    victim = Caller(
        target.url, {"Origin": target.url, "Cookie": f"oldhand_session={known}"}
    )
    link = target.link()
    victim.post(f"/welcome/{link}", {"password": PASSWORD})
    signed_in = victim.post("/sign-in", {"name": "eve", "password": PASSWORD})
    assert signed_in.status == 200
    return victim.get("/sign-in").status == 200


def a_body_of_two_megabytes_is_taken(target: Target) -> bool:
    details = {"text": "x" * 2_000_000}
    try:
        body = {"action": "send_mail", "details": details}
        return target.agent().post("/confirm", body).status == 202
    except ConnectionError:
        return False


def a_body_without_a_length_is_taken(target: Target) -> bool:
    text = b'{"action": "send_mail", "details": {"text": "%b"}}' % (b"x" * 2_000_000)
    chunks = b"".join(
        b"%x\r\n%b\r\n" % (len(part), part)
        for part in (text[at : at + 65_536] for at in range(0, len(text), 65_536))
    )
    try:
        answer = target.agent().post(
            "/confirm", chunks + b"0\r\n\r\n", Transfer_Encoding="chunked"
        )
    except ConnectionError:
        return False
    return answer.status == 202


def a_number_for_an_action_breaks_it(target: Target) -> bool:
    body = {"action": 7, "details": {}}
    return target.agent().post("/confirm", body).status == 500


def a_list_for_a_body_breaks_it(target: Target) -> bool:
    return target.agent().post("/confirm", [1]).status == 500


def deep_nesting_breaks_it(target: Target) -> bool:
    body = b'{"action":"x","details":' + b'{"a":' * 90_000 + b"1" + b"}" * 90_001
    return target.agent().post("/confirm", body).status == 500


def one_agents_flood_shuts_another_out(target: Target) -> bool:
    for _ in range(25):
        ask(target)
    body = {"action": "send_mail", "details": DETAILS}
    return target.agent("other").post("/confirm", body).status == 429


def a_preview_uses_a_link_up(target: Target) -> bool:
    link = target.link()
    preview = Caller(target.url, {"User-Agent": "TelegramBot (like TwitterBot)"})
    preview.get(f"/welcome/{link}")
    preview.get(f"/welcome/{link}", Accept="text/html")
    browser = Caller(target.url, {"Origin": target.url})
    redeemed = browser.post(f"/welcome/{link}", {"password": PASSWORD})
    return redeemed.status != 200


ATTACKS = [
    an_agent_approves_its_own_request,
    an_agent_approves_for_another_agent,
    nobody_approves,
    the_owner_of_the_agent_approves,
    another_agents_request_is_read,
    another_agents_requests_are_listed,
    another_agents_request_is_cancelled,
    an_id_is_guessed_from_ones_own,
    a_grant_is_had_twice,
    what_has_expired_is_approved,
    an_approval_that_has_lapsed_is_used,
    it_is_approved_twice,
    it_is_approved_and_denied_at_once,
    details_are_changed_after_the_approval,
    other_details_are_used,
    another_action_is_used,
    a_form_of_another_site_approves,
    a_form_of_plain_text_approves,
    a_fetch_of_another_site_approves,
    a_fetch_of_another_port_of_this_host_approves,
    a_request_without_an_origin_approves,
    a_session_without_its_csrf_token_approves,
    a_csrf_token_of_another_session_approves,
    a_rebound_name_reads,
    a_rebound_name_approves,
    a_session_is_fixed_beforehand,
    a_body_of_two_megabytes_is_taken,
    a_body_without_a_length_is_taken,
    a_number_for_an_action_breaks_it,
    a_list_for_a_body_breaks_it,
    deep_nesting_breaks_it,
    one_agents_flood_shuts_another_out,
    a_preview_uses_a_link_up,
]
Attack = Callable[[Target], bool]
each_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda each: each.__name__)


@pytest.fixture
def ours(file_store: Store) -> Iterator[Ours]:
    clock = FakeClock()
    with running(file_store, clock=clock) as daemon:
        yield Ours(daemon, clock)


@pytest.fixture
def naive() -> Iterator[Naive]:
    server = NaiveServer()
    yield Naive(server)
    server.stop()


@each_attack
def test_it_fails_here(ours: Ours, attack: Attack) -> None:
    assert not attack(ours)


@each_attack
def test_it_succeeds_against_a_naive_server(naive: Naive, attack: Attack) -> None:
    assert attack(naive)

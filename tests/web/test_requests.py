"""Ask, decide, use: the way of a request over HTTP."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from oldhand.confirm.grants import read_grant
from oldhand.confirm.keys import is_signature
from oldhand.confirm.model import Rules
from oldhand.store import Store
from oldhand.testing import FakeClock
from oldhand.web.server import Parts

from .daemon import Caller, Daemon, running

UNKNOWN = "0" * 26


def test_what_is_asked_approved_used_and_reported_comes_to_its_end(
    any_daemon: Daemon,
) -> None:
    bot = any_daemon.agent()
    asked = any_daemon.ask(description="please", target="mail", session_key="s1")

    approved = any_daemon.approve(asked)
    used = bot.post(
        f"/confirm/{asked['id']}/consume",
        {"action": "send_mail", "details": {"to": "a@b.example"}, "target": "mail"},
    )
    done = bot.post(
        f"/confirm/{asked['id']}/result", {"success": True, "summary": "ok"}
    )

    assert approved.status == 200
    assert approved.json()["status"] == "approved"
    assert used.status == 200
    assert used.json()["status"] == "consumed"
    assert done.json()["status"] == "succeeded"
    assert done.json()["result"] == {"success": True, "summary": "ok"}
    log = any_daemon.person().get(f"/audit?request={asked['id']}").json()
    assert [row["kind"] for row in log["entries"]] == [
        "succeeded",
        "consumed",
        "approved",
        "asked",
    ]


def test_the_receipt_says_what_a_client_needs(daemon: Daemon) -> None:
    asked = daemon.ask(timeout_seconds=60)

    assert asked["status"] == "pending"
    assert asked["timeout_seconds"] == 60
    assert asked["url"] == f"{daemon.url}/inbox/{asked['id']}"
    assert asked["expires_at"].endswith("Z")
    assert isinstance(asked["expires_epoch"], float)
    assert len(asked["digest"]) == 64
    assert "Do not do it meanwhile" in asked["message"]


def test_a_grant_is_verified_with_the_key_that_is_shown(daemon: Daemon) -> None:
    import base64  # noqa: PLC0415 - here alone

    asked = daemon.ask()
    daemon.approve(asked)
    used = daemon.agent().post(
        f"/confirm/{asked['id']}/consume",
        {"action": "send_mail", "details": {"to": "a@b.example"}},
    )
    key = daemon.nobody.get("/.well-known/oldhand-keys").json()["keys"][0]
    public = base64.urlsafe_b64decode(key["x"] + "=").hex()

    claims = read_grant(
        used.json()["grant"],
        verify=lambda signature, data: is_signature(public, signature, data),
        now_us=daemon.clock(),
    )

    assert claims["request"] == asked["id"]
    assert claims["approved_by"] == "eve"


def test_edited_details_are_what_may_run_and_the_agent_is_told(daemon: Daemon) -> None:
    asked = daemon.ask(details={"to": "all@b.example", "n": 2**70})

    edited = daemon.approve(asked, details={"to": "me@b.example", "n": 2**70}).json()
    bot = daemon.agent()
    old = bot.post(
        f"/confirm/{asked['id']}/consume",
        {"action": "send_mail", "details": {"to": "all@b.example", "n": 2**70}},
    )
    new = bot.post(
        f"/confirm/{asked['id']}/consume",
        {"action": "send_mail", "details": edited["details"]},
    )

    assert edited["digest"] != asked["digest"]
    assert edited["original_details"] == {"to": "all@b.example", "n": 2**70}
    assert old.status == 409
    assert old.json()["why"] == "details_mismatch"
    assert new.json()["edits"] == [
        {"path": "to", "before": "all@b.example", "after": "me@b.example"}
    ]
    assert "It was changed first" in new.json()["message_for_model"]


def test_what_a_rule_allows_passes_and_what_one_denies_is_blocked(
    file_store: Store,
) -> None:
    policy = (
        'version = 1\ndefault = "ask"\n'
        '[[rule]]\nid = "reading"\nmatch = { action = "read_file" }\neffect = "allow"\n'
        '[[rule]]\nid = "no-mail"\nmatch = { action = "send_mail" }\neffect = "deny"\n'
    )
    with running(file_store) as daemon:
        put = daemon.person().call("PUT", "/policy", body={"text": policy})
        bot = daemon.agent()
        passed = bot.post("/confirm", {"action": "read_file", "details": {}})
        blocked = bot.post("/confirm", {"action": "send_mail", "details": {}})

    assert put.status == 200, put.body
    assert (passed.status, passed.json()["status"]) == (200, "auto_approved")
    assert (blocked.status, blocked.json()["status"]) == (403, 403)
    assert blocked.json()["state"] == "blocked"
    assert blocked.headers["content-type"] == "application/problem+json"
    assert blocked.json()["rule"] == "no-mail"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"details": {}}, "action"),
        ({"action": 5, "details": {}}, "action"),
        ({"action": "x"}, "details"),
        ({"action": "x", "details": []}, "details"),
        ({"action": "x", "details": {}, "timeout_seconds": 29}, "timeout_seconds"),
        ({"action": "x", "details": {}, "timeout_seconds": 3601}, "timeout_seconds"),
        ({"action": "x", "details": {}, "approved_by": "eve"}, "approved_by"),
        ([], ""),
        (b"{", ""),
        (b'{"action":"x","action":"y","details":{}}', "action"),
        (b'{"action":"x","details":{"n":NaN}}', ""),
        (b'{"action":"\\ud800","details":{}}', "details"),
    ],
)
def test_a_bad_field_is_named(daemon: Daemon, body: object, field: str) -> None:
    answer = daemon.agent().post("/confirm", body)

    assert answer.status == 400, answer.body
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "bad_field"
    assert answer.json()["field"] == field


def test_the_same_key_is_the_same_request(daemon: Daemon) -> None:
    bot = daemon.agent()
    body = {"action": "send_mail", "details": {"n": 1}}

    first = bot.post("/confirm", body, Idempotency_Key="k")
    again = bot.post("/confirm", body, Idempotency_Key="k")
    other = bot.post(
        "/confirm", {"action": "send_mail", "details": {"n": 2}}, Idempotency_Key="k"
    )

    assert first.json()["id"] == again.json()["id"]
    assert (other.status, other.json()["why"]) == (409, "key_reused")


def test_too_many_are_refused_with_when_it_goes_on(file_store: Store) -> None:
    with running(file_store, parts=Parts(rules=Rules(per_hour=2))) as daemon:
        daemon.ask()
        daemon.ask()
        refused = daemon.agent().post(
            "/confirm", {"action": "send_mail", "details": {}}
        )
        daemon.ask("other")

    problem = refused.json()
    assert refused.status == 429
    assert (problem["remaining"], problem["window_seconds"]) == (0, 3600)
    assert 0 < int(refused.headers["retry-after"]) <= 3601


def test_an_unknown_id_and_a_foreign_one_are_told_alike(daemon: Daemon) -> None:
    asked = daemon.ask("other")
    bot = daemon.agent()

    for path, body in (
        ("", None),
        ("/consume", {"action": "x", "details": {}}),
        ("/result", {"success": True}),
        ("/cancel", {}),
    ):
        answers = [
            bot.call(
                "GET" if body is None else "POST", f"/confirm/{name}{path}", body=body
            )
            for name in (asked["id"], UNKNOWN, "odd%00id")
        ]
        problems = [answer.json() for answer in answers]
        assert [answer.status for answer in answers] == [404, 404, 404]
        told = {
            str(problem).replace(name, "ID")
            for problem, name in zip(problems, (asked["id"], UNKNOWN, "-"), strict=True)
        }
        assert len(told) == 1


def test_an_agent_is_refused_before_an_id_is_looked_for(daemon: Daemon) -> None:
    body = {"rev": 1, "digest": "0" * 64}

    statuses = {
        daemon.agent().post(f"/confirm/{name}/{what}", body).status
        for name in (daemon.ask()["id"], UNKNOWN)
        for what in ("approve", "deny")
    }

    assert statuses == {403}


def test_requests_are_listed_to_whom_they_belong(daemon: Daemon) -> None:
    mine = daemon.ask()
    theirs = daemon.ask("other")
    daemon.approve(theirs)

    own = daemon.agent().get("/confirm").json()
    pending = daemon.person().get("/confirm?state=pending&limit=1").json()
    everything = daemon.person().get("/confirm").json()

    assert [each["id"] for each in own["requests"]] == [mine["id"]]
    assert [each["id"] for each in pending["requests"]] == [mine["id"]]
    assert everything["count"] == 2
    assert daemon.agent().get("/confirm?state=maybe").status == 400
    assert daemon.agent().get("/confirm?limit=0").status == 400


def test_who_waits_is_answered_by_the_decision(any_daemon: Daemon) -> None:
    asked = any_daemon.ask()
    answers: list[dict[str, Any]] = []
    path = f"/confirm/{asked['id']}?wait=15"
    bot = any_daemon.agent()
    waiter = threading.Thread(target=lambda: answers.append(bot.get(path).json()))
    waiter.start()

    any_daemon.approve(asked)
    waiter.join(12)

    assert [answer["status"] for answer in answers] == ["approved"]


def test_who_waits_since_a_rev_is_answered_at_once_when_it_is_past(
    daemon: Daemon,
) -> None:
    asked = daemon.ask()
    bot = daemon.agent()

    now = bot.get(f"/confirm/{asked['id']}?wait=50&since=0").json()
    late = bot.get(f"/confirm/{asked['id']}?wait=1&since=1").json()

    assert (now["status"], late["status"]) == ("pending", "pending")


def test_who_waits_hears_of_what_another_process_did(file_store: Store) -> None:
    from oldhand.confirm.principals import find_principal  # noqa: PLC0415
    from oldhand.confirm.requests.decide import deny  # noqa: PLC0415 - as another process would

    with running(file_store) as daemon:
        asked = daemon.ask()
        answers: list[dict[str, Any]] = []
        path = f"/confirm/{asked['id']}?wait=15"
        bot = daemon.agent()
        waiter = threading.Thread(target=lambda: answers.append(bot.get(path).json()))
        waiter.start()
        elsewhere = file_store.another()
        deny(
            elsewhere, asked["id"], by=find_principal(elsewhere, "eve"), rev=1,
            digest=asked["digest"], reason="no", via="test", clock=daemon.clock,
        )  # fmt: skip
        waiter.join(12)
        elsewhere.close()

    assert [answer["status"] for answer in answers] == ["denied"]
    assert answers[0]["reason"] == "no"


def test_what_nobody_decides_expires_and_who_waits_is_told(file_store: Store) -> None:
    clock = FakeClock()
    with running(file_store, clock=clock) as daemon:
        asked = daemon.ask(timeout_seconds=30)
        answers: list[dict[str, Any]] = []
        path = f"/confirm/{asked['id']}?wait=15"
        bot = daemon.agent()
        waiter = threading.Thread(target=lambda: answers.append(bot.get(path).json()))
        waiter.start()
        clock.advance(31_000_000)
        waiter.join(12)

    assert [answer["status"] for answer in answers] == ["expired"]


def test_stopping_answers_those_who_wait(file_store: Store) -> None:
    with running(file_store) as daemon:
        asked = daemon.ask()
        answers: list[int] = []
        bot = daemon.agent()
        path = f"/confirm/{asked['id']}?wait=55"
        waiter = threading.Thread(target=lambda: answers.append(bot.get(path).status))
        waiter.start()
        _until_someone_waits(daemon, bot)
    waiter.join(10)

    assert answers == [200]


def _until_someone_waits(daemon: Daemon, bot: Caller) -> None:
    """Let the wait that was begun come in before what follows."""
    for _ in range(3):
        bot.get("/confirm")


@pytest.mark.parametrize("state", ["", "&state=pending"])
def test_a_list_of_what_is_long_is_bounded_and_goes_on(
    file_store: Store, state: str
) -> None:
    parts = Parts(rules=Rules(per_hour=0))
    with running(file_store, parts=parts) as daemon:
        ids = [daemon.ask(details={"x": "y" * 900_000, "n": n}) for n in range(7)]
        small = daemon.ask(details={})
        bot = daemon.agent()
        found: list[str] = []
        sizes: list[int] = []
        after = ""
        while True:
            answer = bot.get(f"/confirm?limit=500{state}{after}")
            value = answer.json()
            assert value["count"] == len(value["requests"]) > 0
            sizes.append(len(answer.body))
            found += [each["id"] for each in value["requests"]]
            if value["next"] is None:
                break
            after = f"&after={value['next']}"

    assert max(sizes) <= 4_000_100
    assert len(sizes) > 1
    asked = [each["id"] for each in [*ids, small]]
    assert found == (asked if state else asked[::-1])


def test_a_list_says_where_the_next_page_begins(daemon: Daemon) -> None:
    ids = [daemon.ask()["id"] for _ in range(3)]
    first = daemon.agent().get("/confirm?limit=2").json()
    second = daemon.agent().get(f"/confirm?limit=2&after={first['next']}").json()
    foreign = daemon.ask("other")["id"]

    assert [each["id"] for each in first["requests"]] == [ids[2], ids[1]]
    assert [each["id"] for each in second["requests"]] == [ids[0]]
    assert second["next"] is None
    for wrong in (foreign, "nonsense", ""):
        answer = daemon.agent().get(f"/confirm?after={wrong}")
        assert (answer.status, answer.json()["field"]) == (400, "after")


def test_one_request_that_fills_an_answer_is_listed(
    daemon: Daemon,
) -> None:
    held = daemon.ask(details={"x": "\u0001" * 150_000})
    edited = daemon.approve(held, details={"x": "\u0002" * 150_000})
    answer = daemon.agent().get("/confirm")

    assert edited.status == 200
    assert answer.json()["count"] == 1
    assert answer.json()["next"] is None


def test_the_inbox_of_what_is_long_says_how_much_it_shows(file_store: Store) -> None:
    parts = Parts(rules=Rules(per_hour=0))
    with running(file_store, parts=parts) as daemon:
        for number in range(7):
            daemon.ask(details={"x": "y" * 900_000, "n": number})
        page = daemon.person().get("/inbox", Accept="text/html").body.decode()

    assert "Only the oldest 4 of 7 are shown." in page


def test_who_leaves_while_waiting_is_waited_for_no_more(daemon: Daemon) -> None:
    held = daemon.ask()
    where = urlsplit(daemon.url)
    head = f"GET /confirm/{held['id']}?wait=50 HTTP/1.1\r\nHost: {where.netloc}\r\n"
    head += f"Authorization: {daemon.agent().headers['Authorization']}\r\n\r\n"
    leaving = [socket.create_connection(("127.0.0.1", where.port)) for _ in range(20)]
    for each in leaving:
        each.sendall(head.encode())
    _until(lambda: daemon.server.waiting_count == 20)

    for each in leaving[:19]:
        each.close()
    _until(lambda: daemon.server.waiting_count == 1)
    daemon.approve(held)
    answer = leaving[19].recv(65_536)
    leaving[19].close()

    assert b'"status":"approved"' in answer
    _until(lambda: daemon.server.waiting_count == 0)


def _until(is_so: Callable[[], bool]) -> None:
    """Wait for what the daemon does soon."""
    give_up_at = time.monotonic() + 15
    while not is_so():
        assert time.monotonic() < give_up_at, "it did not come"
        time.sleep(0.02)


def test_a_kind_of_row_that_there_is_not_is_refused(daemon: Daemon) -> None:
    answer = daemon.person().get("/audit?kind=nonsense")

    assert answer.status == 400
    assert "kind is none of asked," in answer.json()["detail"]

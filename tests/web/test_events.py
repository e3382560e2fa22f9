"""Server-sent events: who hears what, and what is missed."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

from oldhand.confirm.audit.read import newest_seq
from oldhand.confirm.credentials import issue_token
from oldhand.confirm.principals import disable_principal, find_principal
from oldhand.web import follower
from oldhand.web.follower import MOST_STREAMS_EACH

from .daemon import Caller, Daemon


class Listener:
    """Reads events one by one."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.response = response
        self.kind = response.headers["content-type"]

    def next(self) -> dict[str, Any]:
        """Return the next event, with `event`, `id` and what `data` holds as JSON."""
        found: dict[str, Any] = {}
        while True:
            line = self.response.readline().decode().rstrip("\n")
            if not line and "data" in found:
                return found
            name, separator, value = line.partition(": ")
            if separator and name in {"event", "id", "data"}:
                found[name] = json.loads(value) if name == "data" else value


@contextmanager
def listening(caller: Caller, **headers: str) -> Iterator[Listener]:
    parts = urlsplit(caller.url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=12)
    sent = caller.headers | {k.replace("_", "-"): v for k, v in headers.items()}
    with closing(connection):
        connection.request("GET", "/events", headers=sent)
        response = connection.getresponse()
        assert response.status == 200, response.read()
        yield Listener(response)


def test_an_agent_hears_of_its_own_and_a_person_of_all(any_daemon: Daemon) -> None:
    any_daemon.person()
    with (
        listening(any_daemon.agent()) as bot,
        listening(any_daemon.person()) as eve,
    ):
        ready = bot.next(), eve.next()
        theirs = any_daemon.ask("other")
        mine = any_daemon.ask()
        any_daemon.approve(mine)
        heard = [bot.next(), bot.next()]
        seen = [eve.next(), eve.next(), eve.next()]

    assert [each["event"] for each in ready] == ["ready", "ready"]
    assert {each["data"]["id"] for each in heard} == {mine["id"]}
    assert heard[-1]["data"] == {"id": mine["id"], "status": "approved", "rev": 2}
    assert [each["data"]["id"] for each in seen] == [
        theirs["id"], mine["id"], mine["id"],
    ]  # fmt: skip
    assert bot.kind.startswith("text/event-stream")


def test_who_comes_back_misses_nothing_and_hears_nothing_twice(daemon: Daemon) -> None:
    first = daemon.ask()
    before = newest_seq(daemon.store)
    second = daemon.ask()
    daemon.approve(first)

    with listening(daemon.agent(), Last_Event_ID=str(before)) as bot:
        bot.next()
        missed = [bot.next(), bot.next()]
        third = daemon.ask()
        live = bot.next()

    assert [each["data"]["id"] for each in missed] == [second["id"], first["id"]]
    assert live["data"]["id"] == third["id"]
    numbers = [int(each["id"]) for each in (*missed, live)]
    assert numbers == sorted(set(numbers))


def test_who_was_away_too_long_is_told_to_look_anew(
    daemon: Daemon, monkeypatch: Any
) -> None:
    from oldhand.web.api import events  # noqa: PLC0415

    monkeypatch.setattr(events, "_MOST_MISSED", 1)
    daemon.ask()

    with listening(daemon.agent(), Last_Event_ID="0") as bot:
        told = bot.next()

    assert told["event"] == "reset"
    assert int(told["id"]) == newest_seq(daemon.store)


def test_a_last_event_id_that_is_none_is_refused(daemon: Daemon) -> None:
    answer = daemon.agent().get("/events", Last_Event_ID="x")

    assert (answer.status, answer.json()["field"]) == (400, "Last-Event-ID")


def test_listening_has_a_limit_for_each(daemon: Daemon, monkeypatch: Any) -> None:
    monkeypatch.setattr(follower, "MOST_STREAMS_EACH", 1)
    with listening(daemon.agent()) as bot:
        bot.next()
        refused = daemon.agent().get("/events")
        with listening(daemon.agent("other")) as other:
            other.next()

    assert refused.status == 429


def test_who_comes_many_times_at_once_is_refused_as_well(daemon: Daemon) -> None:
    parts = urlsplit(daemon.url)
    token = daemon.agent().headers["Authorization"]
    head = f"GET /events HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: {token}\r\n\r\n"
    with ExitStack() as stack:
        lines = [
            stack.enter_context(
                socket.create_connection(("127.0.0.1", parts.port or 0), timeout=15)
            )
            for _ in range(MOST_STREAMS_EACH * 4)
        ]
        for line in lines:
            line.sendall(head.encode())
        said = [line.recv(12) for line in lines]

    assert said.count(b"HTTP/1.1 200") == MOST_STREAMS_EACH
    assert said.count(b"HTTP/1.1 429") == MOST_STREAMS_EACH * 3


def test_whose_token_is_revoked_hears_no_more(daemon: Daemon, monkeypatch: Any) -> None:
    from oldhand.web.api import events  # noqa: PLC0415

    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.05)
    agent = find_principal(daemon.store, "other")
    token = issue_token(daemon.store, agent, by=None, clock=daemon.clock)
    caller = Caller(daemon.url, {"Authorization": f"Bearer {token}"})

    with listening(caller) as other:
        other.next()
        eve = find_principal(daemon.store, "eve")
        disable_principal(daemon.store, "other", by=eve, clock=daemon.clock)
        rest = other.response.read()

    assert b"data" not in rest

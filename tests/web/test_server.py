"""The daemon as a whole: it starts, it stops, and it survives being killed."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from oldhand.clock import system_clock
from oldhand.confirm.audit.verify import verify_chain
from oldhand.confirm.credentials import issue_token
from oldhand.confirm.principals import find_principal
from oldhand.errors import InvalidInput
from oldhand.store import Store, open_database
from oldhand.web.exposure import Exposure, listen
from oldhand.web.server import ConfirmationServer

from .daemon import Caller, Daemon, furnish, running

BODY = {"action": "send_mail", "details": {"to": "a"}}
PROGRAM = """
import sys, threading
from oldhand.store import open_database
from oldhand.web.process import serve
from oldhand.web.server import ConfirmationServer

server = ConfirmationServer(open_database(sys.argv[1]), port=int(sys.argv[2]))
serve(server, before=lambda: None, ready=lambda: print(server.url, flush=True))
print("stopped", flush=True)
"""


@contextmanager
def started(
    database: Path, port: int = 0
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a daemon in a process of its own; yield it with its URL, and kill it at last."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(database), str(port)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout:
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()
            process.wait()


def known(database: Path) -> tuple[str, str]:
    """Furnish a database; return a token of bot's and the cookie of eve's session."""
    from oldhand.confirm.people import open_session  # noqa: PLC0415

    store = open_database(str(database))
    furnish(store, system_clock)
    bot = find_principal(store, "bot")
    token = issue_token(store, bot, by=None, clock=system_clock)
    eve = find_principal(store, "eve")
    session = open_session(store, eve, via="test", clock=system_clock)
    store.close()
    return token, session.token


def eve_at(url: str, session: str) -> Caller:
    from oldhand.confirm.people import csrf_of  # noqa: PLC0415

    headers = {
        "Cookie": f"oldhand_session={session}",
        "X-CSRF-Token": csrf_of(session),
        "Origin": url,
    }
    return Caller(url, headers)


def _asked_and_waited(
    url: str, token: str, session: str
) -> tuple[Caller, list[dict[str, Any]], threading.Thread, list[Any]]:
    """Ask three times, have the first approved, and wait for the second."""
    bot = Caller(url, {"Authorization": f"Bearer {token}"})
    asked = [bot.post("/confirm", BODY | {"target": str(n)}).json() for n in range(3)]
    shown = {"rev": 1, "digest": asked[0]["digest"]}
    yes = eve_at(url, session).post(f"/confirm/{asked[0]['id']}/approve", shown)
    assert yes.status == 200
    fates: list[Any] = []

    def wait() -> None:
        try:
            fates.append(bot.get(f"/confirm/{asked[1]['id']}?wait=50"))
        except (OSError, http.client.HTTPException) as fault:
            fates.append(fault)

    waiter = threading.Thread(target=wait)
    waiter.start()
    bot.get("/health")
    return bot, asked, waiter, fates


def test_pending_requests_and_those_who_wait_survive_kill_9(tmp_path: Path) -> None:
    database = tmp_path / "oldhand.db"
    token, session = known(database)
    with started(database) as (_, url):
        bot, asked, waiter, fates = _asked_and_waited(url, token, session)
    waiter.join(10)
    with started(database, int(url.rpartition(":")[2])):
        states = [bot.get(f"/confirm/{each['id']}").json()["status"] for each in asked]
        answers: list[str] = []
        path = f"/confirm/{asked[1]['id']}?wait=15"
        waiter = threading.Thread(
            target=lambda: answers.append(bot.get(path).json()["status"])
        )
        waiter.start()
        shown = {"rev": 1, "digest": asked[1]["digest"]}
        eve_at(url, session).post(f"/confirm/{asked[1]['id']}/deny", shown)
        waiter.join(12)
        used = bot.post(f"/confirm/{asked[0]['id']}/consume", BODY | {"target": "0"})

    assert isinstance(fates[0], Exception)
    assert states == ["approved", "pending", "pending"]
    assert answers == ["denied"]
    assert used.status == 200
    store = open_database(str(database))
    assert verify_chain(store).is_intact
    store.close()


def test_what_was_acknowledged_is_there_after_kill_9(tmp_path: Path) -> None:
    database = tmp_path / "oldhand.db"
    token, _ = known(database)
    acknowledged: list[str] = []

    def ask(number: int) -> None:
        bot = Caller(url, {"Authorization": f"Bearer {token}"})
        for at in range(1000):
            body = {"action": f"a{number}-{at // 9}", "details": {"n": at}}
            try:
                answer = bot.post("/confirm", body)
            except (OSError, http.client.HTTPException):
                return
            if answer.status == 202:
                acknowledged.append(answer.json()["id"])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    with started(database) as (_, url):
        for thread in threads:
            thread.start()
        while len(acknowledged) < 40:
            time.sleep(0.005)
    for thread in threads:
        thread.join(15)

    store = open_database(str(database))
    from oldhand.confirm.requests.read import state_of  # noqa: PLC0415

    states = {state_of(store, each).status for each in acknowledged}
    assert states == {"pending"}
    assert verify_chain(store).is_intact
    store.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_and_those_who_wait_are_answered(
    tmp_path: Path, number: signal.Signals
) -> None:
    database = tmp_path / "oldhand.db"
    token, _ = known(database)
    with started(database) as (process, url):
        bot = Caller(url, {"Authorization": f"Bearer {token}"})
        asked = bot.post("/confirm", {"action": "x", "details": {}}).json()
        answers: list[Any] = []
        path = f"/confirm/{asked['id']}?wait=50"
        waiter = threading.Thread(target=lambda: answers.append(bot.get(path)))
        waiter.start()
        for _ in range(5):
            bot.get("/health")

        process.send_signal(number)
        status = process.wait(15)
        waiter.join(5)

        assert status == 0
        assert process.stdout is not None
        last = process.stdout.read()

    assert last == "stopped\n"
    assert [answer.json()["status"] for answer in answers] == ["pending"]


def test_a_port_that_is_taken_is_named(store: Store) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = ConfirmationServer(store, port=port)
        with pytest.raises(InvalidInput, match="another program listens there"):
            server.start()


def test_the_other_form_of_the_loopback_is_not_left_to_others(store: Store) -> None:
    try:
        other = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("no IPv6 here")
    with other:
        server = ConfirmationServer(store, port=other.getsockname()[1])
        with pytest.raises(InvalidInput, match="::1"):
            server.start()


def test_answers_are_sent_at_once() -> None:
    sockets = listen(Exposure(port=0))

    protocols = {each.proto for each in sockets}
    for each in sockets:
        each.close()
    assert protocols == {socket.IPPROTO_TCP}  # else asyncio leaves Nagle's delay on


def test_what_browsers_block_is_refused_before_anything_is_opened(store: Store) -> None:
    with pytest.raises(InvalidInput, match="port 6000"):
        ConfirmationServer(store, port=6000)


def test_it_starts_and_stops_again_and_again(file_store: Store) -> None:
    ids: list[str] = []
    listed: dict[str, Any] = {}
    for _ in range(3):
        with running(file_store) as daemon:
            ids.append(daemon.ask()["id"])
            listed = daemon.person().get("/confirm?state=pending").json()

    assert [each["id"] for each in listed["requests"]] == ids


def test_two_daemons_over_one_database_decide_once(file_store: Store) -> None:
    with running(file_store) as first, running(file_store.another()) as second:
        asked = first.ask()
        answers = [first.approve(asked), second.approve(asked)]

    assert [answer.status for answer in answers] == [200, 409]


def test_many_wait_and_each_is_answered(daemon: Daemon) -> None:
    receipts = [daemon.ask(details={"n": n}, action=f"a{n}") for n in range(60)]
    answers: list[str] = []
    bot = daemon.agent()

    def wait(number: str) -> None:
        answers.append(bot.get(f"/confirm/{number}?wait=15").json()["status"])

    threads = [threading.Thread(target=wait, args=(each["id"],)) for each in receipts]
    for thread in threads:
        thread.start()
    for each in receipts:
        daemon.approve(each)
    for thread in threads:
        thread.join(15)

    assert answers == ["approved"] * 60
    assert daemon.server.waiting_count == 0

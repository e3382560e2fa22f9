"""An agent's client: what it takes for an answer, and what it survives."""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from oldhand.errors import (
    InvalidInput,
    NotFound,
    OldhandError,
    RequestConflict,
    TooMany,
    Unauthenticated,
    Unreachable,
)
from oldhand.integrations.gate.access import client_of
from oldhand.integrations.gate.client import ConfirmationClient
from oldhand.integrations.gate.patient_calls import PatientCalls
from oldhand.integrations.gate.transport import read_address
from oldhand.settings import load

from ...certificates import self_signed  # noqa: TID252 - tests are no package
from .conftest import impatient
from .daemon import Daemon, send


def test_what_is_approved_can_be_used_once(
    daemon: Daemon, client: ConfirmationClient
) -> None:
    held = client.submit("deploy", {"env": "test"}, description="now")
    daemon.decide(held.id)
    found = client.wait(held.id, seconds=5)

    used = client.consume(held.id, action="deploy", details=found.details)
    client.report_result(held.id, is_success=True, summary="fine")

    assert (held.status, found.status) == ("pending", "approved")
    assert (used.details, bool(used.grant)) == ({"env": "test"}, True)
    assert daemon.find(held.id).state == "succeeded"
    with pytest.raises(RequestConflict) as fault:
        client.consume(held.id, action="deploy", details=found.details)
    assert fault.value.why == "already_consumed"


def test_requests_belong_to_the_scheduled_run_that_they_are_made_in(
    daemon: Daemon, tmp_path: Path
) -> None:
    environment = {
        "HOME": str(tmp_path), "OLDHAND_CONFIRM_URL": daemon.url,
        "OLDHAND_CONFIRM_TOKEN": daemon.token, "OLDHAND_SESSION_KEY": "run-7",
    }  # fmt: skip
    client = client_of(load(environment=environment))

    ids = [
        client.submit("deploy", {"n": n}, session_key=key).id
        for n, key in enumerate(["", "mine"])
    ]

    assert [daemon.find(each).session_key for each in ids] == ["run-7", "mine"]


def test_a_rule_lets_pass_or_blocks(client: ConfirmationClient) -> None:
    assert client.submit("look", {}).status == "auto_approved"
    assert client.submit("never", {}).status == "blocked"


def test_a_restart_of_the_daemon_in_the_middle_of_a_wait_is_survived(
    daemon: Daemon, client: ConfirmationClient
) -> None:
    held = client.submit("deploy", {"env": "test"})
    found = []
    waiting = threading.Thread(
        target=lambda: found.append(client.wait(held.id, seconds=15))
    )
    waiting.start()
    while not any("wait=" in line for line in daemon.asked):
        threading.Event().wait(0.01)

    daemon.stop()
    daemon.decide(held.id)
    daemon.restart()
    waiting.join()

    assert found[0].status == "approved"


def test_a_wait_that_is_over_returns_what_is_still_pending(
    client: ConfirmationClient,
) -> None:
    held = client.submit("deploy", {"env": "test"})

    assert client.wait(held.id, seconds=1).status == "pending"


def test_a_key_is_made_once_and_kept_over_retries(
    daemon: Daemon, client: ConfirmationClient
) -> None:
    refused: list[int] = []

    def busy_once(handler: BaseHTTPRequestHandler) -> bool:
        if refused:
            return False
        refused.append(1)
        send(handler, 503, {"detail": "busy"})
        return True

    daemon.fault = busy_once
    client.submit("deploy", {"env": "test"})
    client.submit("deploy", {"env": "test"})

    first, again, other = daemon.keys
    assert first == again
    assert first is not None
    assert other != first


BAD_ANSWERS: dict[str, tuple[int, Any]] = {
    "no JSON": (200, b"<html>"),
    "a list": (200, []),
    "nothing": (200, {}),
    "another request": (200, {"id": "other", "status": "yes"}),
    "a state that is none": (200, {"id": "x", "status": "yes"}),
    "a status that is no text": (200, {"id": "x", "status": ["approved"]}),
    "an error": (500, {"detail": "oh"}),
    "too much": (200, b"[" * (17 * 1024 * 1024)),
    "deep": (200, b"[" * 100_000),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_an_answer_that_is_none_is_no_yes(
    daemon: Daemon, client: ConfirmationClient, name: str
) -> None:
    status, value = BAD_ANSWERS[name]

    def broken(handler: BaseHTTPRequestHandler) -> bool:
        send(handler, status, value)
        return True

    daemon.fault = broken

    for work in (
        lambda: client.submit("look", {}),
        lambda: client.find("x"),
        lambda: client.consume("x", action="look", details={}),
    ):
        with pytest.raises(Unreachable):
            work()


def test_an_answer_about_another_request_is_none(
    daemon: Daemon, client: ConfirmationClient
) -> None:
    other, asked = client.submit("look", {}), client.submit("deploy", {})

    def swapped(handler: BaseHTTPRequestHandler) -> bool:
        handler.path = handler.path.replace(asked.id, other.id)
        return False

    daemon.fault = swapped

    with pytest.raises(Unreachable, match="another request"):
        client.find(asked.id)
    with pytest.raises(Unreachable):
        client.consume(asked.id, action="look", details={})


def test_an_approval_under_the_code_of_a_pending_request_is_taken_at_no_more(
    daemon: Daemon, client: ConfirmationClient
) -> None:
    held = client.submit("deploy", {"env": "test"})

    def says_yes(handler: BaseHTTPRequestHandler) -> bool:
        send(handler, 403, {"id": held.id, "status": "approved", "detail": "no"})
        return True

    daemon.fault = says_yes

    with pytest.raises(OldhandError):
        client.submit("deploy", {"env": "test"})


def test_a_redirect_is_not_followed(daemon: Daemon, client: ConfirmationClient) -> None:
    def elsewhere(handler: BaseHTTPRequestHandler) -> bool:
        send(handler, 307, {}, Location=f"{daemon.url}/elsewhere")
        return True

    daemon.fault = elsewhere

    with pytest.raises(Unreachable, match="elsewhere"):
        client.find("x")
    assert daemon.asked == ["GET /confirm/x"]


def test_where_nobody_has_ever_listened_nobody_is_waited_for(daemon: Daemon) -> None:
    waits: list[float] = []
    address = read_address(daemon.url)
    calls = PatientCalls(address, waits_for_start=False, sleep=waits.append)
    daemon.stop()
    with pytest.raises(Unreachable, match="`oldhand serve` starts"):
        calls.ask("GET", "/health", headers={})
    assert waits == []
    daemon.restart()
    calls.ask("GET", "/health", headers={})
    daemon.stop()

    def start_again(_: float) -> None:
        waits.append(0)
        daemon.restart()

    calls.sleep = start_again
    assert calls.ask("GET", "/health", headers={}).status
    assert len(waits) == 1


def test_where_nobody_listens_it_says_so_in_time(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

    with pytest.raises(Unreachable, match="nobody listens") as fault:
        impatient(f"http://127.0.0.1:{port}", "oha_0123456789").submit("look", {})
    assert "oldhand serve" in str(fault.value)


def test_a_problem_becomes_the_error_that_it_is(
    daemon: Daemon, client: ConfirmationClient
) -> None:
    with pytest.raises(NotFound):
        client.find("nothing")
    with pytest.raises(NotFound):
        client.find("../audit?")
    with pytest.raises(InvalidInput, match="timeout_seconds"):
        client.submit("deploy", {}, timeout_seconds=7)
    with pytest.raises(Unauthenticated):
        impatient(daemon.url, "oha_of_nobody").find("x")

    def too_many(handler: BaseHTTPRequestHandler) -> bool:
        send(
            handler, 429, {"detail": "no more", "window_seconds": 3600}, Retry_After="7"
        )
        return True

    daemon.fault = too_many
    with pytest.raises(TooMany) as fault:
        client.submit("deploy", {})
    assert (fault.value.window_seconds, fault.value.retry_after_seconds) == (3600, 7)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org",
        "http://10.0.0.1:6060",
        "ftp://localhost",
        "localhost:6060",
        "http://localhost:x",
        "http://localhost:6060/path",
        "http://user:pw@localhost:6060",
        "http://localhost:6060\r\nX: y",
        "",
    ],
)
def test_an_address_that_is_none_or_would_tell_the_token_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput):
        read_address(url)


@pytest.mark.parametrize("token", ["", "short", "oha_a\r\nX-Evil: 1", "oha_ä" * 4])
def test_a_token_that_cannot_be_one_is_refused_and_not_shown(token: str) -> None:
    with pytest.raises(InvalidInput) as fault:
        ConfirmationClient("http://localhost:6060", token)

    assert not token or token not in str(fault.value)


def test_a_client_is_shown_without_its_token(daemon: Daemon) -> None:
    shown = repr(ConfirmationClient(daemon.url, daemon.token))

    assert daemon.token not in shown
    assert json.dumps(daemon.url)[1:-1] in shown


@pytest.fixture
def certified(tmp_path: Path) -> Path:
    """Make a certificate for 127.0.0.1."""
    return self_signed(tmp_path, "127.0.0.1")


def test_over_tls_only_a_trusted_certificate_is_asked(
    daemon: Daemon, certified: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.speak_tls(certified)
    url = f"https://127.0.0.1:{daemon.port}"

    with pytest.raises(Unreachable, match="does not trust"):
        impatient(url, daemon.token, seconds=60).submit("look", {})
    monkeypatch.setenv("SSL_CERT_FILE", str(certified))

    assert impatient(url, daemon.token).submit("look", {}).status == "auto_approved"
    assert daemon.asked == ["POST /confirm"]


def test_who_sits_at_the_other_localhost_is_not_asked(daemon: Daemon) -> None:
    with socket.socket(socket.AF_INET6) as other:
        try:
            other.bind(("::1", daemon.port))
        except OSError as fault:
            pytest.skip(f"no second loopback here: {fault}")
        other.listen()
        other.settimeout(0)

        held = impatient(f"http://localhost:{daemon.port}", daemon.token).submit(
            "look", {}
        )

        assert held.status == "auto_approved"
        with pytest.raises(BlockingIOError):
            other.accept()

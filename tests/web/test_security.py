"""The guard, the address and the ports."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest

from oldhand.errors import InvalidInput
from oldhand.web.address import address_of
from oldhand.web.exposure import Exposure, check_exposure
from oldhand.web.ports import BLOCKED_PORTS, check_port

from .daemon import Daemon


def test_every_answer_carries_the_headers(daemon: Daemon) -> None:
    answers = [
        daemon.nobody.get("/health"),
        daemon.nobody.get("/nowhere"),
        daemon.nobody.get("/confirm"),
        daemon.nobody.get("/health", Host="evil.example"),
        daemon.nobody.post("/confirm", b"x", Content_Type="text/plain"),
    ]

    assert [answer.status for answer in answers] == [200, 404, 401, 421, 415]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
def test_the_names_of_this_machine_are_answered(daemon: Daemon, host: str) -> None:
    port = daemon.url.rpartition(":")[2]

    assert daemon.nobody.get("/health", Host=f"{host}:{port}").status == 200


@pytest.mark.parametrize(
    "host", ["", "localhost", "localhost:1", "evil.example", "localhost.evil.example"]
)
def test_other_names_are_misdirected(daemon: Daemon, host: str) -> None:
    assert daemon.nobody.get("/health", Host=host).status == 421


@pytest.mark.parametrize(
    "kind", ["text/plain", "multipart/form-data; boundary=x", "application/xml", ""]
)
def test_bodies_of_other_kinds_are_not_read(daemon: Daemon, kind: str) -> None:
    answer = daemon.agent().post("/confirm", b"{}", Content_Type=kind)

    assert (answer.status, answer.json()["code"]) == (415, "wrong_content_type")


def test_a_form_is_no_request_of_the_api(daemon: Daemon) -> None:
    answer = daemon.agent().post(
        "/confirm", b"action=x", Content_Type="application/x-www-form-urlencoded"
    )

    assert answer.status == 415


def test_a_long_body_needs_somebody_who_is_known(daemon: Daemon) -> None:
    details = {"text": "x" * 100_000}
    body = {"action": "x", "details": details}

    assert daemon.nobody.post("/confirm", body).status == 401
    assert daemon.agent().post("/confirm", body).status == 202
    assert daemon.browser().post("/sign-in", body).status == 413


@pytest.mark.parametrize(
    "cookie",
    [
        "oldhand_session=",
        "oldhand_session=x",
        "oldhand_session=" + "x" * 500,
        "oldhand_session=a; oldhand_session=b",
    ],
)
def test_a_cookie_that_is_no_session_is_nobody(daemon: Daemon, cookie: str) -> None:
    assert daemon.nobody.get("/people", Cookie=cookie).status == 401


def test_a_session_set_twice_is_nobody(daemon: Daemon) -> None:
    right = daemon.person().headers["Cookie"]

    answer = daemon.nobody.get("/people", Cookie=f"oldhand_session=x; {right}")

    assert answer.status == 401


@pytest.mark.parametrize(
    "token", ["Bearer", "Bearer ", "Basic eDp4", "Bearer \xff", "x"]
)
def test_a_token_that_is_none_is_nobody(daemon: Daemon, token: str) -> None:
    answer = daemon.nobody.get("/confirm", Authorization=token)

    assert answer.status == 401
    assert "bearer" in answer.headers["www-authenticate"].lower()


def test_what_cannot_be_done_somewhere_says_what_can(daemon: Daemon) -> None:
    answer = daemon.agent().call("DELETE", "/confirm", headers={})

    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD, POST")


def test_a_head_is_a_get_without_its_body(daemon: Daemon) -> None:
    for path in ("/health", "/events"):
        answer = daemon.agent().call("HEAD", path)
        assert (answer.status, answer.body) == (200, b"")


def test_who_leaves_in_the_middle_of_a_body_is_no_error_of_ours(
    daemon: Daemon, caplog: pytest.LogCaptureFixture
) -> None:
    parts = urlsplit(daemon.url)
    with socket.create_connection(("127.0.0.1", parts.port or 0)) as line:
        head = f"POST /sign-in HTTP/1.1\r\nHost: {parts.netloc}\r\nOrigin: {daemon.url}\r\n"
        line.sendall(head.encode() + b"Content-Type: application/json\r\n")
        line.sendall(b"Content-Length: 100\r\n\r\n{")
        line.shutdown(socket.SHUT_RDWR)

    for _ in range(3):  # which come after it
        assert daemon.nobody.get("/health").status == 200
    assert [each for each in caplog.messages if "internal error" in each] == []


def test_an_unforeseen_fault_is_told_by_an_id_alone(
    daemon: Daemon, caplog: pytest.LogCaptureFixture
) -> None:
    from oldhand.store import Query  # noqa: PLC0415

    with daemon.store.transaction():
        daemon.store.execute(Query("x", "UPDATE policies SET text = 'broken ='", ""))
        daemon.store.execute(
            Query("x", "UPDATE policies SET digest = 'not read yet'", "")
        )

    answer = daemon.person().post("/policy/test", {"action": "x", "details": {}})

    assert answer.status in {400, 500}
    assert "Traceback" not in answer.body.decode()


def test_ports_that_browsers_block_are_refused() -> None:
    assert {1, 22, 6000, 6666, 10080} <= BLOCKED_PORTS.keys()
    for port in (6000, 6697, 25):
        with pytest.raises(InvalidInput, match="browsers open no page"):
            check_port(port)
    for port in (0, 80, 443, 6060, 8080):
        check_port(port)
    for port in (-1, 70_000):
        with pytest.raises(InvalidInput, match="is no port"):
            check_port(port)


@pytest.mark.parametrize(
    ("exposure", "said"),
    [
        (Exposure(host="192.168.1.5"), "--insecure REASON"),
        (Exposure(host="192.168.1.5", insecure_reason="  "), "--insecure REASON"),
        (Exposure(host="0.0.0.0", insecure_reason="lab"), "--url"),  # noqa: S104
        (Exposure(tls_cert="c.pem"), "both a certificate and its key"),
        (Exposure(host="192.168.1.5", is_behind_proxy=True), "--url https"),
        (
            Exposure(is_behind_proxy=True, public_url="http://oldhand.example"),
            "--url https",
        ),
    ],
)
def test_what_others_could_listen_in_on_is_refused(
    exposure: Exposure, said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        check_exposure(exposure)


@pytest.mark.parametrize(
    "exposure",
    [
        Exposure(),
        Exposure(host="192.168.1.5", insecure_reason="a lab without other people"),
        Exposure(
            host="192.168.1.5", is_behind_proxy=True, public_url="https://a.example"
        ),
    ],
)
def test_what_is_closed_or_said_to_be_open_is_taken(exposure: Exposure) -> None:
    check_exposure(exposure)


def test_behind_a_proxy_the_name_outside_counts() -> None:
    address = address_of(
        host="127.0.0.1", port=6060, public_url="https://Confirm.example"
    )

    assert address.url == "https://confirm.example"
    assert address.cookie_name == "__Host-oldhand_session"
    assert "confirm.example" in address.hosts
    assert "https://confirm.example" in address.origins
    assert "http://confirm.example" not in address.origins


@pytest.mark.parametrize(
    "url",
    [
        "confirm.example",
        "ftp://a",
        "https://a/b",
        "https://u:p@a",
        "https://a:x",
        "https://",
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput):
        address_of(host="127.0.0.1", port=6060, public_url=url)

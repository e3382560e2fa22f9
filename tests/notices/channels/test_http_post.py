"""A service that is down, slow, hostile or asks for patience."""

from __future__ import annotations

import socket
from http.server import BaseHTTPRequestHandler

import pytest

from oldhand.notices.channels import NotSent
from oldhand.notices.channels.http_post import JsonPoster
from oldhand.notices.channels.rest import Rest
from oldhand.testing import FakeClock

from ..services import Reply, Service  # noqa: TID252 - tests are no package


def refuse(poster: JsonPoster) -> NotSent:
    with pytest.raises(NotSent) as fault:
        poster.post("/secret-path", {})
    return fault.value


def test_json_goes_out_and_comes_back(service: Service) -> None:
    answer = JsonPoster(f"{service.url}/base/").post("/x?y=1", {"a": "é\ud800"})

    assert answer == {"ok": True, "result": {}}
    assert service.received == [("/base/x?y=1", {"a": "é\ud800"})]


@pytest.mark.parametrize(
    ("reply", "seconds"),
    [
        (Reply(429, b"{}", {"Retry-After": "7"}), 7),
        (Reply(429, b'{"retry_after": 0.5}'), 0.5),
        (Reply(429, b'{"parameters": {"retry_after": 3}}'), 3),
        (Reply(503, b"", {"Retry-After": "4"}), 4),
    ],
)
def test_what_a_service_asks_for_is_honoured(
    service: Service, reply: Reply, seconds: float
) -> None:
    now = FakeClock(0)
    poster = JsonPoster(service.url, rest=Rest(counter=now))
    service.replies.append(reply)
    asked = refuse(poster).retry_after
    again = refuse(poster).retry_after
    received = len(service.received)
    now.advance(8)

    assert (asked, again, received) == (seconds, seconds, 1)
    poster.post("/", {})


@pytest.mark.parametrize(
    "reply",
    [
        Reply(429, b"{}", {"Retry-After": "nan"}),
        Reply(429, b"{}", {"Retry-After": "-3"}),
        Reply(429, b'{"retry_after": 1e999}'),
        Reply(429, b'{"retry_after": {}, "parameters": [1]}'),
        Reply(500, b"[" * 60_000),
        Reply(503, b"\xff\xfe"),
    ],
)
def test_a_senseless_answer_is_a_refusal_with_the_usual_rest(
    service: Service, reply: Reply
) -> None:
    poster = JsonPoster(service.url, rest=Rest(counter=FakeClock(0)))
    service.replies.append(reply)

    assert refuse(poster).retry_after is None
    assert refuse(poster).retry_after == 10


def test_a_message_that_is_refused_for_itself_stops_no_other(service: Service) -> None:
    poster = JsonPoster(service.url)
    service.replies.append(
        Reply(400, b'{"description": "Bad Request: chat not found"}')
    )

    assert str(refuse(poster)) == "400 Bad Request: chat not found"
    poster.post("/", {})


def test_a_redirect_is_not_followed(service: Service, other_service: Service) -> None:
    service.replies.append(Reply(307, b"", {"Location": f"{other_service.url}/x"}))

    assert str(refuse(JsonPoster(service.url))) == "307"
    assert other_service.received == []


def test_nobody_there(service: Service) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    poster = JsonPoster(f"http://127.0.0.1:{port}", rest=Rest(counter=FakeClock(0)))

    assert "ConnectionRefusedError" in str(refuse(poster))
    assert refuse(poster).retry_after == 10


def test_a_server_without_tls_is_not_talked_to_in_the_clear(service: Service) -> None:
    poster = JsonPoster(service.url.replace("http:", "https:"))

    assert "SSL" in str(refuse(poster))
    assert service.received == []


def test_an_answer_that_never_comes_ends(service: Service) -> None:
    def be_silent(handler: BaseHTTPRequestHandler) -> None:
        handler.connection.recv(1)

    service.before_reply = be_silent

    assert "TimeoutError" in str(refuse(JsonPoster(service.url, timeout_seconds=0.1)))


def test_an_answer_that_comes_byte_by_byte_ends(service: Service) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.connection.settimeout(0.02)
        while True:
            handler.wfile.write(b"x")
            try:
                if not handler.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break

    service.before_reply = drip
    poster = JsonPoster(service.url, timeout_seconds=5, answer_seconds=0.2)

    assert refuse(poster).retry_after is None
    assert "left alone" in str(refuse(poster))


def test_no_fault_holds_the_path(service: Service) -> None:
    poster = JsonPoster(service.url, secrets=("secret-path",))
    service.replies.append(Reply(404, b'{"message": "/secret-path?"}'))

    assert str(refuse(poster)) == "404 /[redacted]?"
    with pytest.raises(NotSent) as fault:
        poster.post("/secret-path\n", {})
    assert "secret-path" not in str(fault.value)
    assert fault.value.__cause__ is None
    assert fault.value.__suppress_context__

"""Requests as bytes: however they come, each is answered once, whole and in its order."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any
from urllib.parse import urlsplit

import pytest

from .daemon import Daemon

DRAFT = json.dumps({"action": "deploy", "details": {"env": "test"}}).encode()


@contextmanager
def connected(daemon: Daemon) -> Iterator[tuple[socket.socket, IO[bytes]]]:
    port = urlsplit(daemon.url).port or 0
    with socket.create_connection(("127.0.0.1", port), timeout=15) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with line.makefile("rb") as reading:
            yield line, reading


def request(daemon: Daemon, first: str, *headers: str, body: bytes = b"") -> bytes:
    lines = [first, f"Host: {urlsplit(daemon.url).netloc}", *headers]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def asking(daemon: Daemon, body: bytes = DRAFT) -> bytes:
    token = daemon.agent().headers["Authorization"]
    return request(
        daemon, "POST /confirm HTTP/1.1", f"Authorization: {token}", body=body
    )


def read_answer(reading: IO[bytes], *, has_body: bool = True) -> tuple[int, Any]:
    status = int(reading.readline().split()[1])
    length = -1
    while (line := reading.readline()) != b"\r\n":
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            assert length < 0
            length = int(value)
    return status, reading.read(length) if has_body else length


def test_a_body_that_comes_with_its_head_is_read(daemon: Daemon) -> None:
    with connected(daemon) as (line, reading):
        line.sendall(asking(daemon))
        status, body = read_answer(reading)

    assert (status, json.loads(body)["action"]) == (202, "deploy")


@pytest.mark.parametrize("size", [1, 7, 50])
def test_a_request_that_comes_in_pieces_is_read(daemon: Daemon, size: int) -> None:
    with connected(daemon) as (line, reading):
        sent = asking(daemon)
        for at in range(0, len(sent), size):
            line.sendall(sent[at : at + size])
        status, body = read_answer(reading)

    assert (status, json.loads(body)["action"]) == (202, "deploy")


def test_a_long_body_is_read_whole(daemon: Daemon) -> None:
    draft = {"action": "deploy", "details": {"text": "x" * 500_000}}
    with connected(daemon) as (line, reading):
        line.sendall(asking(daemon, json.dumps(draft).encode()))
        status, body = read_answer(reading)
        shown = daemon.agent().get(f"/confirm/{json.loads(body)['id']}")

    assert status == 202
    assert shown.json()["details"] == draft["details"]


def test_requests_that_come_at_once_are_answered_in_their_order(daemon: Daemon) -> None:
    names = [f"action_{number}" for number in range(20)]
    drafts = [json.dumps({"action": name, "details": {}}).encode() for name in names]
    with connected(daemon) as (line, reading):
        line.sendall(b"".join(asking(daemon, draft) for draft in drafts))
        answers = [read_answer(reading) for _ in names]

    assert [json.loads(body)["action"] for _, body in answers] == names


def test_head_says_the_length_and_no_more(daemon: Daemon) -> None:
    with connected(daemon) as (line, reading):
        line.sendall(request(daemon, "HEAD /health HTTP/1.1"))
        status, length = read_answer(reading, has_body=False)
        line.sendall(request(daemon, "GET /health HTTP/1.1"))

        assert status == 200
        assert length > 0
        assert read_answer(reading)[0] == 200


@pytest.mark.parametrize(
    ("first", "header"),
    [("GET /health HTTP/1.1", "Connection: close"), ("GET /health HTTP/1.0", "X: y")],
)
def test_a_connection_that_is_to_end_ends_after_the_answer(
    daemon: Daemon, first: str, header: str
) -> None:
    with connected(daemon) as (line, reading):
        line.sendall(request(daemon, first, header))
        status, body = read_answer(reading)

        assert status == 200
        assert json.loads(body)
        assert reading.read() == b""


def test_every_answer_has_the_headers_that_keep_it_safe(daemon: Daemon) -> None:
    bot = daemon.agent()
    wrong = {"Host": "elsewhere.example"}
    answers = [
        bot.get("/health"),
        bot.get("/nowhere"),
        bot.post("/confirm", {"action": ""}),
        bot.call("GET", "/health", headers=wrong),
        daemon.nobody.get("/sign-in", accept="text/html"),
    ]

    for answer in answers:
        headers = {name.lower(): value for name, value in answer.headers.items()}
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["cache-control"]
        assert headers["date"]

"""Whoever can connect keeps neither memory nor a connection by a head without an end."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from oldhand.web import heads

from .daemon import Daemon


@contextmanager
def connected(daemon: Daemon) -> Iterator[socket.socket]:
    parts = urlsplit(daemon.url)
    with socket.create_connection(("127.0.0.1", parts.port or 0), timeout=15) as made:
        yield made


def begun(daemon: Daemon, path: str = "/health") -> bytes:
    host = urlsplit(daemon.url).netloc
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n".encode()


def sent_until_refused(line: socket.socket, piece: bytes, most: int) -> int:
    """Send a piece again and again; return how many bytes were taken."""
    taken = 0
    while taken < most:
        try:
            line.sendall(piece)
        except OSError:
            break
        taken += len(piece)
    return taken


def is_over(line: socket.socket) -> bool:
    """Say whether the other side ends the connection."""
    try:
        while line.recv(65_536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize(
    "piece", [b"x" * 1_000, b"h: v\r\n" * 200], ids=["one-header", "many"]
)
def test_a_head_without_an_end_is_refused(daemon: Daemon, piece: bytes) -> None:
    with connected(daemon) as line:
        line.sendall(begun(daemon))
        # What the sockets hold between them may go on being sent.
        assert sent_until_refused(line, piece, 30_000_000) < 30_000_000
    assert daemon.nobody.get("/health").status == 200


def test_a_long_request_line_is_refused(daemon: Daemon) -> None:
    with connected(daemon) as line:
        line.sendall(b"GET /")
        assert sent_until_refused(line, b"x" * 1_000, 30_000_000) < 30_000_000


def test_trailers_without_an_end_are_refused(daemon: Daemon) -> None:
    with connected(daemon) as line:
        line.sendall(begun(daemon) + b"Transfer-Encoding: chunked\r\n\r\n0\r\n")
        assert sent_until_refused(line, b"h: v\r\n" * 200, 30_000_000) < 30_000_000


def test_a_head_of_usual_length_is_answered(daemon: Daemon) -> None:
    with connected(daemon) as line:
        line.sendall(begun(daemon) + b"X: " + b"x" * 30_000 + b"\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 200")


def test_many_requests_on_one_connection_are_answered(daemon: Daemon) -> None:
    with connected(daemon) as line, line.makefile("rb") as reading:
        for _ in range(5):
            line.sendall(begun(daemon) + b"X: " + b"x" * 30_000 + b"\r\n\r\n")
            assert reading.readline().startswith(b"HTTP/1.1 200")
            length = 0
            while (header := reading.readline()) != b"\r\n":
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
            reading.read(length)


@pytest.mark.parametrize("said", [b"", b"GET /hea"], ids=["nothing", "half"])
def test_who_never_ends_a_head_is_left(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(heads, "HEAD_SECONDS", 0.2)
    with connected(daemon) as line:
        line.sendall(said)
        assert is_over(line)


def test_who_waits_for_a_decision_is_not_left(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heads, "HEAD_SECONDS", 0.2)
    asked = daemon.ask()
    answer = daemon.agent().get(f"/confirm/{asked['id']}?wait=1")
    assert answer.json()["status"] == "pending"

"""Servers on one's own machine say what window they serve; none can hold us up or lead us on."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from oldhand.cron.guards.servers import MAX_BYTES, REMEMBER_SECONDS, Servers

from .answering import ModelServer

OLLAMA_LIST = {"object": "list", "data": [{"id": "qwen3:8b", "owned_by": "library"}]}
OLLAMA_SHOW = {
    "parameters": 'stop                           "<|im_end|>"\nnum_ctx    16384',
    "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40_960},
}
SERVED = [
    ("vllm", {"/v1/models": {"data": [{"id": "m", "max_model_len": 32_768}]}}, 32_768),
    ("openai-like", {"/v1/models": {"data": [{"id": "m", "context_length": 9_000}]}},
     9_000),
    ("llama.cpp", {
        "/v1/models": {"data": [{"id": "m", "meta": {"n_ctx_train": 131_072}}]},
        "/props": {"default_generation_settings": {"n_ctx": 4_096}, "total_slots": 1},
    }, 4_096),
    ("ollama, loaded", {
        "/v1/models": {"data": [{"id": "m"}]},
        "/api/ps": {"models": [{"name": "m", "model": "m", "context_length": 2_048}]},
        "/api/show": OLLAMA_SHOW,
    }, 2_048),
    ("ollama, set", {"/api/ps": {"models": []}, "/api/show": OLLAMA_SHOW}, 16_384),
    ("ollama, at most", {"/api/show": {**OLLAMA_SHOW, "parameters": ""}}, 40_960),
    ("lm studio, loaded", {
        "/v1/models": {"data": [{"id": "m"}]},
        "/api/v0/models": {"data": [
            {"id": "m", "max_context_length": 131_072, "loaded_context_length": 4_096}
        ]},
    }, 4_096),
    ("lm studio", {
        "/api/v0/models": {"data": [{"id": "m", "max_context_length": 131_072}]},
    }, 131_072),
]  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "tokens"), [pytest.param(a, t, id=name) for name, a, t in SERVED]
)
def test_what_a_server_gives_a_model(answers: dict[str, Any], tokens: int) -> None:
    with ModelServer(**answers) as server:
        assert Servers().window(server.url, "m") == tokens


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        "text",
        {"data": None},
        {"data": ["m", None, {"id": "other", "max_model_len": 5}]},
        {"data": [{"id": "m", "max_model_len": "32768"}]},
        {"data": [{"id": "m", "max_model_len": True}]},
        {"data": [{"id": "m", "max_model_len": -1}]},
        {"data": [{"id": "m", "max_model_len": 10**30}]},
    ],
)
def test_what_says_nothing_is_unknown(answer: Any) -> None:
    with ModelServer(**{"/v1/models": answer}) as server:
        assert Servers().window(server.url, "m") is None


def test_it_is_asked_of_the_servers_root_whatever_the_path_of_its_api() -> None:
    answers = {"/v1/models": {"data": [{"id": "m", "max_model_len": 7_000}]}}
    with ModelServer(**answers) as server:
        root = server.url.removesuffix("/v1")
        found = [
            Servers().window(f"{root}{p}", "m") for p in ("", "/v1", "/api", "/v1/")
        ]

    assert found == [7_000] * 4


def test_an_answer_is_remembered_for_an_hour() -> None:
    at = [0.0]
    servers = Servers(counter=lambda: at[0])
    answers = {"/v1/models": {"data": [{"id": "m", "max_model_len": 7_000}]}}
    with ModelServer(**answers) as server:
        servers.window(server.url, "m")
        at[0] = REMEMBER_SECONDS - 1
        servers.window(server.url, "m")
        before = len(server.asked)
        at[0] = REMEMBER_SECONDS
        servers.window(server.url, "m")

    assert (before, len(server.asked)) == (1, 2)


def test_nothing_is_asked_of_the_cloud(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *said, **_: asked.append(said))

    for url in ("https://api.openai.com/v1", "http://8.8.8.8/v1", "unix:///run/x.sock"):
        assert Servers().window(url, "m") is None

    assert asked == []


def test_a_name_of_ones_own_network_that_leads_elsewhere_is_sent_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = []

    class Elsewhere:
        """A connection to a machine in the net."""

        def getpeername(self) -> tuple[str, int]:
            return ("93.184.216.34", 80)

        def sendall(self, data: bytes) -> None:
            sent.append(data)

        def setsockopt(self, *_: object) -> None:
            """Take it."""

        def close(self) -> None:
            """End."""

    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: Elsewhere())

    assert Servers().window("http://box.lan/v1", "m") is None
    assert sent == []


def test_a_redirect_is_not_followed() -> None:
    with ModelServer(
        **{"/x": {"data": [{"id": "m", "max_model_len": 5_000}]}}
    ) as other:

        def elsewhere(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(302)
            handler.send_header("Location", f"http://127.0.0.1:{other.port}/x")
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        with ModelServer(**{"/v1/models": elsewhere}) as server:
            assert Servers().window(server.url, "m") is None

    assert other.asked == []


def test_an_answer_without_end_is_not_read_to_it() -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b" " * (MAX_BYTES + 10))

    with ModelServer(**{"/v1/models": endless}) as server:
        assert Servers().window(server.url, "m") is None


@pytest.mark.parametrize("drips", [True, False])
def test_a_server_that_never_ends_is_left(drips: bool) -> None:
    over = threading.Event()

    def slow(handler: BaseHTTPRequestHandler) -> None:
        while drips and not over.wait(0.02):
            try:
                handler.wfile.write(b"H")
            except OSError:
                return
        over.wait(15)

    with ModelServer(**{"/v1/models": slow}) as server:
        found = Servers(limit_seconds=0.3).window(server.url, "m")
        is_waiting = not over.is_set()
        over.set()

    assert found is None
    assert is_waiting


def test_where_nobody_listens_it_is_unknown() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    assert Servers().window(f"http://127.0.0.1:{port}/v1", "m") is None


def test_a_models_name_is_sent_as_it_is() -> None:
    with ModelServer(**{"/api/show": OLLAMA_SHOW}) as server:
        Servers().window(server.url, "a b/c&d=é")

    assert server.bodies == [{"model": "a b/c&d=é"}]

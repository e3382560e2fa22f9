"""What counts as one's own machine or network; what is not known counts as the cloud."""

from __future__ import annotations

import socket

import pytest

from oldhand.cron.guards.local import is_local


@pytest.mark.parametrize(
    ("provider", "base_url"),
    [
        ("ollama", None),
        ("Ollama", ""),
        ("LM Studio", None),
        ("llama.cpp", None),
        ("llama_cpp", None),
        ("vllm", None),
        ("local", None),
        ("anthropic", "http://localhost:4000"),
        (None, "http://127.0.0.1:11434/v1"),
        (None, "http://127.8.8.8"),
        (None, "http://[::1]:8080/v1"),
        (None, "http://10.1.2.3"),
        (None, "http://172.31.0.1"),
        (None, "https://192.168.0.9:8443/v1"),
        (None, "http://169.254.3.4"),
        (None, "http://[fe80::1%25eth0]:80"),
        (None, "http://[fd12::1]/v1"),
        (None, "http://[::ffff:10.0.0.1]"),
        (None, "http://0.0.0.0:11434"),
        (None, "http://box.local:1234/v1"),
        (None, "http://GPU.Lan/v1"),
        (None, "http://box.lan./v1"),
        (None, "http://host.docker.internal:11434"),
        (None, "unix:///run/llama.sock"),
    ],
)
def test_ones_own(provider: str | None, base_url: str | None) -> None:
    assert is_local(provider, base_url)


@pytest.mark.parametrize(
    ("provider", "base_url"),
    [
        (None, None),
        ("", ""),
        ("anthropic", None),
        ("openrouter", None),
        ("ollama-cloud", None),
        ("ollama", "https://ollama.com/v1"),
        ("local", "https://api.example.com/v1"),
        (None, "http://8.8.8.8"),
        (None, "http://172.32.0.1"),
        (None, "http://100.64.0.1"),
        (None, "http://[2001:db8::1]"),
        (None, "http://[::ffff:8.8.8.8]"),
        (None, "http://127.0.0.1.evil.example"),
        (None, "http://localhost.evil.example"),
        (None, "http://localhost@evil.example/"),
        (None, "http://evil.example#.local"),
        (None, "http://evil.example/.lan"),
        (None, "http://evil.example\\.lan/"),
        (None, "http://evil.example%2f.lan/"),
        (None, "http://2130706433/"),
        (None, "http://metadata.google.internal"),
        (None, "http://xn--e1aybc.local.evil.example"),
        (None, "http://[::1"),
        (None, "ftp://localhost"),
        (None, "localhost:11434"),
        (None, "http://"),
    ],
)
def test_the_cloud_or_who_knows(provider: str | None, base_url: str | None) -> None:
    assert not is_local(provider, base_url)


def test_no_name_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *said, **_: asked.append(said))

    is_local(None, "http://box.lan:11434")
    is_local(None, "http://api.example.com")

    assert asked == []

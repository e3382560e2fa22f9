"""While our daemon is down, another user's program in its place is told nothing."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from oldhand.errors import Unauthenticated, Unreachable
from oldhand.integrations.gate.access import calls_of, client_of
from oldhand.integrations.gate.listener import stranger_at
from oldhand.integrations.gate.people import PersonClient
from oldhand.settings import KEY_FILE, Settings

from .daemon import Daemon

_NOBODY = 65_534
_SQUATTER = f"""
import os, socket, sys
os.setuid({_NOBODY})
taken = socket.create_server(("127.0.0.1", 0))
print(taken.getsockname()[1], flush=True)
while True:
    print(taken.accept()[0].recv(1000), flush=True)
"""

needs_users = pytest.mark.skipif(
    os.getuid() != 0 or not Path("/proc/net/tcp").exists(),
    reason="only root can be two users, and only Linux tells whose a port is",
)


@contextmanager
def squatter() -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """Listen as another user, and print what is heard."""
    with subprocess.Popen(
        [sys.executable, "-c", _SQUATTER], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline()), process
        finally:
            process.kill()


def settings_of(home: Path, port: int) -> Settings:
    return Settings(
        home=home, database=str(home / "x.db"), principal="ada",
        confirm_url=f"http://localhost:{port}", confirm_token="oha_a-token-of-the-agent",  # noqa: S106 - of nobody
    )  # fmt: skip


@needs_users
def test_another_user_in_the_place_of_our_daemon_is_told_nothing(
    tmp_path: Path,
) -> None:
    (tmp_path / KEY_FILE).touch()
    with squatter() as (port, process):
        settings = settings_of(tmp_path, port)
        with pytest.raises(Unreachable, match="another user listens"):
            client_of(settings).submit("look", {})
        with pytest.raises(Unreachable, match="another user listens"):
            PersonClient.signed_in(
                settings.confirm_url, "ada", "secret",
                calls=calls_of(settings, patience_seconds=0),
            )  # fmt: skip

        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"the end")
        heard = [process.stdout.readline() for _ in range(3)]  # type: ignore[union-attr]

    assert heard == ["b''\n", "b''\n", "b'the end'\n"]


@needs_users
def test_a_daemon_of_another_user_is_asked_where_ours_never_was(tmp_path: Path) -> None:
    with squatter() as (port, process):
        line = socket.create_connection(("127.0.0.1", port))
        line.close()
        assert process.stdout is not None
        process.stdout.readline()
        calls = calls_of(settings_of(tmp_path, port), patience_seconds=0)

        assert stranger_at(port) == _NOBODY
        assert not calls.address.is_own


def test_our_own_daemon_is_asked(daemon: Daemon, tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).touch()
    settings = settings_of(tmp_path, daemon.port)

    assert stranger_at(daemon.port) is None
    with pytest.raises(Unauthenticated):
        client_of(settings).submit("look", {})

"""`oldhand serve`, as somebody types it for the first time and again."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def served(
    home: Path, *flags: str
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """Run `oldhand serve --json` at any free port; yield it with what it says.

    When it has ended, `told` is what it said on stderr.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "oldhand", "serve", "--json", "--port", "0", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"HOME": str(home), "USER": "ada"},  # noqa: TID251 - a child's
    )
    assert process.stdout is not None
    said: dict[str, Any] = {}
    try:
        said |= json.loads(process.stdout.readline())
        yield process, said
    finally:
        process.send_signal(signal.SIGTERM)
        said["told"] = process.communicate(timeout=15)[1]


def run(home: Path, *arguments: str, **variables: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "oldhand", "serve", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
        env=os.environ | {"HOME": str(home), "USER": "ada"} | variables,  # noqa: TID251
    )
    return done.returncode, done.stderr


def test_the_first_start_makes_a_person_an_agent_and_a_link(home: Path) -> None:
    with served(home) as (process, said):
        token_file = Path(said["token_file"])
        token = token_file.read_text().strip()
        mode = stat.S_IMODE(token_file.stat().st_mode)
    with served(home) as (_, again):
        pass
    with served(home, "--new-link") as (_, renewed):
        pass

    assert process.returncode == 0
    assert (said["person"], said["agent"]) == ("ada", "agent")
    assert said["link"].startswith(f"{said['url']}/welcome/ohl_")
    assert said["solo"] is False
    assert token.startswith("oha_")
    assert mode == 0o600
    assert again["agent"] is None
    assert again["link"] not in {None, said["link"]}  # nobody has a password yet
    assert renewed["link"] is not None
    assert token_file.read_text().strip() == token


def test_solo_mode_stays_until_it_is_taken_back(home: Path) -> None:
    shown = []
    for flags in (["--solo"], [], ["--no-solo"], []):
        with served(home, *flags) as (_, said):
            shown.append(said["solo"])

    assert shown == [True, True, False, False]


def test_a_token_of_an_earlier_database_is_put_aside(home: Path) -> None:
    folder = home / ".oldhand"
    folder.mkdir()
    (folder / "agent.token").write_text("oha_old\n")

    with served(home) as (_, said):
        pass

    assert (folder / "agent.token.before").read_text() == "oha_old\n"
    assert Path(said["token_file"]).read_text() != "oha_old\n"


def test_a_start_that_finds_its_port_taken_changes_nothing(home: Path) -> None:
    folder = home / ".oldhand"
    folder.mkdir()
    (folder / "agent.token").write_text("oha_old\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, told = run(home, "--port", port)

    assert status == 2
    assert "another program listens there" in told
    assert (folder / "agent.token").read_text() == "oha_old\n"


def test_a_second_daemon_on_one_database_is_said_with_the_first(home: Path) -> None:
    with served(home) as (first, said):
        port = said["url"].rpartition(":")[2]
        status, told = run(home, "--port", port)
        with served(home) as (_, second):
            pass
    with served(home) as (_, third):
        pass

    assert status == 2
    for text in (told, second["told"]):
        assert f"has this database already (process {first.pid}, {said['url']})" in text
    assert "has this database already" not in third["told"]


def test_at_another_port_it_says_how_agents_find_it(home: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "oldhand", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"HOME": str(home), "USER": "ada"},  # noqa: TID251 - a child's
    )
    assert process.stdout is not None
    url = process.stdout.readline().split()[4].rstrip(";")
    process.send_signal(signal.SIGTERM)
    with process.stdout as rest:
        told = rest.read()
    process.wait(timeout=15)

    assert f"export OLDHAND_CONFIRM_URL={url}\n" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "6000"], "port 6000 (x11): browsers open no page there"),
        (["--port", "70000"], "70000 is no port"),
        (["--host", "192.168.1.7"], "--insecure REASON"),
        (["--tls-cert", "c.pem"], "both a certificate and its key"),
        (["--tls-cert", "/no/c.pem", "--tls-key", "/no/k.pem"], "/no/c.pem"),
        (["--behind-proxy"], "--url https://"),
        (["--url", "nonsense"], "expected as https://"),
        (["--rate-limit", "-1"], "--rate-limit"),
    ],
)
def test_what_cannot_be_served_is_said_before_anything_is_made(
    home: Path, arguments: list[str], said: str
) -> None:
    status, told = run(home, *arguments)

    assert status == 2, told
    assert said in told
    assert "Traceback" not in told
    assert not (home / ".oldhand" / "agent.token").exists()


def test_the_environment_names_host_and_port(home: Path) -> None:
    assert "port 6666 (ircu)" in run(home, OLDHAND_PORT="6666")[1]
    assert "10.1.2.3" in run(home, OLDHAND_HOST="10.1.2.3")[1]
    assert "OLDHAND_PORT is 'six'" in run(home, OLDHAND_PORT="six")[1]


def test_a_key_that_others_may_read_is_refused(home: Path) -> None:
    folder = home / ".oldhand"
    folder.mkdir()
    key = folder / "confirm.key"
    key.write_text("00" * 32)
    key.chmod(0o644)

    status, told = run(home)

    assert status == 5
    assert "others may read this key" in told

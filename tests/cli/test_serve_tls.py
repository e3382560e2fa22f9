"""From `oldhand serve` with a certificate to a command that ran: all of it by TLS."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from oldhand.clock import system_clock
from oldhand.confirm.people import redeem_link
from oldhand.integrations.gate.access import client_of, read_token
from oldhand.integrations.gate.client import ConfirmationClient
from oldhand.integrations.gate.people import PersonClient
from oldhand.settings import load
from oldhand.store import open_database

from ..certificates import self_signed  # noqa: TID252 - tests are no package
from .test_serve import served

# Of this machine, and to the client any other: the token is told where it may go.
HOST = "127.0.0.2"
PASSWORD = "correct horse battery"  # noqa: S105 - a person's of this test


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a certificate that this process and its children trust."""
    try:
        socket.create_server((HOST, 0)).close()
    except OSError:
        pytest.skip("this system has no second loopback")
    file = self_signed(tmp_path, HOST)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return file


def run_confirmed(home: Path, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "oldhand", "confirm", "run", "--", "echo", "hello"],
        env=os.environ | {"HOME": str(home), "USER": "ada"} | more,  # noqa: TID251 - a child's
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=home,
    )  # fmt: skip


@pytest.mark.timeout(60)  # five processes, on a machine that may be busy
def test_a_command_is_asked_for_approved_and_run_by_tls(
    home: Path, certificate: Path
) -> None:
    pem = str(certificate)
    flags = ("--solo", "--host", HOST, "--tls-cert", pem, "--tls-key", pem)
    with served(home, *flags) as (_, said):
        url = said["url"]
        store = open_database(str(home / ".oldhand" / "oldhand.db"))
        link = said["link"].rpartition("/")[2]
        redeem_link(store, link, password=PASSWORD, clock=system_clock)
        store.close()
        environment = {"HOME": str(home), "OLDHAND_CONFIRM_URL": url}
        agent = client_of(load(environment=environment))
        process = run_confirmed(home, OLDHAND_CONFIRM_URL=url)
        while not (rows := agent.list_requests()):
            threading.Event().wait(0.05)
        with PersonClient.signed_in(url, "ada", PASSWORD) as ada:
            ada.decide("approve", ada.find(rows[0]["id"]))
        out, _ = process.communicate(timeout=15)
        stranger = run_confirmed(home, OLDHAND_CONFIRM_URL=url, SSL_CERT_FILE="")
        _, untrusted = stranger.communicate(timeout=15)
        plain = http.client.HTTPConnection(HOST, urlsplit(url).port, timeout=5)
        plain.request("GET", "/health")
        with pytest.raises((http.client.HTTPException, OSError)):
            plain.getresponse()
        plain.close()

        assert url.startswith(f"https://{HOST}:")
        assert (process.returncode, out) == (0, "hello\n")
        assert agent.find(rows[0]["id"]).status == "succeeded"
        assert stranger.returncode == 13
        assert "certificate that this machine does not trust" in untrusted


def test_the_token_of_a_daemon_by_tls_goes_to_it_and_to_no_other(
    home: Path, certificate: Path
) -> None:
    pem = str(certificate)
    with served(home, "--host", HOST, "--tls-cert", pem, "--tls-key", pem) as (_, said):
        pass
    file = Path(said["token_file"])
    refused = run_confirmed(home, OLDHAND_CONFIRM_URL="https://127.0.0.3:6060")
    _, told = refused.communicate(timeout=15)

    assert file.read_text().splitlines()[1] == said["url"]
    assert ConfirmationClient(said["url"], read_token(file, url=said["url"]))
    assert refused.returncode == 2
    assert f"this token is for {said['url']}" in told

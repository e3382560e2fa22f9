"""The courier inside the daemon: who waits for a decision is told of by a real channel."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from oldhand.app.confirmation import drop_notice, put_notice
from oldhand.clock import system_clock
from oldhand.notices import Waiting, channels_from, pending
from oldhand.store import Store, open_database
from oldhand.web.desk import Told
from oldhand.web.server import Parts

from ..notices.services import Reply, Service  # noqa: TID252 - tests are no package
from .daemon import Caller, Daemon, running

_REFUSED = Reply(400, b"{}")  # of 500 on a service is left alone for a while


@pytest.fixture
def service() -> Iterator[Service]:
    """Run what a webhook of a chat leads to."""
    with Service() as made:
        yield made


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so, which another process or thread brings about."""
    end = time.monotonic() + 40
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def hook(service: Service) -> str:
    return f"{service.url}/api/webhooks/1/x"


@contextmanager
def telling(store: Store, service: Service) -> Iterator[Daemon]:
    """Run a daemon that tells people by the service."""
    told = Told(
        held=partial(put_notice, clock=system_clock),
        over=partial(drop_notice, clock=system_clock),
    )
    channels = channels_from({"discord_webhook": hook(service)})
    with running(store, parts=Parts(channels=channels, told=told)) as daemon:
        yield daemon


@contextmanager
def served(home: Path, service: Service) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `oldhand serve` in a process; yield it with its URL, and kill it at last."""
    process = subprocess.Popen(
        [sys.executable, "-m", "oldhand", "serve", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={
            "HOME": str(home), "USER": "ada", "PATH": os.defpath,
            "OLDHAND_DISCORD_WEBHOOK": hook(service),
        },
    )  # fmt: skip
    assert process.stdout is not None
    with process.stdout:
        try:
            yield process, process.stdout.readline().split()[4].rstrip(";")
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


def waiting(home: Path) -> list[Waiting]:
    """Return what the outbox still has to send."""
    store = open_database(str(home / ".oldhand" / "oldhand.db"))
    try:
        return pending(store)
    finally:
        store.close()


def is_postponed(home: Path) -> bool:
    """Say whether the message was refused, and nobody has it in hand for a minute."""
    (message,) = waiting(home)
    return bool(message.fault) and message.due_at_us < system_clock() + 30_000_000


def asked(home: Path, url: str, name: str) -> str:
    """Ask as the agent of the first start; return the request's id."""
    token = (home / ".oldhand" / "agent.token").read_text().strip()
    bot = Caller(url, {"Authorization": f"Bearer {token}"})
    answer = bot.post("/confirm", {"action": name, "details": {"env": "test"}})
    assert answer.status == 202, answer.body
    return str(answer.json()["id"])


@pytest.mark.timeout(60)  # three starts of a daemon, on a machine that may be busy
def test_a_message_reaches_the_channel_once_also_over_kill_9(
    tmp_path: Path, service: Service
) -> None:
    service.replies.append(_REFUSED)
    with served(tmp_path, service) as (_, url):
        first = asked(tmp_path, url, "deploy")
        until(lambda: is_postponed(tmp_path))
    with served(tmp_path, service):
        until(lambda: not waiting(tmp_path))
    with served(tmp_path, service) as (_, url):
        second = asked(tmp_path, url, "restart")
        until(lambda: second in service.texts()[-1])

    assert [first in text for text in service.texts()] == [True, True, False]
    assert "agent asks for deploy" in service.texts()[1]
    assert f"/inbox/{first}" in service.texts()[1]


def test_what_is_decided_before_it_was_told_is_told_to_nobody(
    file_store: Store, service: Service
) -> None:
    service.replies.extend([_REFUSED] * 2)
    with telling(file_store, service) as daemon:
        gone = daemon.ask()
        until(lambda: bool(service.received))
        daemon.approve(gone)
        other = daemon.ask(action="another")
        until(lambda: other["id"] in service.texts()[-1] and not service.replies)

    assert gone["id"] not in service.texts()[-1]


@pytest.mark.timeout(60)  # it waits for two tries
def test_a_channel_that_fails_is_a_fault_until_it_goes_well_again(
    file_store: Store, service: Service
) -> None:
    def faults() -> list[str]:
        said = daemon.nobody.get("/health").json()
        assert said["status"] == ("degraded" if said["faults"] else "ok")
        found: list[str] = said["faults"]
        return found

    service.replies.extend([_REFUSED] * 2)
    with telling(file_store, service) as daemon:
        assert faults() == []
        daemon.ask()
        until(lambda: faults() == ["notices"])
        page = daemon.person().get("/inbox", Accept="text/html").body.decode()
        assert "a channel refused them" in page
        until(lambda: faults() == [])

    assert len(service.received) == 3

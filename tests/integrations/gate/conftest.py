"""A daemon that answers, a client of it, and a person who decides in time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from oldhand.integrations.gate.client import ConfirmationClient
from oldhand.integrations.gate.held import Held
from oldhand.integrations.gate.patient_calls import PatientCalls
from oldhand.integrations.gate.transport import read_address

from .daemon import Daemon


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """Start a daemon."""
    made = Daemon(tmp_path / "held.db")
    yield made
    made.stop()


@pytest.fixture
def client(daemon: Daemon) -> ConfirmationClient:
    """Make a client with little patience."""
    return impatient(daemon.url, daemon.token)


def impatient(url: str, token: str, *, seconds: float = 0.2) -> ConfirmationClient:
    """Make a client that soon gives up."""
    calls = PatientCalls(read_address(url), patience_seconds=seconds)
    return ConfirmationClient(url, token, calls=calls)


def once_asked(work: Callable[[str], object]) -> Callable[[Held], None]:
    """Let somebody do something in a thread as soon as a request is held."""

    def on_asked(held: Held) -> None:
        threading.Thread(target=work, args=(held.id,)).start()

    return on_asked

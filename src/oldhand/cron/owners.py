"""Schedulers by name: which process, on which machine."""

from __future__ import annotations

import os
import socket

from oldhand.cron.processes import Process, process_from, process_of
from oldhand.ids import random_id


def new_owner() -> str:
    """Name a scheduler of this process; no other one ever has the name."""
    return f"{random_id()} {process_of(os.getpid()).to_json()}"


def process_of_owner(owner: str) -> Process | None:
    """Return the process of a scheduler; None where its name does not say."""
    return process_from(owner.partition(" ")[2])


def place_of_owner() -> str:
    """Say for people where this scheduler runs."""
    return f"{socket.gethostname()}, process {os.getpid()}"

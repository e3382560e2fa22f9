"""Work that goes on when the hook has answered: a process that belongs to nobody.

It has left the agent's group and terminal and keeps none of its pipes open, so the agent
waits for it no longer. What it has to say goes to `hooks.log` in oldhand's home.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

from oldhand.clock import system_clock, to_iso

LOG_NAME = "hooks.log"
MAX_LOG_BYTES = 256 * 1024


def leave_agent(*, limit_seconds: int) -> None:
    """Leave the agent's group and terminal, its pipes, and the processor to others.

    Args:
        limit_seconds: After which this process is ended by a signal.
    """
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.closerange(3, 256)
    signal.alarm(limit_seconds)
    os.nice(10)


def note(home: Path, words: str) -> None:
    """Keep a line for `hooks.log`, which begins anew when it has grown long."""
    path = home / LOG_NAME
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    is_long = path.exists() and path.stat().st_size > MAX_LOG_BYTES
    mode = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if is_long else os.O_APPEND)
    line = " ".join(words.split())[:1000]
    with os.fdopen(os.open(path, mode, 0o600), "a", encoding="utf-8") as log:
        log.write(f"{to_iso(system_clock())} {line}\n")

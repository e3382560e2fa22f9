"""A child process: held back until it is on record, listened to, and surely ended.

It starts as a shell that waits for one line on its standard input and then becomes the
command. So its number is on record before it can do anything; and when we are killed
before that, its input ends and so does it, with nothing done. That costs a millisecond;
Python in the shell's place would take 13.

It has a session of its own, and with it a process group, which is ended as a whole: also
what a child left behind when it ended. When it is stopped, what it started in groups of their
own, as agents start commands, is ended with it.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from oldhand.cron.processes import family_of, has_group, kill, process_of
from oldhand.cron.runner.pipes import Pipes
from oldhand.cron.runner.protocol import Control, Stopped

LOOK_SECONDS = 0.1
"""So often it is asked whether the run is to end."""
PATIENCE_SECONDS = 5.0
"""From SIGTERM to SIGKILL."""
_DRAIN_SECONDS = 2.0
"""What a child has written is read for so long after its end: others may hold its pipes."""
_HELD_BACK = 'read -r _ && exec "$@"'

logger = logging.getLogger(__name__)


class TimedOut(Stopped):
    """A child took longer than its own limit, which is not the run's."""


class Call(NamedTuple):
    """A command to run.

    Attributes:
        words: The program, which may be looked for in PATH, and its arguments.
        workdir: Where.
        environment: All of it.
        stdin: What it reads; then its input ends.
        seconds: It may take so long; None: as long as the run may.
    """

    words: tuple[str, ...]
    workdir: str
    environment: Mapping[str, str]
    stdin: str = ""
    seconds: float | None = None


def run_child(
    call: Call,
    control: Control,
    *,
    out: Callable[[str], None],
    err: Callable[[str], None],
) -> int:
    """Run a command to its end, and return its exit code; below 0: the signal that ended it.

    Args:
        call: What to run.
        control: The run's; it is told of the child, and asked whether to go on.
        out: Takes what it prints.
        err: Takes what it prints to standard error.

    Raises:
        Stopped: It was told to end, by `control`, or by `out` and `err` raising it.
        TimedOut: It took too long by its own limit.
        OSError: It cannot be started.
    """
    popen = subprocess.Popen(  # noqa: S603 - to run it is the point
        ["/bin/sh", "-c", _HELD_BACK, "sh", *call.words],
        cwd=call.workdir,
        env=dict(call.environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )
    with Pipes(popen, f"\n{call.stdin}".encode("utf-8", "replace"), out, err) as pipes:
        try:
            control.child_is(process_of(popen.pid))
            _attend(popen, pipes, control, call.seconds)
            pipes.drain(_DRAIN_SECONDS)
        except BaseException:
            _end(popen, pipes)
            raise
        if has_group(popen.pid):
            _end(popen, pipes)
            err("[oldhand: ended what it had left running]\n")
    return int(popen.returncode)


def _attend(
    popen: subprocess.Popen[bytes],
    pipes: Pipes,
    control: Control,
    seconds: float | None,
) -> None:
    until = None if seconds is None else time.monotonic() + seconds
    while popen.poll() is None:
        pipes.step(LOOK_SECONDS)
        if control.stop_reason:
            raise Stopped(control.stop_reason)
        if until is not None and time.monotonic() > until:
            raise TimedOut(f"it took more than {seconds:g} s")


def _end(popen: subprocess.Popen[bytes], pipes: Pipes) -> None:
    """End a child, its group, and what it started beside; what they still say is heard."""
    pipes.say_no_more()
    family = family_of(popen.pid)
    for sign in (signal.SIGTERM, signal.SIGKILL):
        until = time.monotonic() + PATIENCE_SECONDS
        _signal_group(popen.pid, sign)
        while (lives := has_group(popen.pid)) and time.monotonic() < until:
            pipes.step(LOOK_SECONDS)
        popen.poll()
        if not lives:
            break
    else:
        logger.error("process group %s cannot be killed", popen.pid)
    kill(family)
    pipes.drain(_DRAIN_SECONDS)


def _signal_group(pid: int, sign: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it has ended by itself
        os.killpg(pid, sign)

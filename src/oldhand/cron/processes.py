"""Processes of this machine: which one is meant, whether it still lives, how it is ended.

A process's number is given to another one when it has ended. So a process is known by its
number, when it started, and the machine's boot; one that cannot be told for certain is
taken for alive, and its lease decides.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_PARENT_FIELD, _GROUP_FIELD, _STARTED_FIELD = 4 - 3, 5 - 3, 22 - 3
"""Of `/proc/PID/stat`, counted after the command's name, which may hold blanks."""
_ASK_SECONDS = 5


class Process(NamedTuple):
    """One process, for ever.

    Attributes:
        machine: Host, boot and, in a container, the space in which numbers count.
        pid: Its number there.
        started: When it started, as the system writes it.
    """

    machine: str
    pid: int
    started: str

    @property
    def is_here(self) -> bool:
        """Whether this machine can say anything of it."""
        return bool(self.machine) and self.machine == this_machine()

    @property
    def is_gone(self) -> bool:
        """Whether it is certain that it has ended."""
        if not self.is_here:
            return False
        started = started_of(self.pid)
        return started is None or started != self.started

    def kill_group(self) -> bool:
        """Kill all processes of its group, if it still is the one; say whether it was.

        What it started in groups of their own, as agents start commands, is killed too.
        """
        if not self.is_here or self.is_gone:
            return False
        family = family_of(self.pid)
        try:
            if os.getpgid(self.pid) != self.pid:
                return False
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        kill(family)
        return True

    def to_json(self) -> str:
        """Write it as it is stored."""
        return json.dumps(self)


def process_from(text: str) -> Process | None:
    """Read a process that was stored; None where the text is none."""
    try:
        machine, pid, started = json.loads(text)
        return Process(str(machine), int(pid), str(started))
    except (ValueError, TypeError):
        return None


def process_of(pid: int) -> Process:
    """Return the process of a number, as it is now."""
    return Process(this_machine(), pid, started_of(pid) or "")


def family_of(pid: int) -> list[Process]:
    """Return what a process has started, and what that has; children before theirs."""
    children: dict[int, list[int]] = {}
    for child, parent in _parents():
        children.setdefault(parent, []).append(child)
    found = list(children.get(pid, ()))
    for each in found:  # which grows
        found += children.get(each, ())
    return [process_of(each) for each in found]


def has_group(pgid: int) -> bool:
    """Say whether a process group has a process that lives.

    One that has ended stays in its group until somebody asks how: where no program does,
    as in a container without one for it, that is for ever.
    """
    try:
        os.killpg(pgid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    if not _PROC.is_dir():
        return True
    numbers = (int(name) for name in os.listdir(_PROC) if name.isdigit())  # noqa: PTH208
    return any(
        int(fields[_GROUP_FIELD]) == pgid
        for fields in map(_fields, numbers)
        if fields is not None
    )


def kill(processes: Iterable[Process]) -> None:
    """Kill those that still live; one that ends meanwhile is no fault."""
    for process in processes:
        if process.is_here and not process.is_gone:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process.pid, signal.SIGKILL)


def _parents() -> Iterator[tuple[int, int]]:
    """Yield the number of each process, and of the one that it is a child of."""
    if not _PROC.is_dir():
        for line in _asked("ps", "-axo", "pid=,ppid=").splitlines():
            child, parent = line.split()
            yield int(child), int(parent)
        return
    for name in os.listdir(_PROC):  # noqa: PTH208 - names, and no paths of hundreds
        fields = _fields(int(name)) if name.isdigit() else None
        if fields is not None:
            yield int(name), int(fields[_PARENT_FIELD])


@cache
def this_machine() -> str:
    """Name this machine since its last boot; "" where the boot cannot be told."""
    boot = _boot()
    return f"{socket.gethostname()}/{boot}/{_pid_space()}" if boot else ""


def started_of(pid: int) -> str | None:
    """Return when a process started, as the system writes it; None where there is none.

    A process that has ended and that nobody has waited for counts as ended.
    """
    if not _PROC.is_dir():
        return _asked("ps", "-o", "lstart=", "-p", str(pid)) or None
    fields = _fields(pid)
    return None if fields is None else fields[_STARTED_FIELD].decode()


def _fields(pid: int) -> list[bytes] | None:
    """Return what Linux says of a process; None where it has ended."""
    try:
        stat = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    fields = stat[stat.rindex(b")") + 2 :].split()
    return None if fields[0] in {b"Z", b"X"} else fields


def parent_of(pid: int) -> int:
    """Return the number of a process's parent; 0 where that cannot be told."""
    if not _PROC.is_dir():
        said = _asked("ps", "-o", "ppid=", "-p", str(pid))
        return int(said) if said.isdigit() else 0
    try:
        stat = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return 0
    return int(stat[stat.rindex(b")") + 2 :].split()[1])


def _boot() -> str:
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return _asked("sysctl", "-n", "kern.bootsessionuuid")


def _pid_space() -> str:
    try:
        return str((_PROC / "self/ns/pid").readlink())
    except OSError:
        return ""


def _asked(*command: str) -> str:
    try:
        asked = subprocess.run(  # noqa: S603 - our own words
            command, capture_output=True, timeout=_ASK_SECONDS, check=False, text=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return asked.stdout.strip()

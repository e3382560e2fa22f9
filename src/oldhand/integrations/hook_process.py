"""The process that answers an agent's hook, and never breaks the agent.

An agent waits for this process at the start of a session and after a failed call, so it
imports next to nothing before it knows what to do. The work is done in a forked child: a
lock that is held, a full disk, a crash of a library or a mistake of ours ends the child at
worst, and the parent, which does nothing but wait, gives the empty answer in time. A fork
costs under a millisecond here; a second interpreter would cost twelve.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module

DEADLINE_SECONDS = 5.0
EMPTY_ANSWER = "{}"  # valid for every event of every version, and says nothing
MAX_EVENT_BYTES = 32 * 1024 * 1024
_CHUNK_BYTES = 65_536
_HANDLERS = {"claude-code": "oldhand.integrations.claude_code.hooks"}

Work = Callable[[], str]


def is_hook(arguments: Sequence[str]) -> bool:
    """Say whether a command line is an agent's hook, and no question for help."""
    asks_for_help = {"-h", "--help"} & set(arguments)
    return arguments[:1] == ["hook"] and len(arguments) > 1 and not asks_for_help


def run_hook(arguments: Sequence[str]) -> None:
    """Answer the hook that `hook AGENT EVENT [--database URL]` names, and return.

    Args:
        arguments: What follows the program's name; `--json` changes nothing.
    """
    words: list[str] = []
    database = None
    rest = iter(arguments[1:])
    for word in rest:
        if word == "--database":
            database = next(rest, None)
        elif word.startswith("--database="):
            database = word.partition("=")[2]
        elif word != "--json":
            words.append(word)
    agent, event = [*words, "", ""][:2]
    answer_hook(agent, event, database=database)


def answer_hook(agent: str, event: str, *, database: str | None) -> None:
    """Read an event from stdin and write the answer to stdout, whatever happens.

    Args:
        agent: Whose hook it is, as `claude-code`.
        event: As that agent names it.
        database: What `--database` said.
    """

    def work() -> str:
        if agent not in _HANDLERS:
            raise ValueError(f"{agent!r} has no hooks; expected {', '.join(_HANDLERS)}")
        handler = import_module(_HANDLERS[agent])
        answer: str = handler.answer(event, read_stdin(), database=database)
        return answer

    print_answer(supervised(work))


def read_stdin() -> bytes:
    """Read all of stdin.

    Raises:
        ValueError: It is longer than any event.
    """
    chunks: list[bytes] = []
    size = 0
    while chunk := os.read(0, _CHUNK_BYTES):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_EVENT_BYTES:
            raise ValueError(f"an event of more than {MAX_EVENT_BYTES:,} bytes")
    return b"".join(chunks)


def supervised(work: Work, *, seconds: float = DEADLINE_SECONDS) -> str:
    """Return what `work` returns; the empty answer where it fails or takes too long."""
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError as fault:
        say(f"{fault.strerror}: cannot start")
        return EMPTY_ANSWER
    if child == 0:
        os.close(reading)
        _work_as_child(work, writing, seconds=seconds)
    os.close(writing)
    answer, is_late = _read_in_time(reading, seconds)
    if is_late:
        os.kill(child, signal.SIGKILL)
        say(f"no answer within {seconds:g} s")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and not is_late:
        say(f"ended by signal {os.WTERMSIG(status)}")
    return answer if status == 0 and answer else EMPTY_ANSWER


def say(words: str) -> None:
    """Say what went wrong, in one line on stderr."""
    line = "".join(char if char.isprintable() else " " for char in words)[:500]
    data = f"oldhand hook: {line}\n".encode("utf-8", "replace")
    _write(2, data)


def print_answer(answer: str) -> None:
    """Write the answer; where nobody reads any more there is nobody to tell."""
    _write(1, f"{answer}\n".encode())


def _work_as_child(work: Work, writing: int, *, seconds: float) -> None:
    """Do the work, write the answer to the pipe, and end this process."""
    # Should the parent be killed, nobody waits for this process and nobody ends it.
    signal.alarm(int(seconds) + 1)
    status = 1
    try:
        os.write(writing, work().encode())
        status = 0
    except BaseException as fault:  # noqa: BLE001 - nothing may reach the agent
        say(f"{type(fault).__name__}: {fault}")
    finally:
        os._exit(status)


def _read_in_time(reading: int, seconds: float) -> tuple[str, bool]:
    """Return what a pipe held until its end, and whether the time ran out before."""
    chunks: list[bytes] = []
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        ready, _, _ = select.select([reading], [], [], left)
        if not ready:
            break
        chunk = os.read(reading, _CHUNK_BYTES)
        if not chunk:
            return b"".join(chunks).decode(), False
        chunks.append(chunk)
    return "", True


def _write(descriptor: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:
        sys.exit(0)  # the agent closed its end: it wants no answer, and no fault either

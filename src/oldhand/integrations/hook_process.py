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

from oldhand.errors import InvalidInput, NothingToLearn, OldhandError
from oldhand.named_tuple import NamedTuple

DEADLINE_SECONDS = 5.0
EMPTY_ANSWER = "{}"  # valid for every event of every version, and says nothing
URL_FLAG = "--confirm-url"
"""In a gate's command line: which daemon is asked, whatever the environment says."""
MAX_EVENT_BYTES = 32 * 1024 * 1024
_CHUNK_BYTES = 65_536
_FLAGS = ("--database", URL_FLAG)
_GATES = {"claude-code": "PreToolUse"}
_HANDLERS = {"claude-code": "oldhand.integrations.claude_code.hooks"}

_BLOCKS = 2  # the exit code by which an agent is told that a call may not run
_NOT_ASKED = "oldhand could not find out whether this call may run, so it may not"
_WHAT_TO_DO = (
    "Do not try another way; tell the user that `oldhand serve` must run, that `oldhand "
    "confirm doctor` looks for the cause, and that `oldhand uninstall claude-code` takes "
    "this gate out."
)

Work = Callable[[], str]


class _Line(NamedTuple):
    """A command line: its words, and what `--database` and `--confirm-url` said."""

    words: list[str]
    database: str | None
    confirm_url: str | None


def is_hook(arguments: Sequence[str]) -> bool:
    """Say whether a command line is an agent's hook, and no question for help."""
    asks_for_help = {"-h", "--help"} & set(arguments)
    return _line_of(arguments).words[:1] == ["hook"] and not asks_for_help


def run_hook(arguments: Sequence[str]) -> None:
    """Answer the hook that a command line names, whatever happens.

    An event comes on stdin, the answer goes to stdout. A line that names no hook has the
    empty answer, too: to some agents an exit code of 2 is a word against what they do. The
    gate is the one hook that breaks the agent rather than let a call pass: see `_run_gate`.

    Args:
        arguments: What follows the program's name: `hook AGENT EVENT`, `--database URL`,
            and of a gate `--confirm-url URL`; `--json` changes nothing.
    """
    line = _line_of(arguments)
    if any(event in line.words for event in _GATES.values()):
        _run_gate(line)
        return

    def work() -> str:
        agent, event = _named_in(line)
        handler = import_module(_HANDLERS[agent])
        answer: str = handler.answer(event, read_stdin(), database=line.database)
        return answer

    print_answer(supervised(work))


def _run_gate(line: _Line) -> None:
    """Answer whether a call may run: no, wherever anything goes wrong.

    It waits for a person, in time before the agent would end it and let the call pass. Where
    nobody reads the answer the exit code says no.
    """
    from oldhand.integrations.claude_code.gate_answers import (  # noqa: PLC0415 - only here
        ANSWER_SECONDS,
        denial,
    )

    def work() -> str:
        # In the child, so that a fault of an import is one like any other.
        from oldhand import settings  # noqa: PLC0415
        from oldhand.integrations.claude_code.gate import hold_call  # noqa: PLC0415

        try:
            _named_in(line)
            loaded = settings.load(database=line.database)
            if line.confirm_url:
                loaded = loaded._replace(confirm_url=line.confirm_url)
            return hold_call(read_stdin(), loaded)
        except OldhandError as fault:
            return denial(f"{_NOT_ASKED}: {fault}. {_WHAT_TO_DO}")

    no = denial(f"{_NOT_ASKED}. {_WHAT_TO_DO}")
    answer = supervised(work, seconds=ANSWER_SECONDS, otherwise=no)
    print_answer(answer, when_closed=_BLOCKS)


def _line_of(arguments: Sequence[str]) -> _Line:
    words: list[str] = []
    said: dict[str, str] = {}
    rest = iter(arguments)
    for word in rest:
        flag, equals, value = word.partition("=")
        if flag in _FLAGS:
            said[flag] = value if equals else next(rest, "")
        elif word != "--json":
            words.append(word)
    return _Line(words, *map(said.get, _FLAGS))


def _named_in(line: _Line) -> tuple[str, str]:
    """Return the agent and the event that a line names.

    Raises:
        InvalidInput: It names none, or something else as well.
    """
    agents = ", ".join(_HANDLERS)
    _, agent, event, *more = [*line.words, "", ""]
    if not agent:
        fault = f"no agent is named; expected one of {agents}, and an event"
    elif agent not in _HANDLERS:
        fault = f"{agent!r} is no agent with hooks; expected one of {agents}"
    elif not event:
        fault = "no event is named"
    elif extra := " ".join(filter(None, more)):
        fault = f"{extra!r} is not known here"
    elif line.database == "":
        fault = "--database names none"
    elif line.confirm_url == "":
        fault = f"{URL_FLAG} names none"
    else:
        return agent, event
    raise InvalidInput(f"{fault}; `oldhand install claude-code` writes hooks that work")


def read_stdin() -> bytes:
    """Read all of stdin.

    Raises:
        InvalidInput: It is a terminal, or longer than any event.
    """
    if os.isatty(0):
        raise InvalidInput(
            "stdin is a terminal; expected an event as JSON, as the agent sends it"
        )
    chunks: list[bytes] = []
    size = 0
    while chunk := os.read(0, _CHUNK_BYTES):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_EVENT_BYTES:
            raise InvalidInput(f"an event of more than {MAX_EVENT_BYTES:,} bytes")
    return b"".join(chunks)


def supervised(
    work: Work, *, seconds: float = DEADLINE_SECONDS, otherwise: str = EMPTY_ANSWER
) -> str:
    """Return what `work` returns; `otherwise` where it fails or takes too long."""
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError as fault:
        say(f"{fault.strerror}: cannot start")
        return otherwise
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
    return answer if status == 0 and answer else otherwise


def say(words: str) -> None:
    """Say what went wrong, in one line on stderr."""
    line = "".join(char if char.isprintable() else " " for char in words)[:500]
    data = f"oldhand hook: {line}\n".encode("utf-8", "replace")
    _write(2, data)


def print_answer(answer: str, *, when_closed: int = 0) -> None:
    """Write the answer; where nobody reads any more, end with an exit code."""
    _write(1, f"{answer}\n".encode(), when_closed=when_closed)


def _work_as_child(work: Work, writing: int, *, seconds: float) -> None:
    """Do the work, write the answer to the pipe, and end this process."""
    # Should the parent be killed, nobody waits for this process and nobody ends it.
    signal.alarm(int(seconds) + 1)
    status = 1
    try:
        os.write(writing, work().encode())
        status = 0
    except BaseException as fault:  # noqa: BLE001 - nothing may reach the agent
        say(in_words(fault))
    finally:
        os._exit(status)


def in_words(fault: BaseException) -> str:
    """Say what went wrong to a person who cannot change the hook's command line."""
    if isinstance(fault, NothingToLearn):
        return f"{fault}; sessions are learnt from as they end, or by `oldhand import`"
    if isinstance(fault, OldhandError):
        return str(fault)
    if isinstance(fault, OSError) and fault.strerror:
        where = f"{fault.filename}: " if fault.filename else ""
        return f"{where}{fault.strerror}; `oldhand doctor` looks for the cause"
    if isinstance(fault, MemoryError):
        return "out of memory"
    said = f"internal error ({type(fault).__name__}: {fault})"
    return f"{said}; the session goes on without oldhand; please report this"


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


def _write(descriptor: int, data: bytes, *, when_closed: int = 0) -> None:
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:
        sys.exit(
            when_closed
        )  # the agent closed its end: it wants no answer, and no fault either

"""`oldhand confirm run`: a command that runs only with leave, and just as it was approved."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.confirm_requests import client
from oldhand.cli.face import Face, common_options, talk
from oldhand.errors import InvalidInput, OldhandError

if TYPE_CHECKING:
    from oldhand.integrations.gate.client import ConfirmationClient
    from oldhand.integrations.gate.held import Held

ACTION = "run_command"
_KEYS = frozenset({"command", "cwd"})
_NOT_FOUND, _NOT_RUNNABLE, _SIGNALLED = 127, 126, 128


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--description", default="", metavar="TEXT", help="Why, in your words.")
@click.option(
    "--timeout", type=click.IntRange(1), metavar="SECONDS", help="How long it waits."
)
@click.option("--session", default="", metavar="KEY", help="The agent's session.")
@click.argument(
    "words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND…"
)
@common_options
def run(
    face: Face,
    description: str,
    timeout: int | None,
    session: str,
    words: tuple[str, ...],
) -> None:
    """Ask for leave to run a command, wait, and run it just as it was approved.

    No shell is involved. A person may change the words; then those are run. The exit code
    is the command's; 11 where it was denied and nothing ran. Ctrl-C takes the request back.
    """
    from oldhand.integrations.gate.guarded import run_confirmed

    details = {"command": [_text(word) for word in words], "cwd": _cwd()}
    asking = client(face)
    course = _Course()
    try:
        code = run_confirmed(
            asking,
            ACTION,
            details,
            partial(_run, asked=details, course=course),
            description=description,
            session_key=session,
            timeout_seconds=timeout,
            is_success=lambda found: found == 0,
            on_asked=course.note_asked,
        )
    except KeyboardInterrupt:
        if course.has_begun:
            raise
        _say_given_up(asking, course.request_id)
        sys.exit(_SIGNALLED + signal.SIGINT)
    sys.exit(code)


class _Course:
    """How far it has come, for who stops it by Ctrl-C."""

    def __init__(self) -> None:
        self.request_id = ""
        self.has_begun = False

    def note_asked(self, held: Held) -> None:
        self.request_id = held.id
        talk(f"waiting for a person: {held.url}")


def _say_given_up(asking: ConfirmationClient, request_id: str) -> None:
    """Say that nothing ran, and what became of the request."""
    said = "nothing ran"
    if request_id:
        try:
            status = asking.find(request_id).status
        except OldhandError as fault:
            status = f"not known to be taken back ({fault}); it ends by itself in time"
        said += f", and request {request_id} is {status}"
    talk(f"oldhand: interrupted; {said}")


def _run(
    details: Mapping[str, Any], *, asked: Mapping[str, Any], course: _Course
) -> int:
    """Run what was approved; return its exit code, as a shell would give it.

    Args:
        details: As a person approved them.
        asked: As they were asked for: what was changed is said.
        course: Is told that it begins.
    """
    command, cwd = _command_of(details)
    course.has_begun = True
    if details != asked:
        talk(f"a person changed it; this runs, in {cwd}: {shlex.join(command)}")
    sys.stdout.flush()
    # What a person stops by Ctrl-C is the command; this process hears of its end. A handler,
    # unlike being deaf to the signal, is not handed on to the command.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.call(command, cwd=cwd)  # noqa: S603 - to run it is the point
    except FileNotFoundError as fault:
        talk(f"oldhand: {fault.filename}: not found; nothing ran")
        return _NOT_FOUND
    except OSError as fault:
        talk(f"oldhand: {fault.filename}: {fault.strerror}; nothing ran")
        return _NOT_RUNNABLE
    finally:
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else _SIGNALLED - code


def _command_of(details: Mapping[str, Any]) -> tuple[list[str], str]:
    """Return the words and the directory that were approved."""
    command, cwd = details.get("command"), details.get("cwd")
    if isinstance(command, list) and isinstance(cwd, str) and details.keys() == _KEYS:
        words = [word for word in command if isinstance(word, str)]
        if words and len(words) == len(command):
            return words, cwd
    raise InvalidInput("what was approved is no command any more; nothing ran")


def _text(word: str) -> str:
    try:
        word.encode()
    except UnicodeEncodeError as fault:
        raise InvalidInput(
            "a word of the command is no UTF-8, and could not be shown"
        ) from fault
    return word


def _cwd() -> str:
    try:
        return _text(str(Path.cwd()))
    except FileNotFoundError as fault:
        raise InvalidInput("the current directory is gone") from fault

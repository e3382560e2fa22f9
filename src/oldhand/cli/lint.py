"""`oldhand lint`: whether a provider would take a conversation, and repairing it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.counted import counted
from oldhand.errors import NeedsAttention, NotFound, UnreadableSource

if TYPE_CHECKING:
    from oldhand.experience.render.rules import LintTarget

_Chat = list[Any] | dict[str, Any]
_COLUMNS = {
    "chat": "chat",
    "index": "message",
    "rule": "rule",
    "problem": "problem",
    "remedy": "remedy",
}


@click.command()
@click.argument("path", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--for",
    "target",
    default="openai",
    show_default=True,
    metavar="TARGET",
    help="openai, anthropic, mistral, or strict for chat templates of open models.",
)
@click.option("--mend", is_flag=True, help="Print it with what is broken repaired.")
@common_options
def lint(face: Face, path: Path, target: str, mend: bool) -> None:
    """Name each rule of a provider that the chats in a file break, and where.

    PATH holds JSON or JSON lines, `-` is stdin: the messages of a chat, or an object
    with `messages` for each chat. Exit code 9 where something is found; with --mend 0.
    """
    from oldhand.experience.render.lint import lint as lint_messages
    from oldhand.experience.render.lint import target_named

    known = target_named(target)
    chats = _read(path)
    if mend:
        _print_mended(chats, known)
        return
    rows = [
        {"chat": number} | asdict(finding)
        for number, chat in enumerate(chats)
        for finding in lint_messages(_messages(chat), known)
    ]
    if rows:
        face.emit_rows(rows, columns=_COLUMNS)
        raise NeedsAttention(f"{counted(len(rows), 'finding')}; --mend repairs them")
    talk(f"{counted(len(chats), 'chat')}: nothing found for {target}")


def _print_mended(chats: list[_Chat], target: LintTarget) -> None:
    from oldhand.experience.render.mend import mend

    for chat in chats:
        messages = mend(_messages(chat), target)
        mended = {**chat, "messages": messages} if isinstance(chat, dict) else messages
        # As a machine reads it: an escape for what a terminal would take for its own.
        click.echo(json.dumps(mended))


def _messages(chat: _Chat) -> list[Any]:
    messages: list[Any] = chat["messages"] if isinstance(chat, dict) else chat
    return messages  # the library refuses what is no list


def _read(path: Path) -> list[_Chat]:
    """Return the chats of a file: lists of messages, or objects with `messages`."""
    text = _text(path)
    try:
        values = [json.loads(text)]
    except (ValueError, RecursionError):
        values = [_line(line, n, path) for n, line in enumerate(text.split("\n"), 1)]
        values = [value for value in values if value is not None]
    if values and all(isinstance(value, dict) and "role" in value for value in values):
        return [values]
    for value in values or [None]:
        if not isinstance(value, list) and not (
            isinstance(value, dict) and "messages" in value
        ):
            raise UnreadableSource(
                f"{path}: no chat; expected a list of messages, or an object with them"
            )
    return values


def _line(line: str, number: int, path: Path) -> object:
    if not line.strip():
        return None
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise UnreadableSource(f"{path}: line {number} is no JSON") from fault


def _text(path: Path) -> str:
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return raw.decode("utf-8-sig")
    except FileNotFoundError as fault:
        raise NotFound(f"{path}: no such file") from fault
    except OSError as fault:
        raise UnreadableSource(f"{path}: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise UnreadableSource(f"{path}: not UTF-8") from fault

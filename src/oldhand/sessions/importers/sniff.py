"""Guess whose sessions a path holds, from its name and its first objects."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.files import files_below, is_file_or_closed
from oldhand.sessions.importers.json_lines import read_json_lines
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.keep.export import FORMAT

_LOOKED_AT = 20
_HERMES_FILES = ("state.db", "profiles/*/state.db", "sessions/session_*.json")
_CLAUDE_TYPES = ("user", "assistant", "summary", "system")
_CODEX_TYPES = ("session_meta", "response_item", "event_msg", "turn_context")


def source_of(path: Path) -> str:
    """Return the name of the source that reads a file or directory.

    Raises:
        UnreadableSource: It is closed to us, or of no format that oldhand reads.
    """
    try:
        return _source_of_directory(path) if path.is_dir() else _source_of_file(path)
    except OSError as fault:
        raise UnreadableSource(f"{path}: {fault.strerror or fault}") from fault


def _source_of_file(path: Path) -> str:
    if path.suffix in {".db", ".sqlite", ".sqlite3"}:
        return "hermes"
    if path.suffix == ".json":
        return "hermes" if path.name.startswith("session_") else "openai"
    if not is_file_or_closed(path):
        raise UnreadableSource(f"{path}: neither a file nor a directory")
    for value in _first_objects(path):
        if (name := _source_of_object(value)) is not None:
            return name
    raise UnreadableSource(
        f"{path}: not a session file that oldhand knows; expected Claude Code, Codex or "
        "OpenAI chat JSON lines, or a Hermes state.db"
    )


def _source_of_directory(directory: Path) -> str:
    if any(any(directory.glob(files)) for files in _HERMES_FILES):
        return "hermes"
    for path in islice(files_below(directory, "*.jsonl"), _LOOKED_AT):
        try:
            names = [_source_of_object(value) for value in _first_objects(path)]
        except UnreadableSource:
            continue  # another may tell; reading will name this one
        if (name := next(filter(None, names), None)) is not None:
            return name
    raise UnreadableSource(
        f"{directory}: holds no session file that oldhand knows; expected *.jsonl of "
        "Claude Code, Codex or OpenAI chat, or a Hermes state.db"
    )


def _first_objects(path: Path) -> Iterator[dict[str, Any]]:
    lines = read_json_lines(path, tally=Tally())
    return (value for _, value in islice(lines, _LOOKED_AT))


def _source_of_object(value: dict[str, Any]) -> str | None:
    kind = value.get("type")
    if "payload" in value or kind in _CODEX_TYPES or "record_type" in value:
        return "codex"
    if kind in _CLAUDE_TYPES and ("sessionId" in value or "leafUuid" in value):
        return "claude-code"
    if value.get("format") == FORMAT:
        return "oldhand"
    if "messages" in value or "role" in value:
        return "openai"
    return None

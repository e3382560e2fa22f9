"""What a session did last, from the end of the file that Claude Code writes.

The session that runs is not on record yet: it is imported when it ends. To tell what it has
done just before, the end of its file is enough, and costs two thousandths of a second.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oldhand.experience.hint import RecentCall
from oldhand.integrations.claude_code.places import is_session_file
from oldhand.sessions.claude_code_names import config_directories
from oldhand.settings import Settings

_END_BYTES = 256 * 1024
_CALLS = 10


def recent_calls(
    transcript: Path | None, settings: Settings
) -> list[RecentCall] | None:
    """Return the last calls of a session that worked, the newest last.

    Args:
        transcript: Its file, as an event names it.
        settings: Where Claude Code keeps its files.

    Returns:
        At most ten; None where the file is none of Claude Code's, or cannot be read.
    """
    configs = config_directories(settings.agent_environment, settings.user_home)
    homes = [config / "projects" for config in configs]
    if transcript is None or not is_session_file(transcript, homes):
        return None
    try:
        blocks = list(_blocks(_end_of(transcript)))
    except OSError:
        return None
    worked = [
        block.get("tool_use_id")
        for block in blocks
        if block.get("type") == "tool_result" and not block.get("is_error")
    ]
    calls = [
        RecentCall(block["name"], block["input"])
        for block in blocks
        if isinstance(block.get("name"), str)
        and block.get("id") in worked
        and isinstance(block.get("input"), dict)
    ]
    return calls[-_CALLS:]


def _end_of(path: Path) -> list[bytes]:
    """Return the last whole lines of a file."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _END_BYTES))
        lines = file.read(_END_BYTES).splitlines()
    return lines if size <= _END_BYTES else lines[1:]


def _blocks(lines: list[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the calls and results in some lines; what is none is passed over."""
    for line in lines:
        if b'"tool_' not in line:
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        message = record.get("message") if isinstance(record, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and isinstance(block.get("type"), str):
                yield block

"""Claude Code's session files, read the shortest way from a line to a call.

A reader for measuring alone: no branches, no usage, no evidence but the error flag. The
importer of the package may change; what a measurement reads must not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_NOT_A_TASK = re.compile(
    r"\s*(?:\[Request interrupted|<local-command|<command-|Operation stopped by hook"
    r"|<bash-|Caveat: The messages below)"
)


@dataclass(slots=True)
class RawCall:
    """One call as it stands in the file; a result of None never came."""

    tool: str
    arguments: dict[str, Any]
    result: str | None = None
    is_error: bool = False


@dataclass(slots=True)
class RawSession:
    """One file of Claude Code lines, as far as the ruler looks at it."""

    uid: str
    started: str = ""
    task: str = ""
    messages: int = 0
    calls: list[RawCall] = field(default_factory=list)
    answers: set[str] = field(default_factory=set)


def read_session(path: Path) -> RawSession:
    """Read one file of Claude Code lines; lines that are no such thing are passed over."""
    session = RawSession(uid=path.stem)
    open_calls: dict[str, RawCall] = {}
    for line in _objects(path):
        session.started = session.started or str(line.get("timestamp") or "")
        message = line.get("message")
        if line.get("type") not in {"user", "assistant"} or not isinstance(
            message, dict
        ):
            continue
        _count(message, session)
        for block in _blocks(message.get("content")):
            _take(block, line, session=session, open_calls=open_calls)
    return session


def _count(message: dict[str, Any], session: RawSession) -> None:
    """Count a message once: one answer of the model may stand on several lines."""
    answer = message.get("id")
    if answer is None or answer not in session.answers:
        session.messages += 1
    session.answers.add(str(answer))


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for line in path.read_text("utf-8", "replace").split("\n"):
        value = _object(line)
        uid = value.get("uuid")
        if uid is None:
            yield value
        elif uid not in seen:
            seen.add(uid)
            yield value


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _blocks(content: object) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    blocks = content if isinstance(content, list) else []
    return [block for block in blocks if isinstance(block, dict)]


def _take(
    block: dict[str, Any],
    line: dict[str, Any],
    *,
    session: RawSession,
    open_calls: dict[str, RawCall],
) -> None:
    kind = block.get("type")
    if kind == "tool_use":
        call = RawCall(str(block.get("name")), block.get("input") or {})
        open_calls[str(block.get("id"))] = call
        session.calls.append(call)
    elif kind == "tool_result" and block.get("tool_use_id") in open_calls:
        answered = open_calls[block["tool_use_id"]]
        answered.result = _flat(block.get("content"))
        answered.is_error = bool(block.get("is_error"))
    elif kind == "text" and line["type"] == "user" and not session.task:
        text = str(block.get("text"))
        if not line.get("isMeta") and not _NOT_A_TASK.match(text):
            session.task = text


def _flat(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(_flat(part) for part in content)
    if isinstance(content, dict):
        return str(content.get("text", ""))
    return "" if content is None else str(content)

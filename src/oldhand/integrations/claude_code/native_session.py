"""A warm start as a session of Claude Code's own: real turns, to be resumed.

`claude --resume UUID` reads `projects/FOLDER/UUID.jsonl`, a file of lines that hang on each
other, and goes on where they end. The format is not documented; what is written here is
what its own files hold, seen in versions 2.1.7 to 2.1.143, and nothing that can be left out.

- Uuids come from content and directory, so that the same start has the same name, and are
  of a form that no other program makes: an import knows the lines by them and leaves them
  out, as they were shown to the session and not done in it.
- The model is `<synthetic>`, Claude Code's own word for what no model said. It counts no
  tokens for it.
- Each line needs a time. The first bears that of the newest example, each further one a
  millisecond more: made from the content, like all else, so that the bytes are the same
  again. No model sees them.
- A file that Claude Code has gone on with is never written again: the next free name is
  taken.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.clock import to_iso
from oldhand.errors import InvalidInput
from oldhand.experience.warm import WarmRequest, WarmStart, log_use, prepare
from oldhand.integrations.claude_code.own_tools import OWN_TOOLS
from oldhand.integrations.claude_code.places import session_folder
from oldhand.sessions.claude_code_names import warm_uuid
from oldhand.store import Store

SYNTHETIC_MODEL = "<synthetic>"
FORMAT_VERSION = "2.1.50"
_NO_TIME_US = 1_735_689_600_000_000  # 2025-01-01, where no example says when it was
_LINE_US = 1_000


class NativeSession(NamedTuple):
    """A session that can be resumed.

    Attributes:
        uid: What `claude --resume` takes, and an import names the session by.
        path: Its file.
        warm: What it shows.
    """

    uid: str
    path: Path
    warm: WarmStart

    @property
    def command(self) -> str:
        """What a person types to go on with it, in its directory."""
        return f"claude --resume {self.uid}"


def start_session(
    store: Store, request: WarmRequest, *, config: Path, cwd: str
) -> NativeSession:
    """Choose a warm start, log it, and write it as a session file.

    Args:
        store: Where the examples come from, and where the use is logged.
        request: What is wanted; its target, tools and session are chosen here.
        config: Claude Code's own directory.
        cwd: The directory that the session is for, absolute and with no links.

    Raises:
        NothingToLearn: No session in scope holds a call that may be shown.
        InvalidInput: No example is of a tool that Claude Code has, or the file cannot be
            written.
    """
    asked = request.tools
    tools = OWN_TOOLS if asked is None else OWN_TOOLS & asked
    wanted = request._replace(target="anthropic", tools=tools)
    warm = prepare(store, wanted)
    folder = session_folder(config, cwd)
    uid, content = _free_name(folder, warm, cwd)
    path = folder / f"{uid}.jsonl"
    log_use(store, wanted._replace(session=uid), warm)
    _write_new(path, content)
    return NativeSession(uid, path, warm)


def session_lines(
    messages: Sequence[Mapping[str, Any]], *, uid: str, cwd: str, begun_us: int
) -> Iterator[dict[str, Any]]:
    """Yield the lines of a session file.

    Args:
        messages: In the shape of Anthropic's API.
        uid: The session's.
        cwd: Its directory.
        begun_us: The time of the first line, in microseconds since 1970-01-01 UTC.
    """
    last: str | None = None
    for number, message in enumerate(messages):
        uuid = warm_uuid(uid, str(number))
        yield {
            "parentUuid": last,
            "isSidechain": False,
            "userType": "external",
            "cwd": cwd,
            "sessionId": uid,
            "version": FORMAT_VERSION,
            "gitBranch": "",
            "type": message["role"],
            "message": _message(message, uuid),
            "uuid": uuid,
            "timestamp": to_iso(begun_us + number * _LINE_US),
        }
        last = uuid


def _message(message: Mapping[str, Any], uuid: str) -> dict[str, Any]:
    content = message["content"]
    if message["role"] == "user":
        return {"role": "user", "content": content}
    blocks = (
        [{"type": "text", "text": content}] if isinstance(content, str) else content
    )
    calls = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": f"msg_{uuid.replace('-', '')}",
        "type": "message",
        "role": "assistant",
        "model": SYNTHETIC_MODEL,
        "content": blocks,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 0, "output_tokens": 0},
    }


def _free_name(folder: Path, warm: WarmStart, cwd: str) -> tuple[str, bytes]:
    """Return a uid, and the content of its file, that no session has gone on with."""
    messages = warm.messages or []
    digested = canonical_json(messages)
    times = [example.at_us for example in warm.examples if example.at_us is not None]
    begun_us = max(times, default=_NO_TIME_US)
    for number in count():
        uid = warm_uuid(digested, cwd, str(number))
        lines = session_lines(messages, uid=uid, cwd=cwd, begun_us=begun_us)
        content = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        path = folder / f"{uid}.jsonl"
        if not os.path.lexists(path) or _holds(path, content):
            return uid, content
    raise AssertionError  # count() has no end


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def _write_new(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; where there is one by now, it is left alone."""
    beside = path.with_suffix(f".{os.getpid()}")
    mode = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with os.fdopen(os.open(beside, mode, 0o600), "wb") as file:
                file.write(content)
            with suppress(FileExistsError):
                os.link(beside, path)  # unlike a rename, never in place of another
        finally:
            beside.unlink(missing_ok=True)
    except OSError as fault:
        raise InvalidInput(f"{path}: {fault.strerror}: cannot write it") from fault

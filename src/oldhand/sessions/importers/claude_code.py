"""Claude Code's sessions: `projects/**/*.jsonl`, one file a session.

A file is a log of lines that together form a tree. One answer of the model stands on
several lines, with one block on each and its usage repeated; results of tools stand in
lines of the user; text that no person wrote does too. `claude_code_lines` knows the lines;
here they are put together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from oldhand.clock import from_iso
from oldhand.errors import UnreadableSource
from oldhand.sessions.claude_code_names import (
    config_directories,
    is_warm_uuid,
    session_uid,
)
from oldhand.sessions.importers.claude_code_lines import (
    SKIPPED_TYPES,
    blocks_of,
    evidence_of,
    is_aside,
    is_injected,
    said_in,
    tool_call_of,
    type_of,
    usage_of,
)
from oldhand.sessions.importers.claude_code_tree import LineTree
from oldhand.sessions.importers.files import changed_ns, files_below
from oldhand.sessions.importers.json_lines import read_json_lines
from oldhand.sessions.importers.source import ReadContext, Source
from oldhand.sessions.loose_values import text_in, text_or_none
from oldhand.sessions.model import Message, Session
from oldhand.sessions.storable_text import storable
from oldhand.sessions.text_parts import text_of

SYNTHETIC_MODEL = "<synthetic>"  # the program's own words, as after a network fault
_SUBAGENT_PREFIX = "agent-"


def homes(environment: Mapping[str, str], home: Path) -> list[Path]:
    """Return the `projects` directories: several where the variable lists several."""
    configs = config_directories(environment, home)
    return [config / "projects" for config in configs]


def find(root: Path) -> Iterator[Path]:
    """Yield session files, oldest first, and those of subagents after all others.

    The order decides who owns entries that stand in several files: a resumed session's
    file begins with a copy of the one it goes on from.
    """
    if root.is_file():
        yield root
        return
    directory = root / "projects" if (root / "projects").is_dir() else root
    yield from sorted(
        files_below(directory, "*.jsonl"),
        key=lambda path: (_is_subagent(path), changed_ns(path), path.as_posix()),
    )


def read(path: Path, context: ReadContext) -> Iterator[Session]:
    """Read one file: one session, or none where it holds no message."""
    builder = _Builder(path, context)
    malformed = len(context.tally.malformed)
    lines = read_json_lines(path, tally=context.tally, progress=context.progress)
    objects = known = 0
    for _, line in lines:
        objects += 1
        known += builder.add(line)
    if not known and (objects or len(context.tally.malformed) > malformed):
        raise UnreadableSource(
            f"{path}: no line is Claude Code's; expected objects with a type of user, "
            "assistant, system or summary"
        )
    yield from builder.finish()


SOURCE = Source(name="claude-code", homes=homes, find=find, read=read)


def _is_subagent(path: Path) -> bool:
    return path.name.startswith(_SUBAGENT_PREFIX)


class _Builder:
    """Puts the lines of one file together as a session."""

    def __init__(self, path: Path, context: ReadContext) -> None:
        self._path = path
        self._tally = context.tally
        self._session = Session(uid=storable(path.stem), source=SOURCE.name)
        self._first_session_id: str | None = None
        self._last_line: dict[str, Any] = {}
        self._usages: dict[int, tuple[Message, dict[str, Any]]] = {}
        self._answers: dict[str, Message] = {}
        self._copied_calls: set[str] = set()
        self._messages_of: dict[str, Sequence[Message]] = {}
        self._tree = LineTree()

    def add(self, line: dict[str, Any]) -> bool:
        """Take one line; say whether it is one of Claude Code's."""
        line_type = text_or_none(line.get("type")) or "without a type"
        uuid = text_or_none(line.get("uuid"))
        is_known_uuid = uuid in self._messages_of
        if uuid is not None:
            self._tree.note(uuid, line)
        if line_type in SKIPPED_TYPES:
            self._note_title(line)
            return True
        message = line.get("message")
        if line_type not in {"user", "assistant"}:
            self._tally.report_unknown(line_type)
            return False
        if not isinstance(message, dict) or "content" not in message:
            self._tally.report_unknown(f"{line_type} without content")
            return False
        if uuid is not None and is_warm_uuid(uuid):
            self._tally.warm_lines += 1
            return True
        if is_known_uuid:
            self._tally.duplicates += 1
            return True
        if self._session.cwd is None or self._first_session_id is None:
            self._note_place(line)
        self._last_line = line
        messages = self._session.messages
        before = len(messages)
        if line_type == "assistant":
            self._add_answer(line, message)
        else:
            self._add_user(line, message)
        if uuid is not None:
            # Half of the lines add to a message that is there already.
            self._messages_of[uuid] = (
                messages[before:] if len(messages) > before else ()
            )
        return True

    def finish(self) -> Iterator[Session]:
        """Yield the session, with what the user rewound behind marked inactive."""
        self._mark_rewinds()
        session = self._session
        for answer, usage in self._usages.values():
            answer.usage = usage_of(usage)
        version = self._last_line.get("version")
        if isinstance(version, str):
            session.agent = f"{SOURCE.name} {version}"
        if _is_subagent(self._path):
            self._name_subagent()
        else:
            session.uid = (
                session_uid(session.uid, self._first_session_id) or session.uid
            )
        if session.messages:
            yield session
        else:
            self._tally.empty += 1

    def _note_place(self, line: dict[str, Any]) -> None:
        session = self._session
        if self._first_session_id is None and isinstance(line.get("sessionId"), str):
            self._first_session_id = line["sessionId"]
        if session.cwd is None and isinstance(line.get("cwd"), str):
            session.cwd = line["cwd"]
        if session.git_branch is None and isinstance(line.get("gitBranch"), str):
            session.git_branch = line["gitBranch"] or None

    def _note_title(self, line: dict[str, Any]) -> None:
        if line.get("type") == "summary" and isinstance(line.get("summary"), str):
            self._session.title = line["summary"][:200]

    def _add_answer(self, line: dict[str, Any], message: dict[str, Any]) -> None:
        """Add one block of an answer: to the message that its other blocks made."""
        api_id = text_or_none(message.get("id"))
        answer = None if api_id is None else self._answers.get(api_id)
        if answer is not None and is_aside(line) and answer.type != "sidechain":
            self._leave_out_copy(message)
            return
        if answer is None:
            answer = self._new_answer(line, message, api_id)
        usage = message.get("usage")
        if isinstance(usage, dict):  # repeated on each line: the last is whole
            self._usages[id(answer)] = answer, usage
        for block in blocks_of(message):
            if block.get("type") == "tool_use":
                made = len(answer.calls)
                fallback = f"{answer.native_id}-{made}"
                answer.calls.append(tool_call_of(block, fallback=fallback))
            elif text := said_in(block):
                answer.content = f"{answer.content}\n{text}" if answer.content else text

    def _new_answer(
        self, line: dict[str, Any], message: dict[str, Any], api_id: str | None
    ) -> Message:
        model = text_or_none(message.get("model"))
        is_synthetic = model == SYNTHETIC_MODEL
        answer = Message(
            role="assistant",
            type="meta" if is_synthetic else type_of(line, ""),
            at_us=_time_of(line),
            native_id=self._native_id(line),
            model=model,
        )
        if not is_synthetic:
            self._session.model = model or self._session.model
            if api_id is not None:
                answer.native_id = api_id
                self._answers[api_id] = answer
        self._session.messages.append(answer)
        return answer

    def _leave_out_copy(self, message: dict[str, Any]) -> None:
        """Leave out what a subagent's part repeats of the answer that started it."""
        self._tally.duplicates += 1
        ids = (text_in(block, "id") for block in blocks_of(message))
        self._copied_calls.update(call_id for call_id in ids if call_id is not None)

    def _add_user(self, line: dict[str, Any], message: dict[str, Any]) -> None:
        """Add results of tools, and what was typed apart from what the program put in."""
        native_id = self._native_id(line)
        typed: list[str] = []
        put_in: list[str] = []
        results = 0
        for block in blocks_of(message):
            if block.get("type") == "tool_result":
                suffix = f"/{results}" if results else ""
                results += 1
                self._add_result(line, block, native_id + suffix)
            elif text := said_in(block):
                (put_in if is_injected(text) else typed).append(text)
        text_id = f"{native_id}/text" if results else native_id
        if typed and put_in:
            self._add_text(line, "\n".join(put_in), f"{text_id}/injected")
        if typed or put_in:
            self._add_text(line, "\n".join(typed or put_in), text_id)

    def _add_result(
        self, line: dict[str, Any], block: dict[str, Any], native_id: str
    ) -> None:
        call_id = text_in(block, "tool_use_id") or text_in(line, "sourceToolUseID")
        if call_id in self._copied_calls and is_aside(line):
            self._tally.duplicates += 1
            return
        self._session.messages.append(
            Message(
                role="tool",
                content=text_of(block.get("content")),
                type=type_of(line, "", of_result=True),
                at_us=_time_of(line),
                native_id=native_id,
                call_id=call_id,
                evidence=evidence_of(block, line),
            )
        )

    def _add_text(self, line: dict[str, Any], content: str, native_id: str) -> None:
        self._session.messages.append(
            Message(
                role="user",
                content=content,
                type=type_of(line, content),
                at_us=_time_of(line),
                native_id=native_id,
            )
        )

    def _native_id(self, line: dict[str, Any]) -> str:
        return text_in(line, "uuid") or f"#{len(self._session.messages)}"

    def _mark_rewinds(self) -> None:
        for uuid in self._tree.rewound():
            for message in self._messages_of.get(uuid, ()):
                message.active = False

    def _name_subagent(self) -> None:
        """Tie a subagent's file to the session that started it, by folder or by line."""
        folder = self._path.parent
        parent = folder.parent.name if folder.name == "subagents" else None
        parent = parent or self._first_session_id
        if parent:
            self._session.parent = parent
            self._session.uid = f"{parent}/{self._path.stem}"
            self._session.relation = "subagent"


def _time_of(line: dict[str, Any]) -> int | None:
    stamp = line.get("timestamp")
    return from_iso(stamp) if isinstance(stamp, str) else None

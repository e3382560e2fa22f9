"""Claude Code's sessions: `projects/**/*.jsonl`, one file a session.

A file is a log of lines that together form a tree. One answer of the model stands on
several lines, with one block on each and its usage repeated; results of tools stand in
lines of the user; text that no person wrote does too. `claude_code_lines` knows the lines;
here they are put together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from oldhand.clock import from_iso
from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.claude_code_lines import (
    SKIPPED_TYPES,
    blocks_of,
    evidence_of,
    is_prompt,
    tool_call_of,
    type_of,
    usage_of,
)
from oldhand.sessions.importers.json_lines import read_json_lines
from oldhand.sessions.importers.source import ReadContext, Source
from oldhand.sessions.importers.text_parts import text_of
from oldhand.sessions.model import Message, Session

SYNTHETIC_MODEL = "<synthetic>"  # the program's own words, as after a network fault
_SUBAGENT_PREFIX = "agent-"
_UUID_CHARS = 36
_UUID_DASHES = 4


def homes(environment: Mapping[str, str], home: Path) -> list[Path]:
    """Return the `projects` directories: several where the variable lists several."""
    listed = environment.get("CLAUDE_CONFIG_DIR", "")
    names = [part.strip() for part in listed.split(",")]
    configs = [Path(name).expanduser() for name in names if name]
    if not configs:
        configs = [home / ".config" / "claude", home / ".claude"]
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
    files = [path for path in directory.rglob("*.jsonl") if path.is_file()]
    yield from sorted(
        files,
        key=lambda path: (_is_subagent(path), path.stat().st_mtime_ns, path.as_posix()),
    )


def read(path: Path, context: ReadContext) -> Iterator[Session]:
    """Read one file: one session, or none where it holds no message."""
    builder = _Builder(path, context)
    lines = known = 0
    for number, line in read_json_lines(
        path, tally=context.tally, progress=context.progress
    ):
        lines += 1
        try:
            known += builder.add(line)
        except (TypeError, ValueError, AttributeError, KeyError) as fault:
            context.tally.report_malformed(path, number, f"{type(fault).__name__}")
    if lines and not known:
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
        self._session = Session(uid=path.stem, source=SOURCE.name)
        self._first_session_id: str | None = None
        self._last_line: dict[str, Any] = {}
        self._usages: dict[int, tuple[Message, dict[str, Any]]] = {}
        self._answers: dict[str, Message] = {}
        self._seen: set[str] = set()
        self._children: dict[str, list[str]] = {}
        self._messages_of: dict[str, list[Message]] = {}
        self._prompts: set[str] = set()

    def add(self, line: dict[str, Any]) -> bool:
        """Take one line; say whether it is one of Claude Code's."""
        line_type = line.get("type")
        if line_type in SKIPPED_TYPES:
            self._note_title(line)
            self._note_parent(line)
            return True
        if line_type not in {"user", "assistant"}:
            self._tally.report_unknown(line_type)
            return False
        message = line.get("message")
        if not isinstance(message, dict):
            self._tally.report_unknown(f"{line_type} without a message")
            return False
        uuid = line.get("uuid")
        if isinstance(uuid, str):
            if uuid in self._seen:
                self._tally.duplicates += 1
                return True
            self._seen.add(uuid)
        if self._session.cwd is None or self._first_session_id is None:
            self._note_place(line)
        self._last_line = line
        self._note_parent(line)
        before = len(self._session.messages)
        if line_type == "assistant":
            self._add_answer(line, message)
        else:
            self._add_user(line, message)
        if isinstance(uuid, str):
            self._messages_of[uuid] = self._session.messages[before:]
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
        elif not _is_uuid(session.uid) and self._first_session_id:
            session.uid = self._first_session_id
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

    def _note_parent(self, line: dict[str, Any]) -> None:
        uuid, parent = line.get("uuid"), line.get("parentUuid")
        if isinstance(uuid, str) and isinstance(parent, str):
            self._children.setdefault(parent, []).append(uuid)
            if line.get("type") == "user" and is_prompt(line):
                self._prompts.add(uuid)

    def _add_answer(self, line: dict[str, Any], message: dict[str, Any]) -> None:
        """Add one block of an answer: to the message that its other blocks made."""
        api_id = message.get("id")
        answer = self._answers.get(api_id) if isinstance(api_id, str) else None
        if answer is None:
            model = message.get("model")
            answer = Message(
                role="assistant",
                type=type_of(line, ""),
                at_us=_time_of(line),
                native_id=api_id if isinstance(api_id, str) else self._native_id(line),
                model=model if isinstance(model, str) else None,
            )
            if isinstance(api_id, str):
                if model == SYNTHETIC_MODEL:
                    answer.native_id = self._native_id(line)
                else:
                    self._answers[api_id] = answer
            if answer.model != SYNTHETIC_MODEL:
                self._session.model = answer.model or self._session.model
            self._session.messages.append(answer)
        usage = message.get("usage")
        if isinstance(usage, dict):  # repeated on each line: the last is whole
            self._usages[id(answer)] = answer, usage
        for block in blocks_of(message):
            if block.get("type") == "tool_use":
                made = len(answer.calls)
                fallback = f"{answer.native_id}-{made}"
                answer.calls.append(tool_call_of(block, fallback=fallback))
            elif text := text_of(block):
                answer.content = f"{answer.content}\n{text}" if answer.content else text

    def _add_user(self, line: dict[str, Any], message: dict[str, Any]) -> None:
        native_id = self._native_id(line)
        texts = []
        results = 0
        for block in blocks_of(message):
            if block.get("type") == "tool_result":
                suffix = f"/{results}" if results else ""
                results += 1
                self._session.messages.append(
                    Message(
                        role="tool",
                        content=text_of(block.get("content")),
                        type=type_of(line, "", of_result=True),
                        at_us=_time_of(line),
                        native_id=native_id + suffix,
                        call_id=_call_id_of(block, line),
                        evidence=evidence_of(block, line),
                    )
                )
            elif text := text_of(block):
                texts.append(text)
        if texts:
            content = "\n".join(texts)
            self._session.messages.append(
                Message(
                    role="user",
                    content=content,
                    type=type_of(line, content),
                    at_us=_time_of(line),
                    native_id=f"{native_id}/text" if results else native_id,
                )
            )

    def _native_id(self, line: dict[str, Any]) -> str:
        uuid = line.get("uuid")
        return uuid if isinstance(uuid, str) else f"#{len(self._session.messages)}"

    def _mark_rewinds(self) -> None:
        """Mark what hangs on all but the last of several prompts with one parent.

        Results of parallel calls branch as well, so a branch alone is no rewind.
        """
        for siblings in self._children.values():
            prompts = [uuid for uuid in siblings if uuid in self._prompts]
            pending = prompts[:-1]
            while pending:
                uuid = pending.pop()
                for message in self._messages_of.get(uuid, ()):
                    message.active = False
                pending.extend(self._children.get(uuid, ()))

    def _name_subagent(self) -> None:
        """Tie a subagent's file to the session that started it, by folder or by line."""
        folder = self._path.parent
        parent = folder.parent.name if folder.name == "subagents" else None
        parent = parent or self._first_session_id
        if parent:
            self._session.parent = parent
            self._session.uid = f"{parent}/{self._path.stem}"
            self._session.relation = "subagent"


def _is_uuid(text: str) -> bool:
    return len(text) == _UUID_CHARS and text.count("-") == _UUID_DASHES


def _time_of(line: dict[str, Any]) -> int | None:
    stamp = line.get("timestamp")
    return from_iso(stamp) if isinstance(stamp, str) else None


def _call_id_of(block: dict[str, Any], line: dict[str, Any]) -> str | None:
    call_id = block.get("tool_use_id") or line.get("sourceToolUseID")
    return call_id if isinstance(call_id, str) else None

"""Codex's sessions: `rollout-*.jsonl` below `sessions` and `archived_sessions`.

A file is a log of records `{timestamp, type, payload}`; the oldest versions wrote the
payloads bare. What was said stands in `response_item` records, and once more in events,
which are read only for what they alone know: how calls ended, rolled back turns, tokens.
`codex_transcript` puts the messages together, `codex_output` knows what results look like,
`codex_fork` tells which records are copies of the session that this one was forked from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.codex_events import (
    IGNORED_EVENTS,
    IGNORED_ITEMS,
    IGNORED_RECORDS,
    is_call_end,
    usage_of,
    usage_since,
)
from oldhand.sessions.importers.codex_fork import ForkGate
from oldhand.sessions.importers.codex_transcript import Record, Transcript
from oldhand.sessions.importers.files import files_below
from oldhand.sessions.importers.json_lines import read_json_lines
from oldhand.sessions.importers.source import ReadContext, Source
from oldhand.sessions.loose_values import object_in, text_in, time_us_of
from oldhand.sessions.model import Session, Usage
from oldhand.sessions.named_place import named_place

_FILES = "rollout-*.jsonl"
_ACTIVE, _ARCHIVED = "sessions", "archived_sessions"
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_PAYLOAD_TYPES = frozenset(("session_meta", "turn_context", "event_msg", "compacted"))


def homes(environment: Mapping[str, str], home: Path) -> list[Path]:
    """Return Codex's directory: `$CODEX_HOME`, else `~/.codex`."""
    named = environment.get("CODEX_HOME", "").strip() or "~/.codex"
    return [named_place(named, home)]


def find(root: Path) -> Iterator[Path]:
    """Yield rollout files by name, which is by age; an archived one only if alone."""
    if root.is_file():
        yield root
        return
    parts = [root / name for name in (_ACTIVE, _ARCHIVED) if (root / name).is_dir()]
    paths = (path for part in parts or [root] for path in files_below(part, _FILES))
    by_name: dict[str, Path] = {}
    for path in sorted(
        paths, key=lambda path: (_ARCHIVED in path.parts, path.as_posix())
    ):
        by_name.setdefault(path.name if path.suffix else str(path), path)
    yield from (by_name[name] for name in sorted(by_name))


def read(path: Path, context: ReadContext) -> Iterator[Session]:
    """Read one file: one session, or none where it holds no message."""
    rollout = _Rollout(path, context)
    lines = read_json_lines(path, tally=context.tally, progress=context.progress)
    malformed = len(context.tally.malformed)
    number = 0
    for number, (_, line) in enumerate(lines, 1):
        rollout.add(number, line)
    if not rollout.known and (number or len(context.tally.malformed) > malformed):
        raise UnreadableSource(
            f"{path}: no line is Codex's; expected objects with a type, as session_meta, "
            "and a payload"
        )
    yield from rollout.finish()


SOURCE = Source(name="codex", homes=homes, find=find, read=read, files=_FILES)


class _Envelope(NamedTuple):
    """A line's record type and payload."""

    kind: str
    payload: dict[str, Any]


def _open(line: dict[str, Any]) -> _Envelope:
    """Take a line apart; a bare payload is told by what stands in it."""
    kind, payload = text_in(line, "type"), line.get("payload")
    if isinstance(payload, dict):
        return _Envelope(kind or "without a type", payload)
    if kind in _PAYLOAD_TYPES or kind in IGNORED_RECORDS:
        return _Envelope(kind or "", line)
    if kind is not None or "role" in line:
        return _Envelope("response_item", line)
    if "record_type" in line:
        return _Envelope("record_type", line)
    is_head = "id" in line and ("instructions" in line or "git" in line)
    return _Envelope("session_meta" if is_head else "without a type", line)


class _Rollout:
    """Puts the records of one file together as a session.

    Attributes:
        known: How many records are surely Codex's.
    """

    def __init__(self, path: Path, context: ReadContext) -> None:
        self.known = 0
        self._path = path
        self._tally = context.tally
        self._transcript = Transcript(context.tally)
        self._gate = ForkGate()
        self._session = Session(uid="", source=SOURCE.name, agent=SOURCE.name)
        self._own_id: str | None = None
        self._inherited: Usage | None = None

    def add(self, number: int, line: dict[str, Any]) -> None:
        """Take one record."""
        kind, payload = _open(line)
        at_us = time_us_of(line.get("timestamp", line.get("created_at")))
        record = Record(number, payload, at_us)
        event = text_in(payload, "type") if kind == "event_msg" else None
        if self._gate.is_copy(event or kind, payload, record.at_us):
            self.known += 1
            if event == "token_count":
                self._inherited = usage_of(payload) or self._inherited
            return
        handler = self._HANDLERS.get(kind)
        if handler is not None:
            self.known += handler(self, record)
        elif kind in IGNORED_RECORDS:
            self.known += 1
        else:
            self._tally.report_unknown(kind)

    def finish(self) -> Iterator[Session]:
        """Yield the session, unless nothing was said in it."""
        session, messages = self._session, self._transcript.messages
        if not messages:
            self._tally.empty += 1
            return
        session.uid = self._uid()
        session.messages = messages
        models = (message.model for message in reversed(messages) if message.model)
        session.model = next(models, self._transcript.model)
        if session.usage is not None:
            session.usage = usage_since(session.usage, self._inherited)
        yield session

    def _uid(self) -> str:
        """Name the session: by its own id, and by the file's name where that says more.

        A fork may keep its root's id in `session_meta`; its file is then named by both.
        """
        in_name = _UUID.findall(self._path.name)
        if self._own_id is None or self._own_id in in_name:
            return in_name[-1] if in_name else f"codex-{self._path.stem}"
        return self._own_id

    def _take_meta(self, record: Record) -> bool:
        """Take what the head of the file says; what is not at the head is no head."""
        if self._transcript.messages:
            return True
        session, meta = self._session, record.payload
        self._own_id = text_in(meta, "id")
        version = text_in(meta, "cli_version")
        session.agent = f"{SOURCE.name} {version}" if version else SOURCE.name
        session.cwd = text_in(meta, "cwd")
        session.git_branch = text_in(object_in(meta, "git"), "branch")
        session.started_at_us = time_us_of(meta.get("timestamp")) or record.at_us
        session.parent = text_in(meta, "forked_from_id")
        session.relation = "fork" if session.parent else None
        spawn = object_in(
            object_in(object_in(meta, "source"), "subagent"), "thread_spawn"
        )
        spawner = text_in(spawn, "parent_thread_id") or text_in(
            meta, "parent_thread_id"
        )
        if spawner:
            session.parent, session.relation = spawner, "subagent"
        return True

    def _take_turn(self, record: Record) -> bool:
        self._transcript.model = (
            text_in(record.payload, "model") or self._transcript.model
        )
        self._session.cwd = self._session.cwd or text_in(record.payload, "cwd")
        return True

    def _take_item(self, record: Record) -> bool:
        item_type = text_in(record.payload, "type")
        if item_type in IGNORED_ITEMS:
            return False  # other agents have items of these names
        if not self._transcript.add_item(record):
            self._tally.report_unknown(f"response_item {item_type}")
            return False
        return item_type is not None  # a bare message might be any program's

    def _take_summary(self, record: Record) -> bool:
        self._transcript.add_summary(record)
        return True

    def _take_event(self, record: Record) -> bool:
        event = record.payload
        event_type = text_in(event, "type") or "without a type"
        if event_type == "token_count":
            self._session.usage = usage_of(event) or self._session.usage
        elif event_type == "thread_name_updated":
            self._session.title = text_in(event, "thread_name", "name")
        elif event_type == "thread_rolled_back":
            self._transcript.roll_back(event)
        elif event_type == "turn_aborted":
            self._transcript.abort_turn(record)
        elif is_call_end(event_type):
            self._transcript.end_call(event)
        elif event_type not in IGNORED_EVENTS:
            self._tally.report_unknown(f"event_msg {event_type}")
        return True

    def _take_state(self, record: Record) -> bool:
        """Pass over the bookkeeping of the oldest versions, `{"record_type": "state"}`."""
        return record.payload.get("record_type") == "state"

    _HANDLERS: ClassVar[dict[str, Callable[[_Rollout, Record], bool]]] = {
        "session_meta": _take_meta,
        "turn_context": _take_turn,
        "response_item": _take_item,
        "compacted": _take_summary,
        "event_msg": _take_event,
        "record_type": _take_state,
    }

"""Hermes' rows of messages, from its database or a snapshot, as ours.

A row is a mapping with the names of the database's columns; a snapshot's messages use the
same names. What the program put in the user's place, summaries of compacted turns and the
review that it holds with itself after a turn are told apart from what was said.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from oldhand.sessions.importers.call_pairs import CallPairs, UniqueNames
from oldhand.sessions.importers.hermes_results import evidence_of
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.loose_values import object_in, text_in, time_us_of
from oldhand.sessions.model import (
    ROLES,
    Evidence,
    Message,
    MessageType,
    Role,
    ToolCall,
)
from oldhand.sessions.storable_text import storable
from oldhand.sessions.text_parts import json_text, text_of

HermesRow = dict[str, Any]

_JSON_CONTENT = ("\0json:", "\ufffdjson:")  # as stored, and as a snapshot is read
# A snapshot's last entry; it holds nothing that was said.
_SESSION_META = "session_meta"

_SUMMARY_STARTS = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:")
_REVIEW_STARTS = (
    "Review the conversation above and update the skill library",
    "Review the conversation above and consider saving",
    "Review the conversation above and consider two things",
)
# Put in by the program whatever follows; a note is only where nothing follows it.
_INJECTED_STARTS = (
    "[ASYNC DELEGATION BATCH COMPLETE",
    "[IMPORTANT: Background process",
    "[Your active task list was preserved across context compression]",
    "[Continuing toward your standing goal]",
)
_NOTE_STARTS = ("[System note:", "[System:", "[SYSTEM:", "[Runtime note:")


def messages_of(
    rows: Iterable[HermesRow],
    *,
    session_id: str,
    report: Callable[[str], None],
    tally: Tally,
) -> list[Message]:
    """Turn the rows of one session, in order, into messages.

    A message's native id is made of what it is, not of its row's number: Hermes deletes
    and writes rows again when a history is rewritten, and a snapshot has no numbers.

    Args:
        rows: What Hermes stored, without copies.
        session_id: Hermes' own; it makes the messages' ids unique over all sessions.
        report: Called with what is wrong with a row that cannot be read whole.
        tally: Counts roles that are not known.
    """
    reader = _Reader(session_id, report, tally)
    return list(reader.messages(rows))


def content_of(row: HermesRow) -> str:
    """Return a row's text; of parts, their texts, and images in brackets."""
    content = row.get("content")
    if isinstance(content, bytes):
        content = content.decode("utf-8", "replace")
    if isinstance(content, str) and content.startswith(_JSON_CONTENT):
        parts = parse_json(content[len(_JSON_CONTENT[0]) :])
        content = content if parts is None else parts
    return storable(text_of(content))


def is_summary(row: HermesRow) -> bool:
    """Say whether a row stands for turns that were compacted."""
    return bool(row.get("_compressed_summary")) or content_of(row).startswith(
        _SUMMARY_STARTS
    )


class StoredCall(NamedTuple):
    """A call as a row has it: without an id where the row gives none."""

    call_id: str | None
    tool: str
    arguments: str


def calls_of(row: HermesRow) -> list[StoredCall] | None:
    """Return the calls that a row makes; None where its JSON is broken."""
    calls = row.get("tool_calls")
    if isinstance(calls, str | bytes):
        calls = parse_json(calls) if calls else []
    elif calls is None:
        calls = []
    if not isinstance(calls, list):
        return None
    return [_stored_call(call) for call in calls if isinstance(call, dict)]


def parse_json(text: str | bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Return the JSON value of a text; None where it is none."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return _parse_loose_json(text)


@dataclass(slots=True)
class _Reader:
    """Reads one session: a result's meaning hangs on the call before it."""

    session_id: str
    report: Callable[[str], None]
    tally: Tally
    # Its counts are thrown away: who writes the session counts results without a call.
    pairs: CallPairs = field(default_factory=lambda: CallPairs(Tally()))
    tools: dict[str, str] = field(default_factory=dict)
    names: UniqueNames = field(default_factory=UniqueNames)
    is_review: bool = False

    def messages(self, rows: Iterable[HermesRow]) -> Iterator[Message]:
        for position, row in enumerate(rows):
            role = row.get("role")
            if role in ROLES:
                yield self._message(row, role, position)
            elif role != _SESSION_META:
                self.tally.report_unknown(f"role {role}")

    def _message(self, row: HermesRow, role: Role, position: int) -> Message:
        content = content_of(row)
        if role in {"user", "system"}:
            self.is_review = content.startswith(_REVIEW_STARTS)
        message = Message(
            role=role,
            content=content,
            active=_is_active(row),
            at_us=time_us_of(row.get("timestamp")),
        )
        if role == "assistant":
            message.calls = self._calls(row, position)
        elif role == "tool":
            self._answer(message, row)
        message.type = "meta" if self.is_review else _type_of(row, message)
        message.native_id = self.names.take(
            f"{self.session_id}:{_mark_of(row, message)}"
        )
        return message

    def _calls(self, row: HermesRow, position: int) -> list[ToolCall]:
        stored = calls_of(row)
        if stored is None:
            self.report("tool_calls is not a JSON list")
        return [
            self._call(call, fallback=f"{position}-{index}")
            for index, call in enumerate(stored or ())
        ]

    def _call(self, stored: StoredCall, *, fallback: str) -> ToolCall:
        call = self.pairs.begin(
            stored.call_id,
            tool=stored.tool,
            arguments=stored.arguments,
            fallback=fallback,
        )
        self.tools[call.call_id] = call.tool
        return call

    def _answer(self, message: Message, row: HermesRow) -> None:
        """Add the call that a result answers; older rows do not name the tool."""
        named = storable(text_in(row, "tool_call_id") or "")
        tool = text_in(row, "tool_name")
        message.call_id = self.pairs.finish(named or None, tool=tool)
        called = self.tools.get(message.call_id or "")
        result = evidence_of(called or tool or "", message.content)
        message.content = result.text
        message.evidence = _with_columns(result.evidence, row)


def _mark_of(row: HermesRow, message: Message) -> str:
    """Return what tells a message from others: the call it makes or answers, its text."""
    if message.calls:
        return f"call-{message.calls[0].call_id}"
    answered = text_in(row, "tool_call_id")
    if message.role == "tool" and answered is not None:
        return f"result-{storable(answered)}"
    said = f"{message.role}:{message.content}".encode()
    return hashlib.blake2b(said, digest_size=8).hexdigest()


def _parse_loose_json(text: str | bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Read what orjson refuses and Python writes: NaN, and halves of surrogate pairs."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _stored_call(call: dict[str, Any]) -> StoredCall:
    """Read one call: a `function` with name and arguments, or just these two."""
    function = object_in(call, "function") or call
    return StoredCall(
        storable(text_in(call, "id", "call_id") or "") or None,
        storable(text_in(function, "name") or "unknown"),
        storable(json_text(function.get("arguments"))),
    )


def _type_of(row: HermesRow, message: Message) -> MessageType:
    if message.role == "tool":
        return "turn"
    if row.get("_compressed_summary") or message.content.startswith(_SUMMARY_STARTS):
        return "summary"
    is_hidden = row.get("display_kind") == "hidden" and not message.calls
    if is_hidden or message.role == "system":
        return "injected"
    if message.role == "user" and _is_injected(message.content):
        return "injected"
    return "turn"


def _is_injected(text: str) -> bool:
    text = text.strip()
    is_bare_note = text.startswith(_NOTE_STARTS) and text.endswith("]")
    return is_bare_note or text.startswith(_INJECTED_STARTS)


def _is_active(row: HermesRow) -> bool:
    """Say that the user did not rewind behind a row; what was compacted was said."""
    active = row.get("active")
    return active is None or bool(active) or bool(row.get("compacted"))


def _with_columns(evidence: Evidence, row: HermesRow) -> Evidence:
    """Add what the row says beside its text, which is seldom anything."""
    if evidence.cancelled or evidence.refused:
        return evidence
    if row.get("effect_disposition") == "none" and content_of(row).startswith("{"):
        return Evidence(refused=True)  # answered in the tool's place; it never ran
    if evidence.is_error is None and row.get("finish_reason") == "error":
        return evidence._replace(is_error=True)
    return evidence

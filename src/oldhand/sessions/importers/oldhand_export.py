"""Our own export, read back as it was: outcomes are taken over and not judged anew.

A line is one session. It keeps its uid and the source that it first came from. What an
export says of how a call went is a claim, as an agent's own success flag is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from oldhand.clock import from_iso
from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.files import files_below
from oldhand.sessions.importers.json_lines import read_json_lines
from oldhand.sessions.importers.source import ReadContext, Source
from oldhand.sessions.keep.export import FORMAT
from oldhand.sessions.loose_values import integer_of, text_in
from oldhand.sessions.model import (
    MESSAGE_TYPES,
    NO_EVIDENCE,
    OUTCOMES,
    ROLES,
    Evidence,
    Message,
    OnRecord,
    Outcome,
    Relation,
    Session,
    ToolCall,
    Usage,
    Verdict,
)
from oldhand.sessions.outcome.hindsight import Later
from oldhand.sessions.storable_text import storable

_TEXTS = (
    "agent",
    "model",
    "model_config",
    "principal",
    "project",
    "cwd",
    "git_branch",
    "parent",
    "title",
    "end_reason",
    "revision",
    "root_native_id",
)
_MAX_DOLLARS = 1e9
_USAGE = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
_OUTCOMES: dict[object, Outcome] = {outcome: outcome for outcome in OUTCOMES}
_LATER: dict[object, Later] = {name: name for name in get_args(Later)}
_RELATIONS: dict[object, Relation] = {name: name for name in get_args(Relation)}


def homes(_environment: Mapping[str, str], _home: Path) -> list[Path]:
    """Return nothing: an export lies where somebody put it."""
    return []


def find(root: Path) -> Iterator[Path]:
    """Yield the JSON line files below a directory by path, or the file itself."""
    if root.is_file():
        yield root
        return
    yield from files_below(root, "*.jsonl")


def read(path: Path, context: ReadContext) -> Iterator[Session]:
    """Read one file, and yield each session as soon as it is read."""
    is_known = False
    for number, line in read_json_lines(
        path, tally=context.tally, progress=context.progress
    ):
        if line.get("format") != FORMAT:
            context.tally.report_malformed(path, number, f"format is not {FORMAT}")
            continue
        is_known = True
        session = _session(line)
        if session is None:
            context.tally.report_malformed(path, number, "no uid, source or messages")
        else:
            yield session
    if not is_known and context.tally.malformed:
        raise UnreadableSource(
            f"{path}: holds no session of ours; expected lines of {FORMAT}"
        )


SOURCE = Source(name="oldhand", homes=homes, find=find, read=read)


def _session(line: dict[str, Any]) -> Session | None:
    uid, source, entries = (
        text_in(line, "uid"),
        text_in(line, "source"),
        line.get("messages"),
    )
    started_at_us = _time(line, "started_at")
    if uid is None or source is None or started_at_us is None:
        return None
    if not isinstance(entries, list):
        return None
    return Session(
        uid=storable(uid),
        source=storable(source),
        relation=_RELATIONS.get(_hashable(line.get("relation"))),
        started_at_us=started_at_us,
        ended_at_us=_time(line, "ended_at"),
        usage=_usage(line),
        cost_usd=_dollars(line.get("cost_usd")),
        on_record=OnRecord(
            task=_text(line, "task"),
            updated_at_us=_time(line, "updated_at") or started_at_us,
            is_redacted=line.get("redacted") is not False,
        ),
        messages=_messages(entries),
        **{name: _text(line, name) for name in _TEXTS},
    )


def _messages(entries: list[Any]) -> list[Message]:
    waiting: dict[str, list[Evidence]] = {}
    messages = []
    for entry in entries:
        if isinstance(entry, dict) and entry.get("role") in ROLES:
            message = _message(entry, waiting)
            messages.append(message)
    return messages


def _message(entry: dict[str, Any], waiting: dict[str, list[Evidence]]) -> Message:
    call_id = _text(entry, "call_id")
    evidence = waiting.get(call_id or "")
    message = Message(
        role=entry["role"],
        content=_text(entry, "content") or "",
        type=entry["type"] if entry.get("type") in MESSAGE_TYPES else "turn",
        active=entry.get("active") is not False,
        at_us=_time(entry, "at"),
        native_id=_text(entry, "native_id"),
        model=_text(entry, "model"),
        usage=_usage(entry),
        call_id=call_id,
        evidence=evidence.pop(0) if evidence else NO_EVIDENCE,
        dropped_chars=integer_of(entry.get("dropped_chars")),
    )
    calls = entry.get("calls")
    for value in calls if isinstance(calls, list) else []:
        if isinstance(value, dict) and isinstance(value.get("tool"), str):
            call = _call(value, fallback=f"#{len(message.calls)}")
            message.calls.append(call)
            if value.get("result_chars") is not None:
                waiting.setdefault(call.call_id, []).append(_evidence(value))
    return message


def _evidence(value: dict[str, Any]) -> Evidence:
    """Return what the agent's own record had said of a call."""
    said = value.get("evidence")
    known = said if isinstance(said, dict) else {}
    return Evidence(
        is_error=known.get("is_error")
        if known.get("is_error") in (True, False)
        else None,
        exit_code=integer_of(known.get("exit_code")),
        refused=known.get("refused") is True,
        cancelled=known.get("cancelled") is True,
        is_partial=known.get("is_partial") is True,
        duration_us=integer_of(value.get("duration_us")),
    )


def _call(value: dict[str, Any], *, fallback: str) -> ToolCall:
    return ToolCall(
        call_id=_text(value, "call_id") or fallback,
        tool=storable(value["tool"]),
        arguments=_text(value, "arguments") or "",
        verdict=_verdict(value),
    )


def _verdict(value: dict[str, Any]) -> Verdict | None:
    """Return how a call was judged; None where what it says is no judgement."""
    outcome = _OUTCOMES.get(_hashable(value.get("outcome")))
    confidence = value.get("confidence")
    if outcome is None or not isinstance(confidence, int | float):
        return None
    if not 0 < confidence <= 1:
        return None
    return Verdict(
        outcome,
        _text(value, "rule") or "",
        float(confidence),
        _text(value, "error_kind"),
        integer_of(value.get("result_chars")),
        later=_LATER.get(_hashable(value.get("later"))),
    )


def _text(record: dict[str, Any], name: str) -> str | None:
    value = record.get(name)
    return storable(value) if isinstance(value, str) else None


def _time(record: dict[str, Any], name: str) -> int | None:
    value = record.get(name)
    return from_iso(value) if isinstance(value, str) else None


def _usage(record: dict[str, Any]) -> Usage:
    return Usage(*(integer_of(record.get(name)) for name in _USAGE))


def _dollars(value: object) -> float | None:
    is_amount = isinstance(value, int | float) and 0 <= value < _MAX_DOLLARS
    return float(value) if is_amount and isinstance(value, int | float) else None


def _hashable(value: object) -> object:
    return value if isinstance(value, str) else None

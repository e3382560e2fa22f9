"""Sessions as JSON lines: our own form, which loses nothing, and OpenAI's chat messages.

A line is a session, made when it is asked for, so that an export takes no more memory than
its longest session. Secrets are taken out unless the canonical text is wanted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal

from oldhand.errors import InvalidInput
from oldhand.redact import redact
from oldhand.sessions.conversation import load_conversation
from oldhand.sessions.keep.selection import Selection, select_sessions
from oldhand.sessions.keys import calls_of, message_of_call
from oldhand.sessions.marks import evidence_of
from oldhand.sessions.payloads import StoredMessage, stored_messages
from oldhand.sessions.read import SessionSummary, find_session
from oldhand.sessions.read_calls import iterate_calls
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")
FORMAT = "oldhand-session-1"
FORMATS = ("oldhand", "openai")
ExportFormat = Literal["oldhand", "openai"]
_TIMES = ("started_at", "updated_at", "ended_at")
_USAGE = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
_VERDICT = ("outcome", "rule", "confidence", "error_kind", "shape", "duration_us")
_RESULT_ID, _RESULT_CHARS = 3, 11  # in call_rows_of_session
_MARKS, _EXIT_CODE, _LATER = 13, 14, 15
_FACTS = ("source", "agent", "principal", "project", "cwd", "title", "started_at")
_Edit = Callable[[str], str]


def export_sessions(
    store: Store,
    selection: Selection,
    *,
    form: str = "oldhand",
    is_raw: bool = False,
) -> Iterator[str]:
    """Yield sessions as JSON, each on a line without its end.

    Args:
        store: Where they are.
        selection: Which.
        form: `oldhand`, which `oldhand import` reads back as it was; or `openai`, the
            messages of the conversation alone.
        is_raw: Keep secrets: the text as it was said.

    Raises:
        InvalidInput: There is no such form.
    """
    if form not in FORMATS:
        raise InvalidInput(f"{form!r} is no format; expected {' or '.join(FORMATS)}")
    edit = str if is_raw else redact
    for selected in select_sessions(store, selection):
        session = find_session(store, selected.uid)
        if form == "openai":
            value = _openai(store, session, edit)
        else:
            value = _facts(store, session, edit, is_raw=is_raw)
            value["messages"] = _messages(store, session, edit)
        yield json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def exact_iso(at_us: int | None) -> str | None:
    """Write a time as ISO 8601 in UTC, to the microsecond.

    Example:
        >>> exact_iso(1_767_225_600_250_001)
        '2026-01-01T00:00:00.250001Z'
    """
    if at_us is None:
        return None
    seconds, rest = divmod(at_us, 1_000_000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest:06}Z"


def _facts(
    store: Store, session: SessionSummary, edit: _Edit, *, is_raw: bool
) -> dict[str, Any]:
    values = session.as_json()
    for name in _TIMES:
        values[name] = exact_iso(getattr(session, f"{name}_us"))
    for name in ("title", "task", "model_config"):
        values[name] = None if values[name] is None else edit(values[name])
    row = store.query_one(_SQL["session_extras"], {"id": session.id})
    root, revision = row or (None, None)
    extras = {"root_native_id": root, "revision": revision}
    return {"format": FORMAT, "redacted": not is_raw, **values, **extras}


def _messages(
    store: Store, session: SessionSummary, edit: _Edit
) -> list[dict[str, Any]]:
    """Return a session's messages with all that is on record of them."""
    made: dict[int, list[dict[str, Any]]] = {}
    answers: dict[int, str] = {}
    span = calls_of(session.id)._asdict()
    rows = store.query_all(_SQL["call_rows_of_session"], span)
    for call, row in zip(iterate_calls(store, session=session), rows, strict=True):
        value: dict[str, Any] = {
            "call_id": call.call_id,
            "tool": call.tool,
            "arguments": edit(call.arguments),
            **{name: getattr(call, name) for name in _VERDICT},
            "result_chars": row[_RESULT_CHARS],
            "later": row[_LATER],
            "evidence": _evidence(row[_MARKS], row[_EXIT_CODE]),
        }
        made.setdefault(message_of_call(call.id), []).append(value)
        if row[_RESULT_ID] is not None:
            answers[row[_RESULT_ID]] = call.call_id
    return [
        _message(message, made.get(message.row[0], []), answers, edit)
        for message in stored_messages(store, session.id)
    ]


def _evidence(marks: int | None, exit_code: int | None) -> dict[str, Any] | None:
    """Return what the agent's record said of a call, by name; None where nothing."""
    if marks is None and exit_code is None:
        return None
    said = evidence_of(marks, exit_code)._asdict()
    return {name: value for name, value in said.items() if value not in (None, False)}


def _message(
    message: StoredMessage,
    calls: list[dict[str, Any]],
    answers: dict[int, str],
    edit: _Edit,
) -> dict[str, Any]:
    message_id, role, kind, active, at_us, native_id, model, *usage, content = (
        message.row
    )
    optional = {
        "native_id": native_id,
        "model": model,
        **dict(zip(_USAGE, usage, strict=True)),
        "call_id": answers.get(message_id),
        "dropped_chars": message.dropped_chars,
    }
    return {
        "role": role,
        "content": edit(content),
        "type": kind,
        "active": bool(active),
        "at": exact_iso(at_us),
        "calls": calls,
        **{name: value for name, value in optional.items() if value is not None},
    }


def _openai(store: Store, session: SessionSummary, edit: _Edit) -> dict[str, Any]:
    values = session.as_json()
    values["title"] = None if values["title"] is None else edit(values["title"])
    facts = {name: values[name] for name in _FACTS if values[name] is not None}
    turns = load_conversation(store, session)
    for turn in turns:
        if turn["content"]:
            turn["content"] = edit(turn["content"])
        for call in turn.get("tool_calls", ()):
            function = call["function"]
            function["arguments"] = edit(function["arguments"])
    return {
        "id": session.uid,
        "model": session.model,
        "metadata": facts,
        "messages": turns,
    }

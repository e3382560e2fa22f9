"""Read one session that Hermes wrote as JSON, as older versions did for every session.

Newer versions keep all sessions in a database and write these on request. A snapshot of a
session that the database beside it holds is left out: the database knows more.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.hermes_database import has_messages
from oldhand.sessions.importers.hermes_messages import messages_of
from oldhand.sessions.importers.json_document import read_json_document
from oldhand.sessions.importers.source import ReadContext
from oldhand.sessions.loose_values import object_in, text_in, time_us_of
from oldhand.sessions.model import Session
from oldhand.sessions.storable_text import storable

_NAME_START = "session_"
_DATABASE = "state.db"


def read_snapshot(path: Path, prefix: str, context: ReadContext) -> Iterator[Session]:
    """Yield the session in a snapshot, unless it is empty or in the database too.

    Args:
        path: A `session_ID.json`.
        prefix: Put before the session's id to make its uid: empty, or `PROFILE/`.
        context: Says whether the session is known as it is; counts what is passed over.

    Raises:
        UnreadableSource: The file cannot be read, or is no snapshot of Hermes.
    """
    document = _load(path, context)
    session_id = text_in(document, "session_id") or storable(
        path.stem.removeprefix(_NAME_START)
    )
    uid = prefix + session_id
    rows = [row for row in document["messages"] if isinstance(row, dict)]
    revision = f"{text_in(document, 'last_updated')}-{len(rows)}"
    if has_messages(path.parent.parent / _DATABASE, session_id):
        context.tally.duplicates += 1
        return
    if context.is_current(uid, revision):
        context.tally.skipped += 1
        return
    messages = messages_of(
        rows,
        session_id=session_id,
        report=lambda reason: context.tally.report_malformed(path, 0, reason),
        tally=context.tally,
    )
    if not messages:
        context.tally.empty += 1
        return
    yield Session(
        uid=uid,
        source="hermes",
        agent="hermes",
        model=text_in(document, "model"),
        cwd=_cwd_of(document),
        title=text_in(document, "title"),
        started_at_us=time_us_of(document.get("session_start")),
        revision=revision,
        messages=messages,
    )


def _load(path: Path, context: ReadContext) -> dict[str, Any]:
    document = read_json_document(path, progress=context.progress)
    entries = document.get("messages") if isinstance(document, dict) else None
    is_ours = isinstance(entries, list) and (
        not entries or any(map(_has_role, entries))
    )
    if not is_ours or not isinstance(document, dict):
        raise UnreadableSource(
            f"{path}: no session of Hermes; expected a JSON object with a list of messages, "
            "each with a role"
        )
    return document


def _has_role(entry: object) -> bool:
    return isinstance(entry, dict) and text_in(entry, "role") is not None


def _cwd_of(document: dict[str, Any]) -> str | None:
    config = object_in(document, "model_config")
    return text_in(document, "cwd") or text_in(config, "cwd")

"""Read the sessions in a state.db of Hermes, whatever version wrote it.

Columns come and go between versions and a fork may number its schema as it likes, so the
tables are asked which columns they have and the version is not looked at. Messages are
ordered by id: clocks have run backwards. Every query is short, because Hermes may be
writing at the same time; what changes meanwhile changes the session's revision, so that
the next import reads it again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.hermes_copies import without_copies, without_inherited
from oldhand.sessions.importers.hermes_messages import HermesRow, messages_of
from oldhand.sessions.importers.hermes_session_row import (
    Origin,
    cost_of,
    origin_of,
    principal_of,
    revision_of,
    usage_of,
)
from oldhand.sessions.importers.source import ReadContext
from oldhand.sessions.loose_values import text_in, time_us_of
from oldhand.sessions.model import Session
from oldhand.store.foreign import ForeignDatabase, open_foreign

_SESSIONS_PER_PAGE = 100
_MESSAGES_PER_PAGE = 500

_SESSION_COLUMNS = (
    *("id", "source", "user_id", "model", "model_config", "parent_session_id"),
    *("started_at", "ended_at", "end_reason", "title", "cwd", "git_branch"),
    *("git_repo_root", "message_count", "tool_call_count", "api_call_count"),
    *("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"),
    *("estimated_cost_usd", "actual_cost_usd", "cost_status", "rewind_count"),
)
_MESSAGE_COLUMNS = (
    *("id", "role", "content", "tool_call_id", "tool_calls", "tool_name"),
    *("effect_disposition", "timestamp", "finish_reason", "platform_message_id"),
    *("active", "compacted", "_compressed_summary", "display_kind"),
)
_USAGE_COLUMNS = (
    *("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"),
    *("estimated_cost_usd", "actual_cost_usd", "cost_status"),
)
_TOKENS = ("input_tokens", "output_tokens")

# What a session's row is given beside its own columns, as subqueries by name.
_OF_MESSAGES = {
    "last_message": "(SELECT max(m.id) FROM messages m WHERE m.session_id = s.id)",
    "messages_stored": "(SELECT count(*) FROM messages m WHERE m.session_id = s.id)",
}
_OF_PARENT = {
    "parent_end_reason": "(SELECT p.end_reason FROM sessions p"
    " WHERE p.id = s.parent_session_id)",
}
_OF_USAGE = {
    "tokens_by_model": "(SELECT total(u.input_tokens) + total(u.output_tokens)"
    " FROM session_model_usage u WHERE u.session_id = s.id)",
}
_REQUIRED = {"sessions": {"id"}, "messages": {"id", "session_id", "role", "content"}}


def read_database(path: Path, prefix: str, context: ReadContext) -> Iterator[Session]:
    """Yield the sessions of one database that have changed, in order of their ids.

    Args:
        path: The state.db.
        prefix: Put before each session's id to make its uid: empty, or `PROFILE/`.
        context: Says which sessions are known as they are; counts what is passed over.

    Raises:
        UnreadableSource: The file cannot be read, or is no database of Hermes.
    """
    with open_foreign(path) as database:
        yield from _Reader(path, prefix, context, database=database).sessions()


def has_messages(path: Path, session_id: str) -> bool:
    """Say whether a database holds a session; an unreadable one holds none."""
    if not path.is_file():
        return False
    try:
        with open_foreign(path) as database:
            found = database.rows(
                "SELECT 1 FROM messages WHERE session_id = ? LIMIT 1", (session_id,)
            )
            return any(found)
    except UnreadableSource:
        return False


class _Reader:
    """One pass over one database."""

    def __init__(
        self,
        path: Path,
        prefix: str,
        context: ReadContext,
        *,
        database: ForeignDatabase,
    ) -> None:
        self._path = path
        self._prefix = prefix
        self._context = context
        self._database = database
        self._sessions = self._table("sessions", _SESSION_COLUMNS)
        self._messages = self._table("messages", _MESSAGE_COLUMNS)
        self._usages = self._table("session_model_usage", _USAGE_COLUMNS)

    def sessions(self) -> Iterator[Session]:
        """Yield each session that has messages and is not known as it is."""
        advance = self._progress()
        for row in self._session_rows():
            session_id = row["id"]
            if not isinstance(session_id, str):
                self._report("the id of a session is not a text")
            elif not row["last_message"]:
                self._context.tally.empty += 1
            else:
                yield from self._session(session_id, row)
            advance()

    def _session(self, session_id: str, row: HermesRow) -> Iterator[Session]:
        uid, revision = self._prefix + session_id, revision_of(row)
        if self._context.is_current(uid, revision):
            self._context.tally.skipped += 1
            return
        origin = origin_of(row)
        try:
            rows = self._without_copies(session_id, origin)
            usages = self._usage_rows(session_id) or [row]
        except UnreadableSource as fault:
            self._report(f"a session is left out: {fault}")
            return
        messages = messages_of(
            rows,
            session_id=session_id,
            report=self._report,
            tally=self._context.tally,
        )
        if not messages:
            return
        yield Session(
            uid=uid,
            source="hermes",
            agent="hermes",
            model=text_in(row, "model"),
            principal=principal_of(row),
            project=text_in(row, "git_repo_root"),
            cwd=text_in(row, "cwd"),
            git_branch=text_in(row, "git_branch"),
            parent=None if origin.parent is None else self._prefix + origin.parent,
            relation=origin.relation,
            title=text_in(row, "title"),
            started_at_us=time_us_of(row.get("started_at")),
            ended_at_us=time_us_of(row.get("ended_at")),
            end_reason=text_in(row, "end_reason"),
            usage=usage_of(usages),
            cost_usd=cost_of(usages),
            revision=revision,
            messages=messages,
        )

    def _without_copies(self, session_id: str, origin: Origin) -> list[HermesRow]:
        stored = self._message_rows(session_id)
        rows = without_copies(stored)
        if origin.parent is not None and origin.relation in {"compression", "fork"}:
            rows = without_inherited(rows, self._message_rows(origin.parent))
        self._context.tally.duplicates += len(stored) - len(rows)
        return rows

    def _session_rows(self) -> Iterator[HermesRow]:
        """Yield the sessions by id, each with what its revision needs to know of others."""
        columns = {name: f"s.{name}" for name in self._sessions} | _OF_MESSAGES
        if {"parent_session_id", "end_reason"} <= columns.keys():
            columns |= _OF_PARENT
        if set(_TOKENS) <= set(self._usages):
            columns |= _OF_USAGE
        query = _select(
            tuple(columns.values()), "sessions s WHERE s.id > ? ORDER BY s.id LIMIT ?"
        )
        last: Any = ""
        while page := list(self._database.rows(query, (last, _SESSIONS_PER_PAGE))):
            for values in page:
                yield dict(zip(columns, values, strict=True))
            last = page[-1][0]

    def _message_rows(self, session_id: str) -> list[HermesRow]:
        """Return a session's rows by id, a page of them at a time.

        The ids come first, from the index alone: ordering whole rows by id would make
        SQLite sort their contents again for each page.
        """
        found = self._database.rows(
            "SELECT id FROM messages WHERE session_id = ?", (session_id,)
        )
        ids = sorted(message_id for (message_id,) in found)
        query = _select(
            self._messages,
            "messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
        )
        rows: list[HermesRow] = []
        for start in range(0, len(ids), _MESSAGES_PER_PAGE):
            page = json.dumps(ids[start : start + _MESSAGES_PER_PAGE])
            values = self._database.rows(query, (page,))
            rows.extend(dict(zip(self._messages, each, strict=True)) for each in values)
        return rows

    def _usage_rows(self, session_id: str) -> list[HermesRow]:
        if not self._usages:
            return []
        query = _select(self._usages, "session_model_usage WHERE session_id = ?")
        found = self._database.rows(query, (session_id,))
        return [dict(zip(self._usages, values, strict=True)) for values in found]

    def _table(self, table: str, wanted: Sequence[str]) -> list[str]:
        """Return the wanted columns that a table has, in the order of `wanted`."""
        present = self._database.columns(table)
        if not _REQUIRED.get(table, set()) <= present:
            raise UnreadableSource(
                f"{self._path}: no database of Hermes; expected a table {table} with "
                f"{', '.join(sorted(_REQUIRED[table]))}"
            )
        return [name for name in wanted if name in present]

    def _progress(self) -> Callable[[], None]:
        """Return what reports one more session, as its share of the file's bytes."""
        ((count,),) = self._database.rows("SELECT count(*) FROM sessions")
        size = self._path.stat().st_size
        done = 0

        def advance() -> None:
            nonlocal done
            done += 1
            self._context.progress(size * done // count - size * (done - 1) // count)

        return advance

    def _report(self, reason: str) -> None:
        self._context.tally.report_malformed(self._path, 0, reason)


def _select(columns: Sequence[str], rest: str) -> str:
    """Put a query together from names that stand in this file, none from the data."""
    return " ".join(("SELECT", ", ".join(columns), "FROM", rest))

"""Read sessions back, with their messages."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from oldhand.clock import to_iso
from oldhand.errors import InvalidInput, NotFound
from oldhand.sessions.keys import calls_of, messages_of
from oldhand.sessions.payloads import content_of
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)


@dataclass(slots=True, frozen=True)
class SessionSummary:
    """One session without its messages; the fields are the columns of its row."""

    id: int
    uid: str
    source: str
    agent: str | None
    model: str | None
    model_config: str | None
    principal: str | None
    project: str | None
    cwd: str | None
    git_branch: str | None
    parent: str | None
    relation: str | None
    title: str | None
    task: str | None
    started_at_us: int
    updated_at_us: int
    ended_at_us: int | None
    end_reason: str | None
    message_count: int
    tool_call_count: int
    failed_call_count: int
    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int | None
    cache_write_tokens: int | None
    cost_microusd: int | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it: times as ISO 8601, no database key."""
        values = asdict(self)
        del values["id"]
        cost = values.pop("cost_microusd")
        for name in ("started_at_us", "updated_at_us", "ended_at_us"):
            at_us = values.pop(name)
            values[name.removesuffix("_us")] = None if at_us is None else to_iso(at_us)
        values["cost_usd"] = None if cost is None else cost / 1_000_000
        return values


def recent_sessions(
    store: Store,
    *,
    limit: int = 50,
    source: str | None = None,
    project: str | None = None,
) -> list[SessionSummary]:
    """Return the sessions that changed last, newest first."""
    rows = store.query_all(
        _SQL["recent_sessions"],
        {"source": source, "project": project, "limit": limit},
    )
    return [SessionSummary(*row) for row in rows]


def find_session(store: Store, uid: str) -> SessionSummary:
    """Return the session of that uid, or the only one whose uid begins so.

    Raises:
        NotFound: There is none.
        InvalidInput: The beginning fits several.
    """
    if not uid:
        raise InvalidInput("the session's uid is empty")
    rows = store.query_all(
        _SQL["sessions_like"], {"uid": uid, "uid_after": uid + "\U0010ffff"}
    )
    found = [SessionSummary(*row) for row in rows]
    exact = [session for session in found if session.uid == uid]
    if not found:
        raise NotFound(
            f"no session {uid!r}", advice="`oldhand sessions list` shows them"
        )
    if not exact and len(found) > 1:
        uids = ", ".join(session.uid for session in found[:5])
        raise InvalidInput(f"{uid!r} fits several sessions: {uids}")
    return (exact or found)[0]


def load_messages(store: Store, session: SessionSummary) -> list[dict[str, Any]]:
    """Return a session's messages in order, as JSON takes them.

    Returns:
        Dicts with `role`, `content`, `type`, `active`, `at`, and `calls` (as
        `JudgedCall.as_json`, without `result`), or `call_id` where it is a result;
        `dropped_chars` where its text was pruned.
    """
    made: dict[int, list[dict[str, Any]]] = {}
    answers: dict[int, str] = {}
    for row in store.query_all(_SQL["loaded_calls"], calls_of(session.id)):
        made.setdefault(row[0], []).append(_call_json(row))
        if row[1] is not None:
            answers[row[1]] = row[2]
    return [
        _message_json(row, made, answers)
        for row in store.query_all(_SQL["loaded_messages"], messages_of(session.id))
    ]


def _call_json(row: Row) -> dict[str, Any]:
    _, _, call_id, tool, arguments, outcome, rule, confidence, error_kind, shape = row
    return {
        "call_id": call_id,
        "tool": tool,
        "arguments": arguments,
        "outcome": outcome,
        "rule": rule,
        "confidence": confidence,
        "error_kind": error_kind,
        "shape": shape,
    }


def _message_json(
    row: Row, made: dict[int, list[dict[str, Any]]], answers: dict[int, str]
) -> dict[str, Any]:
    message_id, role, kind, active, at_us, content, body, dropped_chars = row
    value: dict[str, Any] = {
        "role": role,
        "content": content_of(content, body),
        "type": kind,
        "active": active == 1,
        "at": None if at_us is None else to_iso(at_us),
        "calls": made.get(message_id) or [],
    }
    if message_id in answers:
        value["call_id"] = answers[message_id]
    if dropped_chars is not None:
        value["dropped_chars"] = dropped_chars
    return value


def outcomes_by_tool(store: Store) -> dict[str, dict[str, int]]:
    """Return how many calls of each tool had each outcome, the most used tool first."""
    found: dict[str, dict[str, int]] = {}
    for tool, outcome, count in store.query_all(_SQL["outcomes_by_tool"]):
        found.setdefault(tool, {})[outcome] = count
    return dict(sorted(found.items(), key=lambda item: -sum(item[1].values())))


def sources_on_record(store: Store) -> set[str]:
    """Return the names of the sources that have a session on record."""
    return {str(row[0]) for row in store.query_all(_SQL["sources_on_record"])}

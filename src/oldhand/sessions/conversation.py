"""A recorded conversation as a provider takes it, to go on with it.

How the calls went is not read: that is what `read.load_messages` is for.
"""

from __future__ import annotations

from typing import Any

from oldhand.sessions.keys import calls_of, messages_of
from oldhand.sessions.payloads import content_of
from oldhand.sessions.read import SessionSummary
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)


def load_conversation(store: Store, session: SessionSummary) -> list[dict[str, Any]]:
    """Return a session's messages as in OpenAI's chat completions, in order.

    What the user rewound behind, side conversations and bookkeeping are left out; so are
    calls without a result, which providers refuse, and results without a call. Results
    follow their calls at once.
    """
    results: dict[int, str] = {}
    said: list[tuple[int, str, str]] = []
    for message_id, role, content, body in store.query_all(
        _SQL["conversation_messages"], messages_of(session.id)
    ):
        text = content if body is None else content_of(content, body)
        if role == "tool":
            results[message_id] = text
        else:
            said.append((message_id, role, text))
    answered: dict[int, list[Row]] = {}
    for call in store.query_all(_SQL["conversation_calls"], calls_of(session.id)):
        if call[1] in results:
            answered.setdefault(call[0], []).append(call)
    turns: list[dict[str, Any]] = []
    for message_id, role, text in said:
        calls = answered.get(message_id)
        if calls is not None:
            turns.append(
                {
                    "role": role,
                    "content": text or None,
                    "tool_calls": [_call(call) for call in calls],
                }
            )
            for _, result_id, call_id, _, _ in calls:
                content = results[result_id]
                turns.append(
                    {"role": "tool", "tool_call_id": call_id, "content": content}
                )
        elif text:
            turns.append({"role": role, "content": text})
    return turns


def _call(row: Row) -> dict[str, Any]:
    _, _, call_id, tool, arguments = row
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": tool, "arguments": arguments},
    }

"""A conversation comes back as a provider takes it."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.sessions.conversation import load_conversation
from oldhand.sessions.live.recorder import Recorder
from oldhand.sessions.model import Message, Session, ToolCall
from oldhand.sessions.payloads import compact
from oldhand.sessions.read import find_session
from oldhand.sessions.record import SessionWriter
from oldhand.store import Store

LONG = "a line of the log\n" * 200


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def asked(content: str) -> dict[str, Any]:
    return {"role": "user", "content": content}


def called(*ids: str, content: str | None = None) -> dict[str, Any]:
    function = {"name": "read", "arguments": '{"path": "a.log"}'}
    calls = [{"id": name, "type": "function", "function": function} for name in ids]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def answered(call_id: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def loaded(store: Store, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    recorder = Recorder(store, uid="s1", source="test")
    recorder.append(messages)
    compact(store)
    return load_conversation(store, find_session(store, "s1"))


def test_what_was_recorded_comes_back_as_it_was(store: Store) -> None:
    said = [
        {"role": "system", "content": "Be short."},
        asked("What is in the log?"),
        called("c1", "c2", content="Looking."),
        answered("c1", LONG),
        answered("c2", ""),
        {"role": "assistant", "content": "Lines."},
        asked("Thanks"),
    ]

    assert loaded(store, *said) == said


def test_what_a_provider_refuses_is_left_out_and_put_right(store: Store) -> None:
    said = [
        asked("Go"),
        called("c1", "c2", "open"),
        answered("c2", "two"),
        asked("Meanwhile"),
        answered("c1", "one"),
        answered("nobody", "lost"),
        called("open too"),
    ]

    assert loaded(store, *said) == [
        asked("Go"),
        called("c1", "c2"),
        answered("c1", "one"),
        answered("c2", "two"),
        asked("Meanwhile"),
    ]


def test_what_was_rewound_or_is_no_part_of_it_is_left_out(store: Store) -> None:
    call = ToolCall("c1", "read", "{}")
    messages = [
        Message(role="user", content="Go"),
        Message(role="user", content="notes", type="meta"),
        Message(role="assistant", content="aside", type="sidechain"),
        Message(role="assistant", content="", calls=[call]),
        Message(role="tool", content="rewound", call_id="c1", active=False),
        Message(role="assistant", content="Done", type="summary"),
    ]
    with store.transaction():
        SessionWriter(store).write(Session(uid="s1", source="test", messages=messages))

    assert load_conversation(store, find_session(store, "s1")) == [
        asked("Go"),
        {"role": "assistant", "content": "Done"},
    ]

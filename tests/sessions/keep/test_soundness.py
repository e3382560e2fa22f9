"""The rules between tables: each one finds what breaks it."""

from __future__ import annotations

import pytest

from oldhand.sessions.keep.soundness import find_flaws
from oldhand.sessions.model import Message, Session, ToolCall
from oldhand.sessions.record import SessionWriter
from oldhand.store import Query, Store


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


@pytest.fixture
def sound(store: Store) -> Store:
    """Fill a store with one session of one call."""
    call = ToolCall("c1", "Bash", "{}")
    messages = [
        Message(role="assistant", calls=[call]),
        Message(role="tool", content="x", call_id="c1"),
    ]
    with store.transaction():
        SessionWriter(store).write(Session(uid="s", source="test", messages=messages))
    return store


def test_what_was_written_is_sound(sound: Store) -> None:
    assert find_flaws(sound) == []


@pytest.mark.parametrize(
    ("statement", "rules"),
    [
        ("UPDATE sessions SET message_count = 7", ["unsound_counts"]),
        ("UPDATE sessions SET tool_call_count = 0", ["unsound_counts"]),
        ("DELETE FROM sessions", ["stray_messages"]),
        (
            "DELETE FROM messages WHERE role = 'assistant'",
            ["unsound_counts", "stray_calls"],
        ),
        ("UPDATE tool_calls SET result_id = 99", ["stray_results"]),
        (
            "INSERT INTO blobs (digest, chars, body) VALUES ('d', 1, 'b')",
            ["orphan_blobs"],
        ),
    ],
)
def test_each_rule_finds_what_breaks_it(
    sound: Store, statement: str, rules: list[str]
) -> None:
    sound.execute(Query("break", statement, statement))

    flaws = find_flaws(sound)

    assert [flaw.rule for flaw in flaws] == rules
    assert all(flaw.rows > 0 for flaw in flaws)

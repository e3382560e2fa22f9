"""What an agent wrote as arguments, seen as an object."""

from __future__ import annotations

import pytest

from oldhand.experience.harmless import is_harmless
from oldhand.experience.shown import ShownCalls
from oldhand.risk import is_risky
from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.model import Message, Session, ToolCall
from oldhand.sessions.read_calls import iterate_calls
from oldhand.sessions.record import SessionWriter
from oldhand.store import Query, open_database

_KEYS = Query("keys", "SELECT id FROM tool_calls", "SELECT id FROM tool_calls")
PATCH = "*** Begin Patch\n*** Add File: a.py\n+print(1)\n*** End Patch"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ('{"path":"a"}', {"path": "a"}),
        ("{}", {}),
        ("", {}),
        ("null", {}),
        (PATCH, {"input": PATCH}),
        ('{"path":', {"input": '{"path":'}),
        ("7", {"input": 7}),
        ('["ls"]', {"input": ["ls"]}),
    ],
)
def test_arguments_are_an_object_whatever_was_written(text: str, seen: object) -> None:
    assert arguments_in(text) == seen


@pytest.mark.parametrize(
    ("tool", "text", "is_shown"),
    [
        ("apply_patch", PATCH, True),
        ("shell", "git status", True),
        ("shell", "rm -rf /srv", False),
        ("execute_sql", "DROP TABLE users", False),
        ("python", "import shutil; shutil.rmtree('/srv')", False),
    ],
)
def test_free_text_is_stored_as_said_and_shown_unless_it_is_risky(
    tool: str, text: str, is_shown: bool
) -> None:
    store = open_database(":memory:")
    made = Message(role="assistant", calls=[ToolCall("c1", tool, text)])
    answer = Message(role="tool", call_id="c1", content="Done.")
    with store.transaction():
        SessionWriter(store).write(
            Session(uid="s", source="test", messages=[made, answer])
        )

    (call,) = iterate_calls(store)
    ((key,),) = store.query_all(_KEYS)

    assert call.arguments == text
    shown = ShownCalls(store, is_used=False)
    assert is_harmless(store, key, is_risky=is_risky, shown=shown) is is_shown

"""Events in the shapes that Claude Code's versions send, and in shapes that none does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.integrations.claude_code.events import (
    CallEnded,
    CallFailed,
    SessionEnded,
    SessionStarted,
    read_event,
)

UID = "0a1b2c3d-0000-4000-8000-000000000001"
COMMON = {
    "session_id": UID,
    "transcript_path": f"/home/ada/.claude/projects/-home-ada-engine/{UID}.jsonl",
    "cwd": "/home/ada/engine",
    "permission_mode": "default",
}
BASH = {"tool_name": "Bash", "tool_input": {"command": "npm test"}}
EVENTS = ("SessionStart", "PostToolUseFailure", "PostToolUse", "SessionEnd")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "session_id",
        "transcript_path",
        "cwd",
        "source",
        "reason",
        "tool_name",
        "tool_input",
        "tool_response",
        "error",
        "is_interrupt",
        "hook_event_name",
    ]
)


def event(name: str, **fields: Any) -> Any:
    value = {**COMMON, "hook_event_name": name, **fields}
    return read_event(name, json.dumps(value).encode())


@pytest.mark.parametrize(
    ("source", "is_fresh"),
    [
        ("startup", True),
        ("clear", True),
        ("resume", False),
        ("compact", False),
        ("fork", False),
        ("something new", False),
    ],
)
def test_only_a_session_that_begins_with_nothing_is_fresh(
    source: str, is_fresh: bool
) -> None:
    started = event("SessionStart", source=source, model="m", agent_type="reviewer")

    assert isinstance(started, SessionStarted)
    assert started.is_fresh is is_fresh
    assert (started.place.session, started.place.cwd) == (UID, "/home/ada/engine")


def test_a_failed_call_is_read_as_newer_versions_send_it() -> None:
    failed = event(
        "PostToolUseFailure",
        **BASH,
        tool_use_id="toolu_01",
        error="Exit code 1\nError: Cannot find module 'express'",
        is_interrupt=False,
        duration_ms=4187,
    )

    assert isinstance(failed, CallFailed)
    assert (failed.tool, failed.arguments) == ("Bash", {"command": "npm test"})
    assert failed.error.startswith("Exit code 1\n")


def test_a_call_that_the_user_stopped_has_not_failed() -> None:
    stopped = event("PostToolUseFailure", **BASH, error="Aborted", is_interrupt=True)

    assert stopped == CallEnded(None, is_success=False)


@pytest.mark.parametrize(
    ("response", "error"),
    [
        ({"is_error": True, "stderr": "boom", "stdout": ""}, "boom"),
        ({"success": False, "error": "no such file"}, "no such file"),
        ({"stdout": "", "stderr": "npm ERR!", "exit_code": 1}, "npm ERR!"),
        ({"isError": True, "content": [{"type": "text", "text": "denied"}]}, "denied"),
        ("Error: File does not exist.", "Error: File does not exist."),
        ("<tool_use_error>Found 2 matches</tool_use_error>", "<tool_use_error>"),
    ],
)
def test_a_failure_in_a_response_is_read_by_any_of_its_flags(
    response: Any, error: str
) -> None:
    failed = event("PostToolUse", **BASH, tool_response=response)

    assert isinstance(failed, CallFailed)
    assert failed.error.startswith(error)


@pytest.mark.parametrize(
    "response",
    [
        {"stdout": "2 passed", "stderr": "", "interrupted": False, "isImage": False},
        {"filePath": "/a.py", "success": True},
        {"type": "text", "file": {"content": "is_error = True"}, "code": 0},
        {"error": ""},
        {"error": None},
        "All is well. Error: none",
        [],
        None,
    ],
)
def test_a_call_that_worked_asks_for_nothing(response: Any) -> None:
    ended = event("PostToolUse", **BASH, tool_response=response, tool_use_id="toolu_1")

    assert ended == CallEnded("toolu_1", is_success=True)


def test_the_session_is_named_as_an_import_will_name_it() -> None:
    older = event("SessionEnd", session_id="another", reason="other")
    plain = event("SessionEnd", session_id="abc123", transcript_path="/x/notes.jsonl")

    assert isinstance(older, SessionEnded)
    assert older.place.session == UID
    assert plain.place.session == "abc123"


@pytest.mark.parametrize(
    "fields",
    [
        {"session_id": "../../etc/passwd", "transcript_path": "relative.jsonl"},
        {"session_id": "a\nb", "transcript_path": "/x/\0.jsonl"},
        {"session_id": "x" * 10_000, "transcript_path": "~/x.jsonl"},
        {"session_id": 5, "transcript_path": ["/x.jsonl"]},
        {"session_id": "", "transcript_path": ""},
    ],
)
def test_what_poses_as_a_name_or_path_is_none(fields: dict[str, Any]) -> None:
    place = event("SessionEnd", **fields).place

    assert (place.session, place.transcript) == (None, None)


@pytest.mark.parametrize("cwd", ["", "here", "/a\0b", 7, None, ["/"]])
def test_a_directory_that_is_none_counts_as_unnamed(cwd: Any) -> None:
    assert event("SessionStart", cwd=cwd).place.cwd is None


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("SessionStart", b"", "no JSON"),
        ("SessionStart", b"{", "no JSON"),
        ("SessionStart", b"\xff\xfe{}", "no JSON"),
        ("SessionStart", b"[" * 200_000, "no JSON"),
        ("SessionStart", b"9" * 10_000, "no JSON"),
        ("SessionStart", b"[]", "expected an object"),
        ("SessionStart", b'{"hook_event_name": "Stop"}', "another event"),
        ("Stop", b"{}", "no event is called 'Stop'"),
        ("PostToolUseFailure", b'{"tool_input": {}}', "tool_name"),
        (
            "PostToolUseFailure",
            b'{"tool_name": "Bash", "tool_input": []}',
            "tool_input",
        ),
    ],
)
def test_what_is_no_event_is_told_without_its_content(
    name: str, data: bytes, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        read_event(name, data)


@settings(deadline=None)
@given(st.sampled_from(EVENTS), st.dictionaries(KEYS, JSON) | JSON)
def test_any_json_is_an_event_or_a_value_error(name: str, value: Any) -> None:
    try:
        read_event(name, json.dumps(value).encode())
    except ValueError as fault:
        assert len(str(fault)) < 200  # noqa: PT017 - both ways are right

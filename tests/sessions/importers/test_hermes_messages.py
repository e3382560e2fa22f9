"""Rows of Hermes become messages: what was said, by whom, and each thing once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oldhand.sessions.model import NO_EVIDENCE, Evidence, Message

from .hermes_fixture import HermesDatabase, read_home

_OK = '{"output": "", "exit_code": 0, "error": null}'


@pytest.fixture
def database(tmp_path: Path) -> HermesDatabase:
    """Return a database of the newest version with one empty session."""
    made = HermesDatabase(tmp_path / "state.db", 30)
    made.session()
    return made


def _messages(database: HermesDatabase, uid: str = "s1") -> list[Message]:
    sessions, _ = read_home(database.path)
    return next(session.messages for session in sessions if session.uid == uid)


def _said(database: HermesDatabase, uid: str = "s1") -> list[str]:
    return [message.content for message in _messages(database, uid)]


_SKILL = '[IMPORTANT: The user has invoked the "x" skill, follow it.]\n\ngo'
_REVIEW = "Review the conversation above and update the skill library. Be brief."


@pytest.mark.parametrize(
    ("role", "content", "columns", "message_type"),
    [
        ("user", "hello", {}, "turn"),
        ("user", _SKILL, {}, "turn"),
        ("user", "[note] to self", {}, "turn"),
        ("user", "[System note: back after a break]\n\nhello", {}, "turn"),
        ("user", "[System note: the session had expired]", {}, "injected"),
        ("user", "[IMPORTANT: Background process 7 ended]\nlog", {}, "injected"),
        ("user", "shown to the model", {"display_kind": "hidden"}, "injected"),
        ("system", "be nice", {}, "injected"),
        ("user", "[CONTEXT COMPACTION — REFERENCE ONLY] so far", {}, "summary"),
        ("assistant", "[CONTEXT SUMMARY]: so far", {}, "summary"),
        ("user", "so far", {"_compressed_summary": 1}, "summary"),
        ("user", "so far", {"_compressed_summary": 0}, "turn"),
        ("user", _REVIEW, {}, "meta"),
        ("system", "Review the conversation above and consider saving it", {}, "meta"),
        ("user", "Review the conversation above and tell me", {}, "turn"),
    ],
)
def test_what_was_said_is_told_from_what_the_program_put_there(
    database: HermesDatabase,
    role: str,
    content: str,
    columns: dict[str, Any],
    message_type: str,
) -> None:
    database.say(role, content, **columns)

    (message,) = _messages(database)

    assert message.type == message_type


def test_a_review_is_bookkeeping_up_to_the_next_thing_the_user_says(
    database: HermesDatabase,
) -> None:
    database.say("user", "build it")
    database.say("assistant", "built")
    database.say("user", _REVIEW)
    database.call("skill_manage", {"action": "create"}, _OK, call_id="a")
    database.say("assistant", "nothing to save")
    database.say("user", "thanks")
    database.say("assistant", "welcome")

    types = [message.type for message in _messages(database)]

    assert types == ["turn", "turn", *["meta"] * 4, "turn", "turn"]


@pytest.mark.parametrize(
    ("stored", "content"),
    [
        (None, ""),
        ("plain", "plain"),
        ('\0json:["a", {"type": "text", "text": "b"}]', "a\nb"),
        ('\0json:[{"type": "image_url", "image_url": {"url": "data:x"}}]', "[image]"),
        ('\0json:{"k": 1}', '{"k":1}'),
        ("\0json:[broken", "\ufffdjson:[broken"),
        ('\0json:"half \\ud800 a pair"', "half \ufffd a pair"),
    ],
)
def test_content_is_text_whatever_shape_it_is_stored_in(
    database: HermesDatabase, stored: str | None, content: str
) -> None:
    database.say("user", stored)

    assert _said(database) == [content]


@pytest.mark.parametrize(
    ("stored", "call"),
    [
        (
            '[{"id": "a", "type": "function",'
            ' "function": {"name": "t", "arguments": "{}"}}]',
            ("a", "t", "{}"),
        ),
        ('[{"call_id": "a", "function": {"name": "t"}}]', ("a", "t", "")),
        ('[{"name": "t", "arguments": "{}"}]', ("0-0", "t", "{}")),
        ('[{"name": "t", "arguments": {"k": 1}}]', ("0-0", "t", '{"k":1}')),
        ('[1, {"id": "a", "function": null}]', ("a", "unknown", "")),
    ],
)
def test_both_shapes_of_calls_are_read_with_their_raw_arguments(
    database: HermesDatabase, stored: str, call: tuple[str, str, str]
) -> None:
    database.say("assistant", "", tool_calls=stored)

    ((made,),) = (message.calls for message in _messages(database))

    assert (made.call_id, made.tool, made.arguments) == call


def test_broken_calls_are_reported_and_the_text_is_kept(
    database: HermesDatabase,
) -> None:
    database.say("assistant", "I will", tool_calls='[{"id": "a"')

    (session,), tally = read_home(database.path)

    assert [message.content for message in session.messages] == ["I will"]
    assert [place.reason for place in tally.malformed] == [
        "tool_calls is not a JSON list"
    ]


def test_a_role_that_is_not_known_is_counted(database: HermesDatabase) -> None:
    database.say("user", "hi")
    database.say("narrator", "later")

    (session,), tally = read_home(database.path)

    assert len(session.messages) == 1
    assert tally.unknown_types == {"role narrator": 1}


def test_several_calls_of_one_row_get_their_own_results(
    database: HermesDatabase,
) -> None:
    calls = [
        {"id": name, "function": {"name": tool, "arguments": "{}"}}
        for name, tool in [("a", "process"), ("b", "terminal")]
    ]
    database.say("assistant", "", tool_calls=json.dumps(calls))
    for name in ("b", "a"):
        database.say("tool", '{"exit_code": 3}', tool_call_id=name)

    results = _messages(database)[1:]

    assert [result.call_id for result in results] == ["b", "a"]
    assert results[0].evidence.exit_code == 3
    assert results[1].evidence.exit_code is None  # of the process it was asked about


@pytest.mark.parametrize(
    ("content", "columns", "evidence"),
    [
        ("No results.", {"finish_reason": "error"}, Evidence(is_error=True)),
        ("Some text.", {"finish_reason": "stop"}, NO_EVIDENCE),
        (_OK, {"finish_reason": "error"}, Evidence(is_error=False, exit_code=0)),
        ('{"error": "no"}', {"effect_disposition": "none"}, Evidence(refused=True)),
        ('{"error": "no"}', {"effect_disposition": "unknown"}, Evidence(is_error=True)),
        (
            "Tool 't' does not exist.",
            {"effect_disposition": "none"},
            Evidence(is_error=True),
        ),
    ],
)
def test_columns_beside_a_result_add_what_its_text_does_not_say(
    database: HermesDatabase, content: str, columns: dict[str, Any], evidence: Evidence
) -> None:
    database.call("t", {}, content, call_id="a", **columns)

    assert _messages(database)[1].evidence == evidence


def test_a_result_whose_call_is_gone_is_kept_without_one(
    database: HermesDatabase,
) -> None:
    database.say("tool", _OK, tool_call_id="gone", tool_name="terminal")

    (message,) = _messages(database)

    assert (message.call_id, message.evidence.exit_code) == (None, 0)


def test_a_history_that_was_deleted_and_written_again_keeps_its_native_ids(
    database: HermesDatabase,
) -> None:
    database.say("user", "again")
    database.call("terminal", {}, _OK, call_id="a")
    database.say("user", "again")
    before = [message.native_id for message in _messages(database)]

    database.run("UPDATE messages SET id = id + 1000")

    assert [message.native_id for message in _messages(database)] == before
    assert len(set(before)) == 4


def test_equal_messages_of_two_sessions_have_different_native_ids(
    database: HermesDatabase,
) -> None:
    database.session("s2")
    for session in ("s1", "s2"):
        database.say("user", "hi", session)

    (one,), (two,) = _messages(database, "s1"), _messages(database, "s2")

    assert one.native_id != two.native_id

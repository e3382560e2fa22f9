"""Conversations in OpenAI's shape as sessions: each way to write one has its test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oldhand.clock import from_iso
from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.openai_chat import SOURCE
from oldhand.sessions.importers.source import ReadContext
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.model import Evidence, Message, Session, ToolCall

SAMPLE = (
    Path(__file__).resolve().parents[4]
    / "shared/data/format_samples/openai_chat/taubench_gpt4o_airline_12.jsonl"
)
Json = dict[str, Any]
USER: Json = {"role": "user", "content": "Hello"}


class Reader:
    """Writes values to a file and reads the sessions in it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.tally = Tally()

    def lines(self, *values: Any, name: str = "chat.jsonl") -> list[Session]:
        """Read JSON lines."""
        path = self.directory / name
        path.write_text("".join(json.dumps(value) + "\n" for value in values))
        return list(SOURCE.read(path, ReadContext(tally=self.tally)))

    def document(self, value: Any) -> list[Session]:
        """Read a file that holds one value over several lines."""
        path = self.directory / "chat.json"
        path.write_text(json.dumps(value, indent=1))
        return list(SOURCE.read(path, ReadContext(tally=self.tally)))

    def messages(self, *entries: Any) -> list[Message]:
        """Read the messages of one conversation."""
        (session,) = self.lines({"messages": list(entries)})
        return session.messages


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    return Reader(tmp_path)


def call(call_id: str, name: str = "look", arguments: Any = "{}") -> Json:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def makes(*calls: Json) -> Json:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def answers(call_id: str, content: Any = "found", **more: Any) -> Json:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def test_each_line_with_messages_is_a_session(read: Reader) -> None:
    sessions = read.lines(
        {"id": "a", "messages": [USER]}, {"id": "b", "messages": [USER]}
    )

    assert [(s.uid, s.source) for s in sessions] == [("a", "openai"), ("b", "openai")]


@pytest.mark.parametrize(
    ("role", "ours"),
    [
        ("system", "system"),
        ("developer", "system"),
        ("user", "user"),
        ("assistant", "assistant"),
    ],
)
def test_roles_are_ours(read: Reader, role: str, ours: str) -> None:
    (message,) = read.messages({"role": role, "content": "x"})

    assert (message.role, message.type, message.content) == (ours, "turn", "x")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("x", "x"),
        (None, ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "image_url", "image_url": {"url": "data:"}}], "[image]"),
        ({"status": 200}, '{"status":200}'),
    ],
)
def test_content_becomes_text(read: Reader, content: Any, text: str) -> None:
    (message,) = read.messages({"role": "user", "content": content})

    assert message.content == text


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ({"a": 1}, '{"a":1}'),
        (None, "{}"),
        ("not JSON", "not JSON"),
    ],
)
def test_arguments_are_kept_as_they_were_written(
    read: Reader, written: Any, arguments: str
) -> None:
    (message,) = read.messages(makes(call("c", arguments=written)))

    assert message.calls == [ToolCall("c", "look", arguments)]


@pytest.mark.parametrize(
    "written",
    [
        {"tool_calls": [{"id": "c", "name": "look", "arguments": "{}"}]},
        {"tool_calls": json.dumps([call("c")])},
        {"tool_calls": [{"id": "c", "custom": {"name": "look", "input": "{}"}}]},
    ],
)
def test_calls_are_read_in_other_shapes_too(read: Reader, written: Json) -> None:
    (message,) = read.messages({"role": "assistant", "content": "", **written})

    assert message.calls == [ToolCall("c", "look", "{}")]


def test_a_legacy_function_call_is_answered_by_name(read: Reader) -> None:
    made, answer = read.messages(
        {"role": "assistant", "function_call": {"name": "look", "arguments": "{}"}},
        {"role": "function", "name": "look", "content": "found"},
    )

    assert made.calls == [ToolCall("#1.1", "look", "{}")]
    assert (answer.role, answer.call_id, answer.content) == ("tool", "#1.1", "found")


def test_parallel_calls_are_answered_by_id(read: Reader) -> None:
    messages = read.messages(
        makes(call("a"), call("b")), answers("b", "second"), answers("a", "first")
    )

    assert [(m.call_id, m.content) for m in messages[1:]] == [
        ("b", "second"),
        ("a", "first"),
    ]


def test_ids_that_begin_anew_in_each_turn_are_made_unique(read: Reader) -> None:
    messages = read.messages(
        makes(call("0")), answers("0", "one"), makes(call("0")), answers("0", "two")
    )

    assert [made.call_id for m in messages for made in m.calls] == ["0", "0~2"]
    assert [m.call_id for m in messages if m.role == "tool"] == ["0", "0~2"]


def test_one_result_may_answer_several_calls(read: Reader) -> None:
    entry = {"role": "tool", "tool_call_ids": ["a", "b"], "content": "both"}

    messages = read.messages(makes(call("a"), call("b")), entry)

    found = [(m.native_id, m.call_id, m.content) for m in messages[1:]]
    assert found == [("#2", "a", "both"), ("#2/1", "b", "both")]


def test_a_result_without_a_call_is_counted(read: Reader) -> None:
    messages = read.messages(USER, answers("nobody"))

    assert len(messages) == 1
    assert read.tally.orphans == 1


@pytest.mark.parametrize(
    ("said", "evidence"),
    [
        ({}, Evidence()),
        ({"is_error": True}, Evidence(is_error=True)),
        ({"is_error": False, "status": "error"}, Evidence(is_error=False)),
        ({"status": "Error"}, Evidence(is_error=True)),
        ({"status": "success"}, Evidence(is_error=False)),
        ({"status": "denied"}, Evidence(refused=True)),
        ({"status": "cancelled"}, Evidence(cancelled=True)),
        ({"exit_code": 2}, Evidence(exit_code=2)),
        ({"status": ["error"], "is_error": "yes"}, Evidence()),
    ],
)
def test_what_a_result_says_of_itself_is_evidence(
    read: Reader, said: Json, evidence: Evidence
) -> None:
    messages = read.messages(makes(call("c")), answers("c", **said))

    assert messages[1].evidence == evidence


@pytest.mark.parametrize("place", ["top", "metadata"])
def test_facts_stand_at_the_top_or_under_metadata(read: Reader, place: str) -> None:
    facts = {
        "session_id": "s1",
        "model": "m",
        "cwd": "/repo/src",
        "project": "/repo",
        "principal": "ada",
        "title": "Greeting",
        "agent": "loop 2",
        "created_at": "2026-01-01T00:00:00Z",
    }
    messages = [USER, {"role": "assistant", "content": "Hi"}]
    line = facts if place == "top" else {"metadata": facts, "model": None}

    (session,) = read.lines({"messages": messages, "reward": 1, **line})

    assert (session.uid, session.model, session.agent) == ("s1", "m", "loop 2")
    assert (session.cwd, session.project) == ("/repo/src", "/repo")
    assert (session.principal, session.title) == ("ada", "Greeting")
    assert session.started_at_us == from_iso("2026-01-01")
    assert session.messages[1].model == "m"


@pytest.mark.parametrize("at", ["2026-01-01T00:00:00Z", 1_767_225_600, 1_767_225_600.0])
def test_times_are_iso_or_seconds(read: Reader, at: Any) -> None:
    (message,) = read.messages({**USER, "timestamp": at})

    assert message.at_us == from_iso("2026-01-01")


def test_a_number_is_no_id_of_its_own(read: Reader) -> None:
    (session,) = read.lines({"id": 7, "messages": [USER]})

    assert session.uid == "openai-7"


def test_the_same_line_is_the_same_session_in_any_file(read: Reader) -> None:
    line = {"messages": [{"role": "system", "content": "Be brief."}, USER]}

    (first,) = read.lines(line, name="one.jsonl")
    (second,) = read.lines(line, name="two.jsonl")

    assert first.uid == second.uid
    assert first.uid.startswith("openai-")
    assert len(first.uid) == len("openai-") + 16


def test_a_longer_version_is_the_same_session_grown(read: Reader) -> None:
    (short,) = read.lines({"messages": [USER]})
    (long,) = read.lines({"messages": [USER, {"role": "assistant", "content": "Hi"}]})

    assert long.uid == short.uid
    assert long.messages[:1] == short.messages


def test_conversations_that_begin_alike_are_told_apart_by_order(read: Reader) -> None:
    first, second = read.lines({"messages": [USER]}, {"messages": [USER, USER]})

    assert second.uid == f"{first.uid}-2"


def test_lines_with_one_id_are_one_session_as_long_as_they_begin_alike(
    read: Reader,
) -> None:
    other = {"role": "user", "content": "Goodbye"}

    sessions = read.lines(
        {"id": "a", "messages": [USER]},
        {"id": "a", "messages": [USER, other]},
        {"id": "a", "messages": [other]},
    )

    assert [session.uid for session in sessions] == ["a", "a", "a-2"]


def test_conversations_that_begin_differently_are_different_sessions(
    read: Reader,
) -> None:
    other = {"role": "user", "content": "Goodbye"}

    first, second = read.lines({"messages": [USER]}, {"messages": [other]})

    assert first.uid.rpartition("-")[0] == second.uid.rpartition("-")[0] == "openai"
    assert first.uid != second.uid


def test_messages_on_lines_of_their_own_make_one_session(read: Reader) -> None:
    (session,) = read.lines(USER, makes(call("c")), answers("c"), name="run-7.jsonl")

    assert session.uid.startswith("run-7-")
    assert [m.native_id for m in session.messages] == ["#1", "#2", "#3"]


def test_files_of_one_name_with_other_messages_are_other_sessions(
    read: Reader, tmp_path: Path
) -> None:
    (tmp_path / "b").mkdir()

    (first,) = read.lines(USER, name="messages.jsonl")
    (second,) = read.lines({**USER, "content": "Bye"}, name="b/messages.jsonl")

    assert first.uid != second.uid


@pytest.mark.parametrize(
    ("document", "count"),
    [
        ({"messages": [USER]}, 1),
        ([{"messages": [USER]}, {"messages": [USER]}], 2),
        ([USER, {"role": "assistant", "content": "Hi"}], 1),
    ],
)
def test_a_json_file_holds_one_or_many_or_bare_messages(
    read: Reader, document: Any, count: int
) -> None:
    assert len(read.document(document)) == count


def test_a_json_file_may_hold_json_lines(read: Reader) -> None:
    sessions = read.lines({"messages": [USER]}, {"messages": [USER]}, name="chat.json")

    assert len(sessions) == 2


def test_lines_of_other_kinds_are_counted(read: Reader) -> None:
    sessions = read.lines({"x": 1}, {"messages": [USER, 7]}, [USER], {"role": "ghost"})

    assert len(sessions) == 1
    assert [found.line for found in read.tally.malformed] == [1, 2, 3, 4]


def test_an_unknown_role_is_counted_and_left_out(read: Reader) -> None:
    messages = read.messages(USER, {"role": "critic", "content": "Hm."})

    assert len(messages) == 1
    assert read.tally.unknown_types == {"role critic": 1}


def test_a_conversation_without_a_message_is_no_session(read: Reader) -> None:
    assert read.lines({"messages": []}) == []
    assert read.tally.empty == 1


@pytest.mark.parametrize("values", [({"a": 1},), ([1],), ("text", 7)])
def test_a_file_of_something_else_is_refused_by_name(
    read: Reader, values: tuple[Any, ...]
) -> None:
    with pytest.raises(UnreadableSource, match=r'chat\.jsonl: .*expected .*"messages"'):
        read.lines(*values)


@pytest.mark.parametrize(
    "value",
    [
        {"role": "user", "message": {"content": "Hi"}},
        {"id": "m1", "sessionID": "s", "role": "assistant", "tokens": {}},
        {"messages": [{"type": "user", "content": "Hi"}]},
        {"messages": [{"role": "user", "parts": [{"text": "Hi"}]}]},
    ],
)
def test_objects_of_other_agents_are_refused_and_make_no_empty_session(
    read: Reader, value: Json
) -> None:
    with pytest.raises(UnreadableSource, match="holds no conversation"):
        read.lines(value)
    with pytest.raises(UnreadableSource, match="holds no conversation"):
        read.document(value)


def test_a_json_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"messages": [USER]}, indent=1), encoding="utf-8-sig")

    (session,) = SOURCE.read(path, ReadContext(tally=Tally()))

    assert [message.content for message in session.messages] == ["Hello"]


def test_a_json_file_may_hold_what_only_python_writes(read: Reader) -> None:
    (session,) = read.document(
        {"score": float("nan"), "messages": [{"role": "user", "content": "a\ud800\0"}]}
    )

    assert session.messages[0].content == "a\ufffd\ufffd"


def test_a_file_that_is_still_empty_holds_nothing(read: Reader) -> None:
    assert read.lines() == []


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    missing = tmp_path / "chat.json"

    with pytest.raises(UnreadableSource, match=r"chat\.json: No such file"):
        list(SOURCE.read(missing, ReadContext(tally=Tally())))


def test_sessions_are_found_by_path_alone(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.json", "notes.txt", "c.json.bak"):
        (tmp_path / name).touch()

    assert SOURCE.homes({}, tmp_path) == []
    assert [path.name for path in SOURCE.find(tmp_path)] == ["a.json", "b.jsonl"]
    assert list(SOURCE.find(tmp_path / "notes.txt")) == [tmp_path / "notes.txt"]


def test_real_runs_are_read_with_a_result_for_every_call() -> None:
    if not SAMPLE.exists():
        pytest.skip("no real sessions beside the checkout: ../shared/data")
    tally = Tally()

    sessions = list(SOURCE.read(SAMPLE, ReadContext(tally=tally)))

    messages = [m for session in sessions for m in session.messages]
    calls = [made.call_id for m in messages for made in m.calls]
    assert len({session.uid for session in sessions}) == 12
    assert sorted(calls) == sorted(
        m.call_id or "" for m in messages if m.role == "tool"
    )
    assert (tally.orphans, tally.malformed) == (0, [])

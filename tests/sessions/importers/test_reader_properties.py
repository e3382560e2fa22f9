"""What holds for every file, however broken: readers count, stay unique and only grow."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers import codex, openai_chat
from oldhand.sessions.importers.source import ReadContext, Source
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.model import Session

Json = dict[str, Any]
OWN_TURN = "019b76da-b000-7000-8000-000000000000"
OLD_TURN = "019b76da-0000-7000-8000-000000000000"


def record(record_type: str, **payload: Any) -> Json:
    stamp = "2026-01-01T00:00:00.000Z"
    return {"timestamp": stamp, "type": record_type, "payload": payload}


CODEX_RECORDS = [
    record("session_meta", id="019b76da-a800-7000-8000-000000000001", cwd="/repo"),
    record("session_meta", id="parent", forked_from_id="other"),
    record("turn_context", model="m", turn_id=OLD_TURN),
    record("turn_context", model="m", turn_id=OWN_TURN),
    record("compacted", message="So far"),
    *(
        record("response_item", **payload)
        for payload in (
            {"type": "message", "role": "user", "content": [{"text": "Hi"}]},
            {"type": "message", "role": "assistant", "id": "m", "content": "Hello"},
            {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "c"},
            {"type": "function_call_output", "call_id": "c", "output": "Exit code: 0"},
            {"type": "custom_tool_call", "name": "f", "input": "x", "call_id": "d"},
            {
                "type": "custom_tool_call_output",
                "call_id": "d",
                "output": [{"text": "x"}],
            },
            {"type": "local_shell_call", "id": "e", "action": {"command": ["ls"]}},
            {"type": "web_search_call", "id": "w", "status": "completed", "action": {}},
            {"type": "tool_call", "function": {"name": "g"}, "arguments": {"a": 1}},
            {
                "type": "tool_result",
                "name": "g",
                "result": {"stdout": "", "exitCode": 0},
            },
            {"type": "tool_search_output", "call_id": "c", "tools": [{"type": "t"}]},
        )
    ),
    *(
        record("event_msg", **payload)
        for payload in (
            {
                "type": "exec_command_end",
                "call_id": "c",
                "exit_code": 1,
                "duration": {},
            },
            {"type": "mcp_tool_call_end", "call_id": "c", "result": {"Ok": {}}},
            {"type": "item_completed", "item": {"type": "FileChange", "id": "d"}},
            {"type": "token_count", "info": {"total_token_usage": {"input_tokens": 1}}},
            {"type": "thread_rolled_back", "num_turns": 1},
            {"type": "turn_aborted"},
        )
    ),
    {"type": "message", "role": "user", "content": "bare"},
]

OPENAI_RECORDS = [
    {"role": "user", "content": [{"type": "text", "text": "Hi"}], "timestamp": 1.5},
    {"role": "assistant", "function_call": {"name": "f", "arguments": {}}},
    {"role": "function", "name": "f", "content": "x"},
    {
        "role": "assistant",
        "tool_calls": [{"id": "c", "function": {"name": "g", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c", "content": None, "status": "error"},
    {"role": "tool", "tool_call_ids": ["c", "d"], "content": "x", "exit_code": 1},
    {
        "id": "s",
        "created": 1_767_225_600,
        "metadata": {"model": "m", "cwd": "/repo"},
        "messages": [{"role": "system", "content": "x"}, {"role": "user"}],
    },
]

ODD_VALUES: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1e308,
    float("nan"),
    "",
    "\ud800",
    "a\0b",
    "c",
    [],
    {},
    [None],
    {"type": []},
    [[[[{"text": {"text": 1}}]]]],
    {"type": {"a": {}}},
]

SOURCES = pytest.mark.parametrize(
    ("source", "records"),
    [(codex.SOURCE, CODEX_RECORDS), (openai_chat.SOURCE, OPENAI_RECORDS)],
    ids=["codex", "openai"],
)


@st.composite
def files(draw: st.DrawFn, records: list[Json]) -> list[Json]:
    """Draw valid records in any order, with values changed and keys dropped."""
    drawn = draw(st.lists(st.sampled_from(records), min_size=1, max_size=12))
    changed = [copy.deepcopy(line) for line in drawn]
    for line in changed:
        for _ in range(draw(st.integers(0, 2))):
            _spoil(draw, line)
    return changed


def _spoil(draw: st.DrawFn, value: Any) -> None:
    while isinstance(value, (dict, list)) and value:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = draw(st.sampled_from(keys))
        if not isinstance(value[key], (dict, list)) or draw(st.booleans()):
            if draw(st.booleans()):
                del value[key]
            else:
                value[key] = copy.deepcopy(draw(st.sampled_from(ODD_VALUES)))
            return
        value = value[key]


def read_bytes(
    source: Source, content: bytes, tally: Tally | None = None
) -> list[Session]:
    """Read a file of these bytes; nothing where it is not of the format."""
    with TemporaryDirectory() as directory:
        path = Path(directory) / "rollout-file.jsonl"
        path.write_bytes(content)
        try:
            return list(source.read(path, ReadContext(tally=tally or Tally())))
        except UnreadableSource:
            return []


def as_bytes(records: list[Json]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in records).encode()


def native_ids(session: Session) -> list[str | None]:
    return [message.native_id for message in session.messages]


def by_uid(sessions: list[Session]) -> dict[tuple[str, int], Session]:
    """Key sessions by uid and, where a file holds several states of one, their order."""
    uids = [session.uid for session in sessions]
    return {
        (session.uid, uids[:place].count(session.uid)): session
        for place, session in enumerate(sessions)
    }


def for_any_file(
    source: Source, records: list[Json], check: Callable[[list[Json]], None]
) -> None:
    settings(max_examples=60, deadline=None)(given(files(records))(check))()


@SOURCES
def test_ids_are_unique_and_results_answer_calls(
    source: Source, records: list[Json]
) -> None:
    def check(drawn: list[Json]) -> None:
        for session in read_bytes(source, as_bytes(drawn)):
            calls = [made.call_id for m in session.messages for made in m.calls]
            results = [m.call_id for m in session.messages if m.role == "tool"]

            assert len(set(calls)) == len(calls)
            assert len(set(results)) == len(results)
            assert set(results) <= set(calls)
            assert len(set(native_ids(session))) == len(session.messages)
            assert session.uid

    for_any_file(source, records, check)


@SOURCES
def test_a_grown_file_gives_the_same_messages_first(
    source: Source, records: list[Json]
) -> None:
    def check(drawn: list[Json]) -> None:
        grown = by_uid(read_bytes(source, as_bytes(drawn)))
        for end in range(1, len(drawn)):
            for key, session in by_uid(
                read_bytes(source, as_bytes(drawn[:end]))
            ).items():
                if any(m.role == "user" for m in session.messages):
                    before, after = native_ids(session), native_ids(grown[key])

                    assert after[: len(before)] == before

    for_any_file(source, records, check)


@SOURCES
def test_reading_twice_gives_the_same(source: Source, records: list[Json]) -> None:
    def check(drawn: list[Json]) -> None:
        content = as_bytes(drawn)

        assert read_bytes(source, content) == read_bytes(source, content)

    for_any_file(source, records, check)


@SOURCES
@settings(max_examples=60, deadline=None)
@given(cut=st.integers(0, 400), junk=st.binary(max_size=8))
def test_a_file_cut_anywhere_is_read(
    source: Source, records: list[Json], cut: int, junk: bytes
) -> None:
    content = as_bytes(records)
    place = len(content) * cut // 400
    tally = Tally()

    read_bytes(source, content[:place] + junk + content[place:], tally)
    sessions = read_bytes(source, content[:place], tally)

    assert len(sessions) <= len(records)


@SOURCES
def test_an_entry_nested_very_deep_is_read(source: Source, records: list[Json]) -> None:
    deep = "[" * 900 + "]" * 900
    line = '{"type":"message","role":"user","content":%s}\n' % deep  # noqa: UP031

    sessions = read_bytes(source, as_bytes(records) + line.encode())

    assert sessions[-1].messages[-1].content == deep

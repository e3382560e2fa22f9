"""A session that Hermes wrote as JSON is read, unless the database holds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.tally import Tally

from .hermes_fixture import HermesDatabase, read_home

_DATA = Path(__file__).resolve().parents[3] / ".." / "shared" / "data"
_CALL = {"id": "a", "function": {"name": "terminal", "arguments": '{"command": "ls"}'}}
_MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": "look"},
    {"role": "assistant", "content": "", "tool_calls": [_CALL]},
    {"role": "tool", "content": '{"exit_code": 0}', "tool_call_id": "a"},
    {"role": "assistant", "content": [{"type": "text", "text": "a file"}]},
    {"role": "session_meta"},
]


def _write(home: Path, session_id: str, **document: Any) -> Path:
    path = home / "sessions" / f"session_{session_id}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = {"session_id": session_id, "messages": _MESSAGES, **document}
    path.write_text(json.dumps(whole))
    return path


def test_a_snapshot_is_a_session_with_its_calls(tmp_path: Path) -> None:
    _write(
        tmp_path,
        "s1",
        model="m",
        platform="cli",
        session_start="2026-04-29T20:00:00Z",
        model_config={"cwd": "/srv/app"},
    )

    (session,), tally = read_home(tmp_path)

    assert (session.uid, session.model, session.cwd) == ("s1", "m", "/srv/app")
    assert session.started_at_us == 1_777_492_800_000_000
    assert [m.role for m in session.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert session.messages[1].calls[0].arguments == '{"command": "ls"}'
    assert session.messages[2].evidence.exit_code == 0
    assert session.messages[3].content == "a file"
    assert tally == Tally()


def test_results_without_ids_answer_calls_without_ids_in_order(tmp_path: Path) -> None:
    calls = [{"name": "read_file", "arguments": "{}"}, {"name": "patch"}]
    messages = [
        {"role": "assistant", "tool_calls": calls},
        {"role": "tool", "content": "one"},
        {"role": "tool", "content": "two", "tool_name": "patch"},
    ]
    _write(tmp_path, "s1", messages=messages)

    (session,), _ = read_home(tmp_path)

    answered = [message.call_id for message in session.messages[1:]]
    assert answered == [call.call_id for call in session.messages[0].calls]


def test_databases_are_found_before_snapshots_and_what_they_hold_is_left_out(
    tmp_path: Path,
) -> None:
    for place in (tmp_path, tmp_path / "profiles" / "work"):
        _write(place, "both")
        _write(place, "old")
        database = HermesDatabase(place / "state.db")
        database.say("user", "look", database.session("both"))

    sessions, tally = read_home(tmp_path)

    uids = [session.uid for session in sessions]
    assert uids == ["both", "work/both", "old", "work/old"]
    assert tally.duplicates == 2


def test_a_snapshot_beside_a_row_without_messages_is_read(tmp_path: Path) -> None:
    _write(tmp_path, "s1")
    HermesDatabase(tmp_path / "state.db").session("s1")

    (session,), tally = read_home(tmp_path)

    assert len(session.messages) == 4
    assert tally.empty == 1


def test_a_snapshot_beside_a_broken_database_is_read(tmp_path: Path) -> None:
    path = _write(tmp_path, "s1")
    (tmp_path / "state.db").write_text("broken " * 500)

    sessions, _ = read_home(path)

    assert [session.uid for session in sessions] == ["s1"]


def test_a_snapshot_and_the_database_give_the_same_native_ids(tmp_path: Path) -> None:
    database = HermesDatabase(tmp_path / "a" / "state.db")
    database.session()
    database.say("user", "look")
    database.call("terminal", {"command": "ls"}, '{"exit_code": 0}', call_id="a")
    database.say("assistant", "a file")
    _write(tmp_path / "b", "s1")

    (stored,), _ = read_home(tmp_path / "a")
    (written,), _ = read_home(tmp_path / "b")

    ids = [[each.native_id for each in one.messages] for one in (stored, written)]
    assert ids[0] == ids[1]


def test_a_known_snapshot_is_passed_over_and_an_empty_one_counted(
    tmp_path: Path,
) -> None:
    _write(tmp_path, "s1")
    _write(tmp_path, "s2", messages=[])

    sessions, tally = read_home(tmp_path, is_current=lambda uid, _: uid == "s1")

    assert sessions == []
    assert (tally.skipped, tally.empty) == (1, 1)


@pytest.mark.parametrize(
    "content",
    ["", "no JSON", "[]", "{}", '{"messages": 3}', '{"messages": [}', "[" * 100_000],
)
def test_a_file_that_is_no_snapshot_is_unreadable(tmp_path: Path, content: str) -> None:
    path = tmp_path / "session_x.json"
    path.write_text(content)

    with pytest.raises(UnreadableSource, match="no session of Hermes"):
        read_home(path)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
_KEYS = st.sampled_from(
    [
        *("role", "content", "tool_calls", "tool_call_id", "tool_name", "timestamp"),
        *("_compressed_summary", "display_kind", "finish_reason", "active"),
    ]
)
_ROLES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system"])}
)


@settings(max_examples=50, deadline=None)
@given(
    document=st.dictionaries(
        st.sampled_from(
            ["session_id", "model", "session_start", "cwd", "model_config"]
        ),
        _JSON,
    ),
    messages=st.lists(
        st.tuples(st.dictionaries(_KEYS, _JSON), _ROLES | st.just({})), max_size=4
    ),
)
def test_a_snapshot_with_values_of_any_type_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    document: dict[str, Any],
    messages: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    path = tmp_path_factory.mktemp("odd") / "session_x.json"
    rows = [row | role for row, role in messages]
    path.write_text(json.dumps({**document, "messages": rows}))

    try:
        sessions, _ = read_home(path)
    except UnreadableSource:
        sessions = []

    texts = [session.uid for session in sessions]
    texts += [message.content for each in sessions for message in each.messages]
    assert all(text.encode() is not None for text in texts)


def test_entries_without_a_role_are_another_agents(tmp_path: Path) -> None:
    path = tmp_path / "session_x.json"
    path.write_text(json.dumps({"messages": [{"type": "user", "content": "Hi"}]}))

    with pytest.raises(UnreadableSource, match="each with a role"):
        read_home(path)


def test_the_samples_of_snapshots_are_read() -> None:
    samples = sorted((_DATA / "format_samples" / "hermes").glob("*.json"))
    if not samples:
        pytest.skip("no real sessions beside the checkout: ../shared/data")

    read = [read_home(path)[0][0] for path in samples]

    folders = [Path(session.cwd or "").name for session in read]
    assert folders == ["Codex-History", "hermes-drift", "hermes-small"]
    assert [len(session.messages) for session in read] == [4, 3, 2]
    assert read[1].messages[2].evidence.is_error is True

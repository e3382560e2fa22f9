"""Codex's rollouts as sessions: each quirk of the format has its test."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand.clock import from_iso
from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.codex import SOURCE
from oldhand.sessions.importers.source import ReadContext
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.model import Session, Usage

from .codex_fixture import (
    SESSION_ID,
    Rollout,
    event,
    item,
    meta,
    record,
    said,
)

SAMPLES = (
    Path(__file__).resolve().parents[4] / "shared" / "data" / "format_samples" / "codex"
)


@pytest.fixture
def read(tmp_path: Path) -> Rollout:
    return Rollout(tmp_path)


def shape(session: Session) -> list[tuple[str, str, str]]:
    return [(m.role, m.type, m.content) for m in session.messages]


def test_the_facts_of_a_session_come_from_its_head(read: Rollout) -> None:
    head = meta(cli_version="0.146.0", git={"branch": "main"}, timestamp="2026-01-01")

    session = read(head, said("user", "Hello"))

    assert (session.uid, session.source) == (SESSION_ID, "codex")
    assert (session.agent, session.cwd) == ("codex 0.146.0", "/repo")
    assert (session.git_branch, session.parent) == ("main", None)
    assert session.started_at_us == from_iso("2026-01-01")


def test_what_stands_in_events_too_is_read_once(read: Rollout) -> None:
    session = read(
        meta(),
        event("user_message", message="Hello"),
        said("user", "Hello"),
        said("assistant", "Hi."),
        event("agent_message", message="Hi."),
    )

    assert shape(session) == [("user", "turn", "Hello"), ("assistant", "turn", "Hi.")]


def test_reasoning_is_left_out_without_being_counted_as_unknown(read: Rollout) -> None:
    session = read(meta(), said("user", "Hi"), item("reasoning", summary=[]))

    assert len(session.messages) == 1
    assert not read.tally.unknown_types


def test_the_words_of_a_developer_are_injected_words_of_the_system(
    read: Rollout,
) -> None:
    session = read(meta(), said("developer", "Be brief."))

    assert shape(session) == [("system", "injected", "Be brief.")]


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context><cwd>/repo</cwd></environment_context>",
        "<user_instructions>\nBe brief.\n</user_instructions>",
        "\n# AGENTS.md instructions for /repo",
        "<permissions instructions>",
        "<turn_aborted>",
    ],
)
def test_text_that_the_program_put_in_the_users_place_is_injected(
    read: Rollout, text: str
) -> None:
    session = read(meta(), said("user", text))

    assert session.messages[0].type == "injected"


def test_a_message_is_the_users_if_a_part_of_it_is(read: Rollout) -> None:
    parts = [{"text": "<environment_context>"}, {"text": "Fix the tests"}]

    session = read(meta(), item("message", role="user", content=parts))

    assert session.messages[0].type == "turn"


def test_each_answer_names_the_model_of_its_turn(read: Rollout) -> None:
    session = read(
        meta(),
        record("turn_context", {"model": "small"}),
        said("assistant", "One"),
        record("turn_context", {"model": "large"}),
        said("assistant", "Two"),
    )

    assert [m.model for m in session.messages] == ["small", "large"]
    assert session.model == "large"


def test_usage_is_the_last_total_without_what_came_from_the_cache(
    read: Rollout,
) -> None:
    first = {"input_tokens": 10, "output_tokens": 1}
    last = {
        "input_tokens": 100,
        "cached_input_tokens": 70,
        "output_tokens": 20,
        "reasoning_output_tokens": 15,
    }

    session = read(
        meta(),
        said("user", "Hi"),
        event("token_count", info={"total_token_usage": first}),
        event("token_count", info={"total_token_usage": last}),
        event("token_count", info=None),
    )

    assert session.usage == Usage(30, 20, 70, None)


def test_a_compaction_is_a_summary_and_its_history_is_not_read_again(
    read: Rollout,
) -> None:
    history = [{"type": "message", "role": "user", "content": "Hello"}]
    compacted = record(
        "compacted", {"message": "So far", "replacement_history": history}
    )

    session = read(meta(), said("user", "Hello"), compacted)

    assert shape(session)[1:] == [("user", "summary", "So far")]


def test_turns_that_the_user_rolled_back_are_inactive(read: Rollout) -> None:
    session = read(
        meta(),
        said("user", "One"),
        said("user", "Two"),
        said("assistant", "2"),
        said("user", "Three"),
        event("thread_rolled_back", num_turns=2),
        said("user", "Again"),
    )

    assert [m.active for m in session.messages] == [True, False, False, False, True]


def test_the_oldest_files_hold_bare_payloads(read: Rollout) -> None:
    session = read(
        {"id": SESSION_ID, "timestamp": "2025-05-01T00:00:00Z", "instructions": ""},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"text": "Hi"}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": "a"},
        {"created_at": "2025-05-01T00:00:01Z", "role": "assistant", "content": "Done"},
    )

    assert session.uid == SESSION_ID
    assert [m.role for m in session.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert session.messages[3].at_us == from_iso("2025-05-01T00:00:01Z")
    assert not read.tally.unknown_types


def test_unknown_types_are_counted_by_name(read: Rollout) -> None:
    read(
        meta(),
        said("user", "Hi"),
        item("hologram"),
        event("sneeze"),
        record("aura", {}),
        record("world_state", {}),
    )

    assert read.tally.unknown_types == {
        "response_item hologram": 1,
        "event_msg sneeze": 1,
        "aura": 1,
    }


def test_a_subagent_names_the_session_that_started_it(read: Rollout) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}}

    session = read(meta(source=source), said("user", "Hi"))

    assert (session.parent, session.relation) == ("p", "subagent")


def test_the_title_is_the_last_name_of_the_thread(read: Rollout) -> None:
    session = read(
        meta(),
        said("user", "Hi"),
        event("thread_name_updated", thread_name="Old"),
        event("thread_name_updated", thread_name="Fix the tests"),
    )

    assert session.title == "Fix the tests"


def test_entries_are_known_by_their_ids_else_by_their_place(read: Rollout) -> None:
    session = read(
        meta(),
        item("message", id="m1", role="user", content="Hi"),
        said("assistant", "Hello"),
        item("message", id="m1", role="user", content="Again"),
    )

    assert [m.native_id for m in session.messages] == ["m1", "#3", "m1~2"]


def test_a_file_without_a_message_is_no_session(read: Rollout) -> None:
    assert read.sessions(meta()) == []
    assert read.tally.empty == 1


def test_a_file_of_something_else_is_refused_by_name(read: Rollout) -> None:
    with pytest.raises(UnreadableSource, match=r"rollout-2026-01-01.*session_meta"):
        read(
            {"type": "user", "message": {}}, {"role": "user", "content": "Hi"}, {"a": 1}
        )


def test_a_session_without_a_head_is_named_by_its_file(tmp_path: Path) -> None:
    read = Rollout(tmp_path)
    read.path = tmp_path / f"rollout-2026-01-01T00-00-00-{SESSION_ID}.jsonl"

    assert read(said("user", "Hi")).uid == SESSION_ID


def test_a_fork_that_keeps_its_roots_id_is_named_by_the_second_in_its_file_name(
    tmp_path: Path,
) -> None:
    read = Rollout(tmp_path)
    own = "019b76da-ffff-7000-8000-000000000002"
    read.path = tmp_path / f"rollout-2026-01-01-{SESSION_ID}_{own}.jsonl"

    assert read(meta(), said("user", "Hi")).uid == own


def test_the_home_is_codex_home_else_below_the_users(tmp_path: Path) -> None:
    assert SOURCE.homes({}, tmp_path) == [tmp_path / ".codex"]
    assert SOURCE.homes({"CODEX_HOME": "/srv/codex"}, tmp_path) == [Path("/srv/codex")]


def test_a_file_of_another_agent_with_items_of_the_same_name_is_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "pi.jsonl"
    path.write_text('{"type": "session"}\n{"type": "compaction"}\n')

    with pytest.raises(UnreadableSource, match="no line is Codex's"):
        list(SOURCE.read(path, ReadContext(tally=Tally())))


def test_an_active_file_wins_over_its_archived_copy(tmp_path: Path) -> None:
    active = tmp_path / "sessions" / "2026" / "rollout-b.jsonl"
    archived = tmp_path / "archived_sessions"
    files = [active, archived / "rollout-b.jsonl", archived / "rollout-a.jsonl"]
    for path in [*files, tmp_path / "sessions" / "notes.jsonl"]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    assert list(SOURCE.find(tmp_path)) == [files[2], files[0]]
    assert list(SOURCE.find(files[1])) == [files[1]]


@pytest.mark.parametrize("name", ["small", "large", "schema_drift"])
def test_the_sample_files_are_read_without_an_unknown_type(name: str) -> None:
    path = SAMPLES / f"agentsessions_{name}.jsonl"
    if not path.exists():
        pytest.skip("no real sessions beside the checkout: ../shared/data")
    tally = Tally()

    (session,) = SOURCE.read(path, ReadContext(tally=tally))

    results = {m.call_id for m in session.messages if m.role == "tool"}
    calls = [made.call_id for m in session.messages for made in m.calls]
    assert calls
    assert len(set(calls)) == len(calls)
    assert results <= set(calls)
    assert not tally.unknown_types
    assert not tally.malformed

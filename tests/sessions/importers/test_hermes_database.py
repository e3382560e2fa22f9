"""What a row of Hermes' sessions says, page by page, and when it is read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.sessions.model import Usage

from .hermes_fixture import HermesDatabase, read_home


def test_a_session_of_many_pages_between_others_is_whole_and_in_order(
    tmp_path: Path,
) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.session("s1")
    database.session("s2")
    for number in range(1_203):
        database.say("user", f"{number}", "s1", timestamp=9000.0 - number)
        database.say("user", f"other {number}", "s2")

    sessions, _ = read_home(tmp_path)

    said = [message.content for message in sessions[0].messages]
    assert said == [str(number) for number in range(1_203)]
    assert len(sessions[1].messages) == 1_203


def test_more_sessions_than_a_page_all_come_in_order_of_their_ids(
    tmp_path: Path,
) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    names = [f"s{number:03}" for number in range(250)]
    for name in reversed(names):
        database.say("user", "hi", database.session(name))

    sessions, _ = read_home(tmp_path)

    assert [session.uid for session in sessions] == names


@pytest.mark.parametrize(
    ("child", "parent", "relation"),
    [
        ({"source": "subagent"}, {}, "subagent"),
        ({"model_config": '{"_delegate_from": "p"}'}, {}, "subagent"),
        ({"model_config": '{"_branched_from": "p"}'}, {}, "fork"),
        (
            {"model_config": '{"_delegate_from": "elder"}'},
            {"end_reason": "compression"},
            "compression",
        ),
        ({}, {"end_reason": "branched"}, "fork"),
        ({}, {"end_reason": "compression"}, "compression"),
        ({"source": "subagent"}, {"end_reason": "compression"}, "compression"),
        ({"model_config": '{"_reset_from": "p"}'}, {"end_reason": "idle"}, None),
        ({"model_config": "{broken"}, {}, None),
        ({"model_config": '["_delegate_from"]'}, {}, None),
    ],
)
def test_a_session_names_its_parent_and_how_it_came_from_it(
    tmp_path: Path, child: dict[str, Any], parent: dict[str, Any], relation: str | None
) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.say("user", "first", database.session("p", **parent))
    database.session("c", parent_session_id="p", **child)
    database.say("user", "second", "c")

    (session, _), _ = read_home(tmp_path)

    assert (session.uid, session.parent, session.relation) == ("c", "p", relation)


@pytest.mark.parametrize(
    ("columns", "cost"),
    [
        ({"estimated_cost_usd": 0.0, "cost_status": "unknown"}, None),
        ({"estimated_cost_usd": 0.0}, None),
        ({"estimated_cost_usd": 0.5}, None),
        ({"estimated_cost_usd": 0.5, "cost_status": "estimated"}, 0.5),
        (
            {
                "estimated_cost_usd": 0.5,
                "actual_cost_usd": 0.4,
                "cost_status": "actual",
            },
            0.4,
        ),
        ({"estimated_cost_usd": 0.0, "cost_status": "included"}, 0.0),
        ({"cost_status": "estimated"}, None),
        ({"estimated_cost_usd": float("inf"), "cost_status": "estimated"}, None),
    ],
)
def test_a_cost_that_hermes_does_not_know_is_none_and_not_0(
    tmp_path: Path, columns: dict[str, Any], cost: float | None
) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.session(input_tokens=10, **columns)
    database.say("user", "hi")

    (session,), _ = read_home(tmp_path)

    assert session.cost_usd == cost
    assert session.usage == Usage(10, 0, 0, 0)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE sessions SET ended_at = 1790000500.0",
        "UPDATE sessions SET title = 'named at last'",
        "UPDATE sessions SET rewind_count = 1",
        "UPDATE sessions SET input_tokens = 99",
        "UPDATE sessions SET estimated_cost_usd = 0.1",
        "UPDATE session_model_usage SET output_tokens = 1",
        "DELETE FROM messages WHERE id = 1",
    ],
)
def test_whatever_changes_about_a_session_changes_its_revision(
    tmp_path: Path, change: str
) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.session()
    database.say("user", "hi")
    database.say("user", "ho")
    database.use("m")
    (before,), _ = read_home(tmp_path)

    database.run(change)
    (after,), _ = read_home(tmp_path)

    assert after.revision != before.revision


def test_tokens_and_cost_are_added_up_over_the_models_where_hermes_keeps_them(
    tmp_path: Path,
) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.session(input_tokens=1, estimated_cost_usd=9.0, cost_status="estimated")
    database.say("user", "hi")
    known: dict[str, Any] = {"cost_status": "estimated", "output_tokens": 5}
    database.use("a", input_tokens=10, estimated_cost_usd=0.25, **known)
    database.use("b", input_tokens=20, estimated_cost_usd=0.5, **known)
    database.use("unused", cost_status="unknown")

    (session,), _ = read_home(tmp_path)

    assert session.usage == Usage(30, 10, 0, 0)
    assert session.cost_usd == 0.75


def test_one_model_of_unknown_price_makes_the_whole_cost_unknown(
    tmp_path: Path,
) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.session()
    database.say("user", "hi")
    database.use("a", input_tokens=1, estimated_cost_usd=0.25, cost_status="estimated")
    database.use("b", input_tokens=1, cost_status="unknown")

    (session,), _ = read_home(tmp_path)

    assert session.cost_usd is None


def test_tokens_that_nobody_counted_are_unknown(tmp_path: Path) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.session()
    database.say("user", "hi")

    (session,), _ = read_home(tmp_path)

    assert session.usage is None


def test_a_known_session_is_passed_over_until_it_grows(tmp_path: Path) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    for name in ("s1", "s2"):
        database.say("user", "hi", database.session(name))
    first, _ = read_home(tmp_path)
    known = {session.uid: session.revision for session in first}
    database.say("assistant", "hello", "s2")

    again, tally = read_home(
        tmp_path, is_current=lambda uid, revision: known.get(uid) == revision
    )

    assert [session.uid for session in again] == ["s2"]
    assert tally.skipped == 1
    stored = [message.native_id for message in first[1].messages]
    assert [message.native_id for message in again[0].messages][:1] == stored


def test_a_revision_is_the_same_when_nothing_changed(tmp_path: Path) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.session()
    database.say("user", "hi")

    (first,), _ = read_home(tmp_path)
    (second,), _ = read_home(tmp_path)

    assert first == second


def test_a_session_with_unreadable_text_is_reported_and_the_others_come(
    tmp_path: Path,
) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    for name in ("s1", "s2", "s3"):
        database.say("user", "hi", database.session(name))
    database.run(
        "UPDATE messages SET content = CAST(x'ff' AS TEXT) WHERE session_id = 's2'"
    )

    sessions, tally = read_home(tmp_path)

    assert [session.uid for session in sessions] == ["s1", "s3"]
    assert len(tally.malformed) == 1


def test_progress_adds_up_to_the_size_of_the_file(tmp_path: Path) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    for number in range(7):
        database.say("user", "hi", database.session(f"s{number}"))
    database.close()
    steps: list[int] = []

    read_home(tmp_path, progress=steps.append)

    assert len(steps) == 7
    assert sum(steps) == (tmp_path / "state.db").stat().st_size


_VALUES = (
    st.none()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.binary(max_size=8)
    | st.sampled_from(
        ["[{}]", "[1]", '{"a": 1}', "\0json:[", '[{"id": 1}]', "[" * 9000]
    )
)
_SESSION_CELLS = (
    *("model", "model_config", "started_at", "ended_at", "title", "input_tokens"),
    *("estimated_cost_usd", "cost_status", "parent_session_id", "source", "cwd"),
)
_MESSAGE_CELLS = (
    *("role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp"),
    *("finish_reason", "active", "compacted", "effect_disposition"),
)


@settings(max_examples=60, deadline=None)
@given(
    session=st.dictionaries(st.sampled_from(_SESSION_CELLS), _VALUES),
    messages=st.dictionaries(st.sampled_from(_MESSAGE_CELLS), _VALUES),
)
def test_values_of_any_type_in_any_column_lose_no_other_session(
    tmp_path_factory: pytest.TempPathFactory,
    session: dict[str, Any],
    messages: dict[str, Any],
) -> None:
    path = tmp_path_factory.mktemp("odd")
    database = HermesDatabase(path / "state.db")
    database.run("ALTER TABLE messages RENAME TO declared")
    database.run("CREATE TABLE messages AS SELECT * FROM declared")
    database.run("DROP TABLE sessions")
    database.run(f"CREATE TABLE sessions(id, {', '.join(_SESSION_CELLS)})")
    row = {"id": 1, "content": "odd", **messages}
    database.insert("sessions", id="odd", **session)
    database.insert("messages", session_id="odd", **row)
    database.insert("messages", session_id="odd", **row | {"id": 2})
    database.insert("sessions", id="even")
    database.insert("messages", session_id="even", id=3, role="user", content="hi")

    sessions, _ = read_home(path)

    assert sessions[0].uid == "even"
    assert [message.content for message in sessions[0].messages] == ["hi"]

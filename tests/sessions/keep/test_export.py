"""Exports: read back as they were, and without secrets."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.errors import InvalidInput, UnreadableSource
from oldhand.sessions.importers import find_units, import_units, source_named
from oldhand.sessions.importers.oldhand_export import read
from oldhand.sessions.importers.sniff import source_of
from oldhand.sessions.importers.source import ReadContext
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.keep.export import export_sessions
from oldhand.sessions.keep.retention import PruneWish, plan_prune, prune
from oldhand.sessions.keep.selection import Selection
from oldhand.sessions.model import Evidence, Message, Session, ToolCall, Usage
from oldhand.sessions.payloads import compact
from oldhand.sessions.read import find_session, load_messages
from oldhand.sessions.read_calls import iterate_calls
from oldhand.sessions.record import SessionWriter
from oldhand.store import Query, Store, open_database

SECRET = "ghp_" + "a1B2" * 9
ALL = Selection()
# Ids of tools and shapes differ from database to database: the words stand for them.
ROWS = {
    "sessions": "SELECT * FROM sessions ORDER BY uid",
    "messages": """SELECT s.uid, m.id & 4194303, m.role, m.type, m.active, m.at_us,
        m.native_id, m.model, m.input_tokens, m.output_tokens, m.cache_read_tokens,
        m.cache_write_tokens, m.dropped_chars
        FROM messages m JOIN sessions s ON s.id = m.id >> 22 ORDER BY m.id""",
    "calls": """SELECT s.uid, c.id & 4294967295, t.name, h.keys, h.shape, h.flags,
        c.result_id & 4194303, c.active, c.outcome, c.rule, c.confidence, c.error_kind,
        c.at_us, c.duration_us, c.result_chars, c.example_tokens, c.call_id, c.arguments
        FROM tool_calls c JOIN sessions s ON s.id = c.id >> 32
        JOIN tools t ON t.id = c.tool_id JOIN shapes h ON h.id = c.shape_id
        ORDER BY c.id""",
}


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


@pytest.fixture
def other() -> Iterator[Store]:
    """Open another database in memory."""
    opened = open_database(":memory:")
    yield opened
    opened.close()


def rows(store: Store) -> dict[str, list[Any]]:
    return {name: store.query_all(Query(name, sql, sql)) for name, sql in ROWS.items()}


def texts(store: Store) -> list[Any]:
    uids = store.query_all(
        Query(
            "uids",
            "SELECT uid FROM sessions ORDER BY uid",
            "SELECT uid FROM sessions ORDER BY uid",
        )
    )
    return [load_messages(store, find_session(store, uid)) for (uid,) in uids]


def conversation(uid: str = "s1", *, word: str = "hunter2") -> Session:
    call = ToolCall("c1", "Bash", json.dumps({"command": f"TOKEN={word} make"}))
    lost = ToolCall("c2", "Read", '{"file_path": "a.py"}')
    return Session(
        uid=uid,
        source="test",
        agent="test 1",
        model="model-a",
        principal="ada",
        project="/home/ada/engine",
        cwd="/home/ada/engine/src",
        title=f"Use {word}",
        started_at_us=1_767_225_600_000_001,
        ended_at_us=1_767_225_700_123_456,
        end_reason="done",
        cost_usd=0.001234,
        messages=[
            Message(role="system", content="Be kind", type="injected"),
            Message(role="user", content=f"Use {word}", at_us=1_767_225_600_000_001),
            Message(
                role="assistant",
                content="I try.",
                calls=[call, lost],
                at_us=1_767_225_601_000_003,
                usage=Usage(10, 5, None, 0),
                model="model-b",
                native_id="m3",
            ),
            Message(
                role="tool",
                content=f"made with {word} " * 100,
                call_id="c1",
                evidence=Evidence(exit_code=2, duration_us=77),
            ),
            Message(role="user", content="No, stop", active=False),
            Message(role="assistant", content="A side remark", type="sidechain"),
        ],
    )


def write(store: Store, *sessions: Session) -> None:
    for session in sessions:
        with store.transaction():
            SessionWriter(store).write(session)


def export_to(store: Store, path: Path, *, is_raw: bool = True) -> Path:
    lines = export_sessions(store, ALL, is_raw=is_raw)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def read_in(store: Store, path: Path, source: str = "oldhand") -> Tally:
    return import_units(store, find_units(source_named(source), [path])).tally


def test_a_raw_export_read_back_gives_equal_rows(
    store: Store, other: Store, tmp_path: Path
) -> None:
    write(store, conversation(), conversation("s2"))

    tally = read_in(other, export_to(store, tmp_path / "all.jsonl"))

    assert (tally.sessions, tally.malformed) == (2, [])
    assert rows(other) == rows(store)
    assert texts(other) == texts(store)


def test_an_export_of_real_sessions_read_back_gives_equal_rows(
    store: Store, other: Store, tmp_path: Path, real_sessions: Path
) -> None:
    roots = sorted((real_sessions / "claude_code").rglob("*.jsonl"))[:40]
    import_units(store, find_units(source_named("claude-code"), roots))
    # A copy: SQLite leaves files of its own beside what it reads.
    hermes = Path(
        shutil.copyfile(real_sessions / "hermes_sample_state.db", tmp_path / "state.db")
    )
    import_units(store, find_units(source_named("hermes"), [hermes]))

    read_in(other, export_to(store, tmp_path / "all.jsonl"))

    assert len(rows(store)["messages"]) > 1_000
    assert rows(other) == rows(store)
    assert texts(other) == texts(store)


def test_reading_an_export_into_the_database_it_came_from_changes_nothing(
    store: Store, tmp_path: Path
) -> None:
    write(store, conversation())
    before = rows(store), texts(store)

    for is_raw in (True, False):
        tally = read_in(store, export_to(store, tmp_path / f"{is_raw}", is_raw=is_raw))
        assert (tally.sessions, tally.updated) == (0, 0)

    assert (rows(store), texts(store)) == before


def test_secrets_stay_out_unless_they_are_asked_for(store: Store) -> None:
    write(store, conversation(word=SECRET))

    for form in ("oldhand", "openai"):
        (redacted,) = export_sessions(store, ALL, form=form)
        (raw,) = export_sessions(store, ALL, form=form, is_raw=True)

        assert SECRET not in redacted
        assert "[redacted:" in redacted
        assert SECRET in raw


def test_a_redacted_copy_grows_what_is_on_record_and_does_not_replace_its_text(
    store: Store, other: Store, tmp_path: Path
) -> None:
    write(store, conversation(word=SECRET))
    longer = conversation(word=SECRET)
    longer.messages.append(Message(role="user", content="And now?"))
    write(other, longer)

    read_in(store, export_to(other, tmp_path / "redacted.jsonl", is_raw=False))

    found = find_session(store, "s1")
    assert found.message_count == 7
    assert found.title == f"Use {SECRET}"
    assert SECRET in load_messages(store, found)[1]["content"]
    assert SECRET in next(iterate_calls(store)).arguments


def test_compressed_and_pruned_texts_are_exported_as_such(
    store: Store, other: Store, tmp_path: Path
) -> None:
    write(store, conversation(), conversation("s2"))
    compact(store)
    wish = PruneWish(selection=Selection(uids=("s2",)), content="tool-results")
    prune(store, plan_prune(store, wish, used_bytes=0))

    read_in(other, export_to(store, tmp_path / "all.jsonl"))

    assert rows(other) == rows(store)
    assert texts(other) == texts(store)
    assert texts(other)[0][3]["content"].startswith("made with hunter2")
    assert texts(other)[1][3]["content"] == ""
    assert texts(other)[1][3]["dropped_chars"] == 1_800


def test_openai_chat_holds_what_was_said_with_results_behind_their_calls(
    store: Store,
) -> None:
    write(store, conversation())

    (line,) = export_sessions(store, ALL, form="openai", is_raw=True)

    messages = json.loads(line)["messages"]
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "tool"]
    (call,) = messages[2]["tool_calls"]  # the other one was never answered
    assert call["function"]["name"] == "Bash"
    assert messages[3]["tool_call_id"] == call["id"]


def test_openai_chat_is_read_by_our_own_importer(
    store: Store, other: Store, tmp_path: Path
) -> None:
    write(store, conversation())
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(export_sessions(store, ALL, form="openai")) + "\n")

    read_in(other, path, "openai")

    found = find_session(other, "s1")
    assert (found.principal, found.project) == ("ada", "/home/ada/engine")
    assert (found.message_count, found.tool_call_count) == (4, 1)


def test_an_export_is_recognised(store: Store, tmp_path: Path) -> None:
    write(store, conversation())

    assert source_of(export_to(store, tmp_path / "all.jsonl")) == "oldhand"


def test_a_format_that_is_none_is_named(store: Store) -> None:
    with pytest.raises(InvalidInput, match="'parquet' is no format"):
        list(export_sessions(store, ALL, form="parquet"))


def test_lines_that_are_no_session_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text('{"format": "oldhand-session-1", "uid": 7}\n{"format": "x"}\n')
    tally = Tally()

    found = list(read(path, ReadContext(tally=tally)))

    assert found == []
    assert [place.line for place in tally.malformed] == [1, 2]


def test_a_file_without_a_line_of_ours_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text('{"messages": []}\n')

    with pytest.raises(UnreadableSource, match="no session of ours"):
        list(read(path, ReadContext(tally=Tally())))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "calls", "tool", "at", "call_id"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.dictionaries(
        st.sampled_from(
            ["uid", "source", "messages", "started_at", "cost_usd", "relation", "title"]
        ),
        VALUES,
    ),
    st.lists(VALUES, max_size=4),
)
def test_any_shape_of_values_is_read_without_a_fault(
    tmp_path_factory: pytest.TempPathFactory,
    line: dict[str, Any],
    messages: list[Any],
) -> None:
    path = tmp_path_factory.mktemp("odd") / "odd.jsonl"
    known = {"format": "oldhand-session-1", "uid": "u", "source": "s"}
    whole = {**known, "started_at": "2026-01-01", "messages": messages}
    path.write_text(f"{json.dumps({**known, **line})}\n{json.dumps(whole)}\n")

    found = list(read(path, ReadContext(tally=Tally())))

    assert found[-1].uid == "u"

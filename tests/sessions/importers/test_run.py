"""Imports: incremental, idempotent, and open about what they could not read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oldhand.errors import InvalidInput, UnreadableSource
from oldhand.sessions.importers import (
    Belonging,
    ImportReport,
    find_units,
    import_units,
    source_named,
    source_names,
)
from oldhand.sessions.importers.sniff import source_of
from oldhand.sessions.read import find_session, recent_sessions
from oldhand.store import Query, Store

from .claude_code_fixture import Log, text

CLAUDE = "claude-code"


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def log(number: int, *, cwd: str = "/home/ada/engine") -> Log:
    made = Log(f"0a1b2c3d-0000-4000-8000-{number:012}", cwd=cwd)
    made.user(f"Task {number}")
    made.call("toolu_1", "Bash", command="ls")
    made.result("toolu_1", "a.py", is_error=False)
    return made


def run(store: Store, root: Path, *, exclude: tuple[str, ...] = ()) -> ImportReport:
    units = find_units(source_named(CLAUDE), [root], exclude=exclude)
    return import_units(store, units, belonging=Belonging(principal="me"))


def content(store: Store) -> list[tuple[object, ...]]:
    text = "SELECT id, content FROM messages ORDER BY id"
    return store.query_all(Query("all", text, text))


def test_importing_twice_changes_nothing(store: Store, tmp_path: Path) -> None:
    log(1).write(tmp_path)
    log(2).write(tmp_path)
    first = run(store, tmp_path).tally
    before = content(store)

    second = run(store, tmp_path).tally

    assert (first.sessions, first.messages, first.calls) == (2, 6, 2)
    assert (second.sessions, second.messages, second.skipped) == (0, 0, 2)
    assert content(store) == before


def test_a_file_that_was_only_touched_is_read_and_adds_nothing(
    store: Store, tmp_path: Path
) -> None:
    path = log(1).write(tmp_path)
    run(store, tmp_path)
    os.utime(path, ns=(1, 1))

    tally = run(store, tmp_path).tally

    assert (tally.sessions, tally.updated, tally.messages) == (0, 0, 0)


def test_a_grown_file_adds_its_new_part(store: Store, tmp_path: Path) -> None:
    growing = log(1)
    growing.write(tmp_path)
    run(store, tmp_path)
    growing.answer(text("Done."))
    growing.write(tmp_path)

    tally = run(store, tmp_path).tally

    assert (tally.sessions, tally.updated, tally.messages) == (0, 1, 1)


def test_a_file_that_grows_while_it_is_read_loses_nothing(
    store: Store, tmp_path: Path
) -> None:
    growing = log(1)
    path = growing.write(tmp_path)
    units = find_units(source_named(CLAUDE), [tmp_path])

    def grow(_bytes: int, _sessions: int) -> None:
        if len(growing.lines) < 6:
            growing.answer(text("More."))
            growing.write(tmp_path)

    import_units(store, units, progress=grow)
    tally = run(store, tmp_path).tally

    assert len(growing.lines) == 6
    assert find_session(store, path.stem).message_count == 6
    assert tally.updated == 1


def test_an_unreadable_file_is_named_and_stops_nothing(
    store: Store, tmp_path: Path
) -> None:
    log(1).write(tmp_path)
    (tmp_path / "broken.jsonl").write_bytes(b"\0\0\0")

    report = run(store, tmp_path)

    assert report.tally.sessions == 1
    assert len(report.unreadable) == 1
    assert "broken.jsonl" in report.unreadable[0]


def test_a_file_whose_name_is_no_text_is_imported_once(
    store: Store, tmp_path: Path
) -> None:
    path = log(1).write(tmp_path)
    path.rename(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.jsonl"))

    first = run(store, tmp_path).tally
    second = run(store, tmp_path).tally

    assert (first.sessions, second.sessions, second.skipped) == (1, 0, 1)


def test_a_file_that_went_away_is_named_and_stops_nothing(
    store: Store, tmp_path: Path
) -> None:
    gone = log(1).write(tmp_path)
    log(2).write(tmp_path)
    units = find_units(source_named(CLAUDE), [tmp_path])
    gone.unlink()

    report = import_units(store, units)

    assert report.tally.sessions == 1
    assert [gone.name in reason for reason in report.unreadable] == [True]


def test_excluded_paths_are_passed_over(store: Store, tmp_path: Path) -> None:
    log(1).write(tmp_path / "open")
    log(2).write(tmp_path / "secret")

    tally = run(store, tmp_path, exclude=("*/secret/*",)).tally

    assert tally.sessions == 1


def test_principal_and_project_are_read_off_the_directory(
    store: Store, tmp_path: Path
) -> None:
    checkout = tmp_path / "repo"
    (checkout / ".git").mkdir(parents=True)
    (checkout / "src").mkdir()
    log(1, cwd=str(checkout / "src")).write(tmp_path / "logs")
    log(2, cwd="/home/grace/engine").write(tmp_path / "logs")

    run(store, tmp_path / "logs")

    found = {s.task: (s.principal, s.project) for s in recent_sessions(store)}
    assert found == {
        "Task 1": ("me", str(checkout)),
        "Task 2": ("grace", "/home/grace/engine"),
    }


def test_a_linked_work_tree_belongs_to_its_checkout(
    store: Store, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".git").write_text("gitdir: /home/ada/repo/.git/worktrees/tree\n")
    log(1, cwd=str(tree)).write(tmp_path / "logs")

    run(store, tmp_path / "logs")

    assert recent_sessions(store)[0].project == "/home/ada/repo"


def test_a_subagent_does_not_repeat_what_its_session_holds(
    store: Store, tmp_path: Path
) -> None:
    main = log(1)
    main.write(tmp_path)
    sub = Log(main.session)
    sub.lines = [dict(line, isSidechain=True, agentId="a") for line in main.lines[:2]]
    sub.lines[1]["requestId"] = "req_2"
    sub.user("Explore", isSidechain=True, agentId="a")
    sub.lines[-1]["uuid"] = "only-here"
    sub.write(tmp_path / main.session / "subagents", name="agent-a")

    tally = run(store, tmp_path).tally

    assert (tally.sessions, tally.duplicates) == (2, 2)
    assert find_session(store, f"{main.session}/agent-a").message_count == 1


def test_every_source_has_its_own_name() -> None:
    assert [source_named(name).name for name in source_names()] == source_names()


def test_a_source_that_is_not_known_is_named() -> None:
    with pytest.raises(InvalidInput, match="'cobol' is no source"):
        source_named("cobol")


def test_a_file_is_recognised_by_what_is_in_it(tmp_path: Path) -> None:
    claude = log(1).write(tmp_path)
    chat = tmp_path / "chat.jsonl"
    chat.write_text('{"messages": [{"role": "user", "content": "Hi"}]}\n')
    codex = tmp_path / "codex.jsonl"
    codex.write_text('{"timestamp": "x", "type": "session_meta", "payload": {}}\n')

    assert [source_of(p) for p in (claude, chat, codex)] == [
        "claude-code",
        "openai",
        "codex",
    ]


@pytest.mark.parametrize("raw", [b"", b"hello\n", b'{"a": 1}\n', b"\0\1\2"])
def test_a_file_of_no_known_format_is_named(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(raw)

    with pytest.raises(UnreadableSource, match=r"odd\.jsonl"):
        source_of(path)


def test_a_named_pipe_is_named_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")

    with pytest.raises(UnreadableSource, match="neither a file nor a directory"):
        source_of(tmp_path / "pipe.jsonl")


@pytest.mark.parametrize(
    "name", ["state.db", "profiles/work/state.db", "sessions/session_x.json"]
)
def test_a_home_of_hermes_is_recognised_by_its_files(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).touch()

    assert source_of(tmp_path) == "hermes"


def test_a_folder_is_recognised_though_a_file_in_it_is_unreadable(
    tmp_path: Path,
) -> None:
    (tmp_path / "0.jsonl").write_bytes(b"\0\0")
    log(1).write(tmp_path)

    assert source_of(tmp_path) == CLAUDE


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="holds no session file"):
        source_of(tmp_path)

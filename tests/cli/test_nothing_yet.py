"""Before anything is recorded: commands that only read make no file, and say what to type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

READING = [
    "sessions list",
    "sessions search word",
    "sessions export",
    "calls list",
    "calls label --report",
    "report",
    "hint --tool Bash --arguments {} --error x",
    "template list",
    "template best",
    "experiment list",
    "warm",
    "db info",
    "db check",
]


@pytest.mark.parametrize("line", READING)
def test_a_command_that_reads_makes_no_database(
    run: Run, home: Path, line: str
) -> None:
    said = run(*line.split())

    assert "no sessions on record; run `oldhand import` first" in said.err
    assert not (home / ".oldhand").exists()


def test_a_backup_of_nothing_is_none(run: Run, home: Path) -> None:
    said = run("db", "backup", home / "copy.db")

    assert said.code == 3
    assert "no database yet" in said.err
    assert not (home / "copy.db").exists()


@pytest.fixture
def known(run: Run, home: Path) -> Run:
    """Import one chat; its source is openai, and it has no project."""
    path = home / "chats.jsonl"
    message = {"role": "user", "content": "Hello"}
    path.write_text(json.dumps({"id": "one", "messages": [message]}) + "\n")
    assert run("import", "openai", path).code == 0
    return run


@pytest.mark.parametrize(
    "line", ["report", "sessions list", "sessions search Hello", "calls list"]
)
def test_a_source_without_sessions_is_named_with_those_there_are(
    known: Run, line: str
) -> None:
    said = known(*line.split(), "--source", "nobody", "--json")

    assert (said.out, said.code) == ("", 3)
    assert "no session of source 'nobody'; there are: openai" in said.err
    assert known(*line.split(), "--source", "openai").code == 0


@pytest.mark.parametrize("line", ["report", "sessions list", "sessions search Hello"])
def test_a_project_without_sessions_is_named(known: Run, line: str) -> None:
    said = known(*line.split(), "--project", "/nowhere")

    assert (said.out, said.code) == ("", 3)
    assert "no session of project '/nowhere'; there are: none with a pr" in said.err


@pytest.mark.parametrize("line", ["warm", "template build --name x"])
def test_nothing_is_learnt_from_a_source_that_is_not_there(
    run: Run, home: Path, line: str
) -> None:
    call = {"id": "c", "function": {"name": "ls", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "a.py"},
    ]
    (home / "c.jsonl").write_text(json.dumps({"id": "one", "messages": messages}))
    assert run("import", "openai", home / "c.jsonl").code == 0

    said = run(*line.split(), "--source", "nobody")

    assert said.code == 8
    assert "no session of source 'nobody'; there are: openai" in said.err

"""A database that cannot be written, as a user meets it, on each engine."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from oldhand.sessions.model import Message, Session
from oldhand.sessions.record import SessionWriter
from oldhand.store import open_database

from .conftest import Run, Said

OLDHAND = "from oldhand.cli.main import main; main()"
READING = [
    "sessions list",
    "sessions show s-one",
    "sessions export",
    "sessions erase --session s-one --dry-run",
    "sessions prune --older-than 1d --dry-run",
    "calls list",
    "report",
    "template list",
    "template show kept",
    "template export kept",
    "db info",
    "db check",
]
WRITING = [
    "sessions erase --session s-one --yes",
    "sessions prune --older-than 1d --yes",
    "template build --all-projects",
    "template delete kept",
    "db compact",
]


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.jsonl"
    function = {"name": "Bash", "arguments": '{"command": "git status"}'}
    call = {"id": "c1", "type": "function", "function": function}
    messages = [
        {"role": "user", "content": "Is the tree clean?", "timestamp": 1_767_000_000},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "nothing to commit"},
    ]
    path.write_text(json.dumps({"id": "s-one", "messages": messages}) + "\n")
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def closed(request: pytest.FixtureRequest, run: Run, home: Path, chat: Path) -> Run:
    """Fill a database, let nobody write to it, and return what runs commands on it."""
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
        fill(run, chat, url)
        reading = f"{url}&options=-cdefault_transaction_read_only%3Don"
        return lambda *words: run("--database", reading, *words)

    rights: list[str] = request.getfixturevalue("without_rights")
    path = home / ".oldhand" / "oldhand.db"
    fill(run, chat, str(path))
    path.chmod(0o444)

    def run_without_rights(*words: str) -> Said:
        command = [*rights, OLDHAND, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return Said(done.stdout, done.stderr, done.returncode)

    return run_without_rights


def fill(run: Run, chat: Path, url: str) -> None:
    assert run("--database", url, "import", "openai", chat).code == 0
    build = "template build --name kept --all-projects"
    assert run("--database", url, *build.split()).code == 0
    assert run("--database", url, "sessions", "search", "tree").code == 0  # indexes
    store = open_database(url)
    late = Message(role="user", content="A tree that nobody indexed.")
    with store.transaction():
        SessionWriter(store).write(
            Session(uid="s-late", source="test", messages=[late])
        )
    store.close()


@pytest.mark.parametrize("line", READING)
def test_reading_works_and_says_once_that_nothing_can_be_written(
    closed: Run, line: str
) -> None:
    said = closed(*line.split())

    assert said.code == 0
    assert said.err.count("open for reading only: ") == 1


@pytest.mark.parametrize("line", WRITING)
def test_writing_is_refused_before_anything_is_done(closed: Run, line: str) -> None:
    said = closed(*line.split())

    assert (said.out, said.code) == ("", 6)
    assert said.err.count("\n") == 1
    assert "cannot be written: " in said.err


def test_an_import_is_refused_before_anything_is_read(closed: Run, chat: Path) -> None:
    said = closed("import", "openai", str(chat), "--again")

    assert said.code == 6
    assert "cannot be written: " in said.err


def test_a_warm_start_is_given_and_says_that_it_is_not_on_record(closed: Run) -> None:
    by_template = closed("warm", "--template", "kept")
    chosen = closed("warm", "--all-projects", "--json")

    assert "git status" in by_template.out
    assert chosen.rows[0]["examples"][0]["tool"] == "Bash"
    for said in (by_template, chosen):
        assert "not on record" in said.err


def test_a_search_finds_what_is_indexed_and_says_what_is_not(closed: Run) -> None:
    said = closed("sessions", "search", "tree", "--json")

    assert [row["uid"] for row in said.rows] == ["s-one"]
    assert "1 message not searched" in said.err


def test_a_doctor_names_what_cannot_be_written(closed: Run) -> None:
    rows = {row["check"]: row for row in closed("doctor", "--json").rows}

    assert rows["writable"]["level"] == "warning"
    assert rows["writable"]["found"]

"""`oldhand sessions search` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oldhand import Recorder, open_store
from oldhand.cli.main import main


@pytest.fixture
def chats(home: Path) -> Path:
    """Write two chats to a file."""
    path = home / "chats.jsonl"
    lines = [
        {
            "id": "a",
            "messages": [{"role": "user", "content": "The disk is \x1b[31m full"}],
        },
        {"id": "b", "messages": [{"role": "user", "content": "All is well"}]},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    main_quietly("import", "openai", str(path))
    return path


def main_quietly(*arguments: str) -> int:
    try:
        main(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_a_session_is_found_by_what_was_said(
    chats: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chats.is_file()
    capsys.readouterr()

    code = main_quietly("sessions", "search", "full", "disk", "--json")

    (row,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 0
    assert " ".join(row) == (
        "uid source project started_at hits role seq snippet score"
    )
    assert (row["source"], row["hits"], row["role"], row["seq"]) == (
        "openai",
        1,
        "user",
        1,
    )
    assert "«disk»" in row["snippet"]


def test_what_is_shown_to_a_person_cannot_steer_the_terminal(
    chats: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chats.is_file()
    capsys.readouterr()

    main_quietly("sessions", "search", "disk")

    out = capsys.readouterr().out
    assert "user 1: The «disk» is" in out
    assert "1 hit" in out
    assert "\x1b" not in out


def test_a_query_without_a_word_is_refused(
    chats: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chats.is_file()

    code = main_quietly("sessions", "search", "?!")

    assert code == 2
    assert "expected at least one word" in capsys.readouterr().err


def test_a_long_first_filling_is_announced(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert home.is_dir()
    store = open_store()
    Recorder(store, source="test").append(
        [{"role": "user", "content": f"needle {n}"} for n in range(1_000)]
    )
    store.close()

    main_quietly("sessions", "search", "needle")

    assert "indexing 1,000 messages first" in capsys.readouterr().err
    main_quietly("sessions", "search", "needle")
    assert capsys.readouterr().err == ""

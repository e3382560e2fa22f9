"""`oldhand lint`: files of chats, what it finds in them, what it prints mended."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

SOUND = [{"role": "user", "content": "go"}, {"role": "assistant", "content": "done"}]
BROKEN = [{"role": "user", "content": "go"}, {"role": "user", "content": "on"}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chat.json"


def test_a_sound_chat_is_said_to_be_sound(run: Run, path: Path) -> None:
    path.write_text(json.dumps(SOUND))

    said = run("lint", path, "--for", "strict")

    assert (said.code, said.out) == (0, "")
    assert "1 chat: nothing found for strict" in said.err


def test_a_finding_is_a_row_and_the_exit_code_says_so(run: Run, path: Path) -> None:
    path.write_text(json.dumps({"messages": BROKEN}))

    said = run("--json", "lint", path, "--for", "strict")

    (row,) = said.rows
    assert list(row) == ["chat", "rule", "index", "problem", "remedy"]
    assert (row["chat"], row["rule"], row["index"]) == (0, "alternation", 1)
    assert said.code == 9


def test_a_person_gets_a_table(run: Run, path: Path) -> None:
    path.write_text(json.dumps(BROKEN))

    said = run("lint", path, "--for", "strict")

    assert "alternation" in said.out
    assert "1 finding; --mend repairs them" in said.err


def test_chats_of_json_lines_are_counted(run: Run, path: Path) -> None:
    chats = [{"messages": SOUND}, {"messages": BROKEN, "tools": []}]
    path.write_text("\n".join(map(json.dumps, chats)) + "\n")

    found = run("--json", "lint", path, "--for", "strict").rows
    mended = run("lint", path, "--for", "strict", "--mend")

    assert [row["chat"] for row in found] == [1]
    assert mended.code == 0
    assert mended.rows == [
        {"messages": SOUND},
        {"messages": [{"role": "user", "content": "go\n\non"}], "tools": []},
    ]


def test_lines_of_messages_are_one_chat(run: Run, path: Path) -> None:
    path.write_text("\n".join(map(json.dumps, BROKEN)))

    assert run("lint", path).code == 0
    assert run("lint", path, "--for", "mistral").code == 9


def test_what_was_mended_can_be_piped_back(
    run: Run, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text(
        json.dumps([*BROKEN, {"role": "tool", "content": "\ud800 \x9b31m"}])
    )
    mended = run("lint", path, "--for", "strict", "--mend").out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(mended.encode())))

    assert run("lint", "-", "--for", "strict").code == 0
    assert mended.isascii()


WRONG: list[tuple[Any, str, int]] = [
    ("x", "line 1 is no JSON", 5),
    ('[]\n{"messages', "line 2 is no JSON", 5),
    ("", "no chat; expected a list of messages", 5),
    ("3", "no chat; expected a list of messages", 5),
    ('{"a": 1}', "no chat; expected a list of messages", 5),
    ('{"messages": {}}', "messages are a dict; expected a list", 2),
    (b"\xff\xfe", "not UTF-8", 5),
]


@pytest.mark.parametrize(("content", "words", "code"), WRONG)
def test_a_file_that_holds_no_chat_is_named_with_what_was_expected(
    run: Run, path: Path, content: str | bytes, words: str, code: int
) -> None:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    said = run("lint", path)

    assert words in said.err
    assert said.code == code


def test_a_file_that_is_not_there_is_not_found(run: Run, path: Path) -> None:
    said = run("lint", path)

    assert (said.code, said.out) == (3, "")


def test_a_target_that_there_is_not_is_wrong_input(run: Run, path: Path) -> None:
    path.write_text(json.dumps(SOUND))

    said = run("lint", path, "--for", "gemini")

    assert said.code == 2
    assert "openai, anthropic, mistral, strict" in said.err


def test_no_remedy_names_a_function(run: Run, path: Path) -> None:
    late = [*SOUND, {"role": "system", "content": "Be brief"}]
    path.write_text(json.dumps(late))

    (row,) = run("--json", "lint", path, "--for", "strict").rows

    assert row["remedy"] == "put it first, or write it into the user's next turn"


def test_a_target_that_is_none_is_named(run: Run, path: Path) -> None:
    said = run("lint", path, "--for", "morse")

    assert said.code == 2
    assert "'morse' is no target; expected one of openai" in said.err

"""`oldhand hint`, as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

LINES = [
    {"role": "user", "content": "Show the changes"},
    {
        "role": "assistant",
        "tool_calls": [
            {
                "id": "c1",
                "function": {
                    "name": "Bash",
                    "arguments": '{"command":"gh pr diff 8 --stat"}',
                },
            }
        ],
    },
    {
        "role": "tool",
        "tool_call_id": "c1",
        "content": "Error: unknown flag: --stat\n[exit code 1]",
    },
    {
        "role": "assistant",
        "tool_calls": [
            {
                "id": "c2",
                "function": {"name": "Bash", "arguments": '{"command":"gh pr diff 8"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "c2", "content": "+ a line"},
]
ASK = (
    "hint",
    "--tool",
    "Bash",
    "--arguments",
    '{"command": "gh pr diff 9 --stat"}',
    "--error",
    "Exit code 1\nunknown flag: --stat",
)


@pytest.fixture
def taught(run: Run, home: Path) -> Run:
    """Import a session in which a call failed and was repaired."""
    path = home / "session.jsonl"
    path.write_text(json.dumps({"messages": LINES}) + "\n")
    assert run("import", "openai", path).code == 0
    return run


def test_a_block_is_printed(taught: Run) -> None:
    said = taught(*ask_with("--project", "/"))

    assert said.code == 0
    assert said.out.startswith("<oldhand-hints>\n")
    assert 'Bash {"command":"gh pr diff 8"}' in said.out


def ask_with(*options: str) -> tuple[str, ...]:
    return (*ASK, *options)


def test_json_holds_the_hints(taught: Run) -> None:
    said = taught(*ask_with("--json"))

    (row,) = said.rows
    assert list(row) == ["hints"]
    assert row["hints"][0]["call_id"] == "c2"


def test_nothing_is_printed_where_nothing_fits(taught: Run) -> None:
    said = taught(*ask_with("--tool", "Unheard"))

    assert (said.out, said.code) == ("", 0)
    assert "nothing on record fits" in said.err


def test_without_any_session_it_says_what_to_do_first(run: Run) -> None:
    said = run(*ASK)

    assert (said.out, said.code) == ("", 0)
    assert "no sessions on record; run `oldhand import` first" in said.err
    assert run(*ask_with("--json")).rows == [{"hints": []}]


def test_a_time_hides_what_came_later(taught: Run) -> None:
    assert taught(*ask_with("--before", "2001-01-01", "--json")).rows == [{"hints": []}]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--arguments", '{"command": '), "the arguments are no JSON"),
        (("--tool", " "), "the tool is empty"),
        (("--before", "yesterday"), "'yesterday' is no time"),
    ],
)
def test_wrong_input_is_named(run: Run, options: tuple[str, str], named: str) -> None:
    said = run(*ask_with(*options))

    assert said.code == 2
    assert named in said.err


def test_arguments_may_be_text_where_a_tool_takes_text(taught: Run) -> None:
    said = taught(
        "hint",
        "--tool",
        "apply_patch",
        "--arguments",
        '"*** Begin Patch"',
        "--error",
        "x",
    )

    assert said.code == 0

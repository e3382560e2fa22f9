"""Whose sessions teach a new one: those of the project that it starts in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oldhand.app.imports import import_sessions
from oldhand.app.starts import build_template, warm
from oldhand.errors import InvalidInput, NotFound
from oldhand.store import Store


@pytest.fixture
def taught(home: Path, store: Store) -> Store:
    """Import a session of each of two projects in the home directory."""
    lines = []
    for number, project in enumerate(("engine", "mill")):
        (home / project).mkdir()
        function = {"name": "bash", "arguments": json.dumps({"command": project})}
        call = {"id": "c", "function": function}
        lines.append(
            {
                "id": f"session-{number}",
                "cwd": str(home / project),
                "messages": [
                    {"role": "user", "content": "Go"},
                    {"role": "assistant", "tool_calls": [call]},
                    {"role": "tool", "tool_call_id": "c", "content": "done"},
                ],
            }
        )
    path = home / "chats.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    import_sessions(store, "openai", path)
    return store


@pytest.mark.parametrize("name", ["engine", "../{home}/engine", "link", "engine/"])
def test_a_project_is_known_by_where_it_is(
    taught: Store, home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (home / "link").symlink_to(home / "engine")
    monkeypatch.chdir(home)

    given = warm(taught, project=name.format(home=home.name))

    assert [example.session for example in given.examples] == ["session-0"]


def test_in_a_directory_that_was_removed_a_project_must_be_named(
    taught: Store, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "gone").mkdir()
    monkeypatch.chdir(home / "gone")
    (home / "gone").rmdir()

    with pytest.raises(InvalidInput, match="current directory is gone"):
        warm(taught)
    assert warm(taught, all_projects=True).sessions == 2


def test_sessions_are_named_by_their_beginning_and_must_be_there(
    taught: Store,
) -> None:
    template = build_template(taught, sessions=["session-1"])

    assert [example.session for example in template.examples] == ["session-1"]
    with pytest.raises(NotFound, match="no session 'session-7'"):
        build_template(taught, sessions=["session-1", "session-7"])
    with pytest.raises(InvalidInput, match="fits several sessions"):
        build_template(taught, sessions=["session-"])


def test_a_text_keeps_a_limit_of_characters_as_well(taught: Store) -> None:
    whole = warm(taught, all_projects=True).text
    assert whole is not None

    shorter = warm(taught, all_projects=True, max_chars=len(whole) - 1).text

    assert shorter is not None
    assert len(shorter) < len(whole)

"""An event that a version does not know would undo all of its settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand.integrations.claude_code.versions import events_for, installed_version


def claude_that(says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "claude"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


def test_an_old_version_gets_no_hook_that_it_does_not_know() -> None:
    assert events_for((2, 0, 76)) == ("SessionStart", "SessionEnd")
    assert "PostToolUseFailure" in events_for((2, 1, 50))
    assert "PostToolUseFailure" in events_for(None)


def test_the_version_is_asked_of_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude_that("echo '2.1.276 (Claude Code)'", tmp_path, monkeypatch)

    assert installed_version() == (2, 1, 276)


@pytest.mark.parametrize("says", ["echo soon", "exit 1", "printf '\\377'"])
def test_a_program_that_does_not_say_is_of_no_known_version(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude_that(says, tmp_path, monkeypatch)

    assert installed_version() is None


def test_without_the_program_the_version_is_unknown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert installed_version() is None

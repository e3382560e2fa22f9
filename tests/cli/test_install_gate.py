"""`oldhand install claude-code --gate`: shown, kept, and taken out to the byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

SETTINGS = '{\n  "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [\n    {"type": "command", "command": "check.sh"}]}]}\n}\n'


@pytest.fixture(autouse=True)
def no_claude(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let no Claude Code of this machine be asked for its version."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


@pytest.fixture
def path(home: Path) -> Path:
    """Write settings with a hook of somebody else's."""
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(SETTINGS)
    return file


def groups(path: Path) -> list[dict[str, Any]]:
    """Return what stands under PreToolUse."""
    found = json.loads(path.read_text())["hooks"].get("PreToolUse", [])
    assert isinstance(found, list)
    return found


def test_the_gate_is_put_beside_other_hooks_and_taken_out_to_the_byte(
    run: Run, path: Path
) -> None:
    shown = run("install", "claude-code", "--gate", "--dry-run")
    assert path.read_text() == SETTINGS
    done = run("install", "claude-code", "--gate", "--yes", "--json")

    theirs, ours = groups(path)
    assert "PreToolUse || exit 2" in shown.out
    assert "PreToolUse" in done.rows[0]["events"]
    assert "`oldhand serve`" in done.err
    assert "`oldhand serve`" not in shown.err
    assert theirs["hooks"][0]["command"] == "check.sh"
    assert ours["matcher"] == "Bash|Write|Edit|MultiEdit|NotebookEdit|WebFetch|mcp__.*"
    assert ours["hooks"][0]["timeout"] == 600
    assert run("uninstall", "claude-code", "--yes").code == 0
    assert path.read_text() == SETTINGS


def test_installing_again_takes_no_gate_away_and_no_gate_does(
    run: Run, path: Path
) -> None:
    run("install", "claude-code", "--gate-matcher", "Bash", "--yes")
    run("install", "claude-code", "--yes")
    kept = groups(path)
    run("install", "claude-code", "--no-gate", "--yes")

    assert [group["matcher"] for group in kept] == ["Bash", "Bash"]
    assert [group["hooks"][0]["command"] for group in groups(path)] == ["check.sh"]
    assert "SessionStart" in path.read_text()


@pytest.mark.parametrize(
    "words",
    [
        ["--gate-matcher", "("],
        ["--gate-matcher", " "],
        ["--no-gate", "--gate-matcher", "x"],
    ],
)
def test_a_matcher_that_holds_nothing_is_refused(
    run: Run, path: Path, words: list[str]
) -> None:
    said = run("install", "claude-code", "--yes", *words)

    assert said.code == 2
    assert "--gate-matcher" in said.err
    assert path.read_text() == SETTINGS

"""`oldhand install claude-code --gate`: shown, kept, and taken out to the byte."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from oldhand.clock import system_clock
from oldhand.confirm.policies import put_policy
from oldhand.store import open_database

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
    pinned = "PreToolUse --confirm-url http://localhost:6060 || exit 2"
    assert pinned in shown.out
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


def test_results_are_reported_unless_one_says_no_and_installing_again_keeps_it(
    run: Run, path: Path
) -> None:
    def after() -> list[str]:
        hooks = json.loads(path.read_text())["hooks"]
        return [group["matcher"] for group in hooks.get("PostToolUse", [])]

    found = []
    for words in (["--gate-matcher", "Bash"], [], ["--gate", "--no-gate-results"], []):
        assert run("install", "claude-code", *words, "--yes").code == 0
        found.append(after())

    assert found == [["Bash"], ["Bash"], [], []]
    assert run("uninstall", "claude-code", "--yes").code == 0
    assert path.read_text() == SETTINGS


def test_installing_again_keeps_the_daemon_that_the_gate_asks(
    run: Run, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLDHAND_CONFIRM_URL", "https://confirm.example/")
    run("install", "claude-code", "--gate", "--yes")
    monkeypatch.setenv("OLDHAND_CONFIRM_URL", "https://evil.example")
    run("install", "claude-code", "--yes")

    assert "--confirm-url https://confirm.example ||" in path.read_text()


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


@pytest.mark.parametrize(
    "words", [["--no-gate-results"], ["--no-gate", "--gate-results"]]
)
def test_results_of_no_gate_are_refused(run: Run, path: Path, words: list[str]) -> None:
    said = run("install", "claude-code", "--yes", *words)

    assert said.code == 2
    assert "go with --gate" in said.err
    assert path.read_text() == SETTINGS


def test_an_address_that_is_none_is_not_pinned(
    run: Run, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLDHAND_CONFIRM_URL", "http://confirm.example")

    said = run("install", "claude-code", "--gate", "--yes")

    assert said.code == 2
    assert "https" in said.err
    assert path.read_text() == SETTINGS


def test_a_starter_policy_is_written_where_none_holds_yet(
    run: Run, path: Path, home: Path
) -> None:
    file = home / ".oldhand" / "policy.toml"
    shown = run("install", "claude-code", "--gate", "--dry-run")
    assert not file.exists()
    done = run("install", "claude-code", "--gate", "--yes")
    written = file.read_text()
    file.write_text("version = 1\n")
    again = run("install", "claude-code", "--gate", "--yes")

    assert "policy.toml: not written, as asked" in shown.err
    assert "policy.toml: written" in done.err
    assert file.stat().st_mode & 0o777 == 0o600
    assert written == run("confirm", "policy", "starter").out
    assert "policy.toml" not in again.err
    assert file.read_text() == "version = 1\n"


def test_who_says_no_to_the_policy_has_the_gate_without_it(
    run: Run, path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nn\n"))

    said = run("install", "claude-code", "--gate")

    assert said.code == 0
    assert "no policy was written" in said.err
    assert not (home / ".oldhand" / "policy.toml").exists()
    assert "PreToolUse --confirm-url" in path.read_text()


def test_a_policy_that_somebody_put_is_not_overruled(
    run: Run, path: Path, home: Path
) -> None:
    store = open_database(str(home / ".oldhand" / "oldhand.db"))
    put_policy(store, by=None, clock=system_clock)  # a daemon's beginning
    assert (
        "policy.toml: not" in run("install", "claude-code", "--gate", "--dry-run").err
    )
    put_policy(store, 'version = 1\ndefault = "deny"\n', by="ada", clock=system_clock)
    store.close()

    said = run("install", "claude-code", "--gate", "--yes")

    assert "policy.toml" not in said.err
    assert not (home / ".oldhand" / "policy.toml").exists()


@pytest.mark.parametrize("is_far", [True, False])
def test_for_a_daemon_of_somebody_else_no_policy_is_written_here(
    run: Run, path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, is_far: bool
) -> None:
    if is_far:
        monkeypatch.setenv("OLDHAND_CONFIRM_URL", "https://confirm.example")
    monkeypatch.setenv("OLDHAND_CONFIRM_TOKEN", "oha_a-token-from-them")

    said = run("install", "claude-code", "--gate", "--yes")

    assert "oldhand confirm policy starter" in said.err
    assert not (home / ".oldhand" / "policy.toml").exists()

"""`oldhand install` shows, asks, loses nothing; `uninstall` leaves no trace."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .conftest import Run

MESSY = (
    '{\n   "model": "x",  "n": 1.0e3,\n   "name": "\\u00e9é",\n'
    '   "permissions": {"allow": ["Bash(ls)", "Read"]},\n   "hooks": {\n'
    '      "PreToolUse": [{"matcher": "Bash", "hooks": [\n'
    '         {"type": "command", "command": "check.sh"}]}],\n'
    '      "SessionStart": []\n   }\n}'
)


@pytest.fixture(autouse=True)
def no_claude(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let no Claude Code of this machine be asked for its version."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def settings_of(home: Path, text: str | None = MESSY) -> Path:
    path = home / ".claude" / "settings.json"
    if text is not None:
        path.parent.mkdir()
        path.write_text(text)
    return path


def test_the_hooks_are_put_in_and_taken_out_to_the_byte(run: Run, home: Path) -> None:
    path = settings_of(home)
    path.chmod(0o640)

    done = run("install", "claude-code", "--yes", "--json")

    assert done.code == 0
    (said,) = done.rows
    assert (said["path"], said["changed"]) == (str(path), True)
    assert list(json.loads(path.read_text())["hooks"]) == [
        "PreToolUse",
        *said["events"],
    ]
    assert '"n": 1.0e3,\n   "name": "\\u00e9é"' in path.read_text()
    assert run("uninstall", "claude-code", "--yes").code == 0
    assert path.read_text() == MESSY
    assert path.stat().st_mode & 0o777 == 0o640
    assert list((home / ".oldhand" / "installed").iterdir()) == []


def test_installing_twice_changes_nothing(run: Run, home: Path) -> None:
    path = settings_of(home)
    run("install", "claude-code", "--yes")
    once = path.read_bytes()

    again = run("install", "claude-code", "--json")

    assert again.rows[0]["changed"] is False
    assert path.read_bytes() == once


def test_where_there_was_nothing_there_is_nothing_again(run: Run, home: Path) -> None:
    run("install", "claude-code", "--yes")
    assert (home / ".claude" / "settings.json").exists()

    said = run("uninstall", "claude-code", "--yes")

    assert not (home / ".claude").exists()
    assert said.err.endswith("settings.json: removed\n")


def test_what_was_changed_since_stays_changed(run: Run, home: Path) -> None:
    path = settings_of(home)
    run("install", "claude-code", "--yes")
    path.write_text(path.read_text().replace('"model": "x"', '"model": "y"'))

    run("uninstall", "claude-code", "--yes")

    assert path.read_text() == MESSY.replace('"model": "x"', '"model": "y"')


def test_without_what_was_kept_the_hooks_are_taken_out_all_the_same(
    run: Run, home: Path
) -> None:
    path = settings_of(home, '{\n  "model": "x"\n}\n')
    run("install", "claude-code", "--yes")
    for record in (home / ".oldhand" / "installed").iterdir():
        record.write_text("broken")

    run("uninstall", "claude-code", "--yes")

    assert path.read_text() == '{\n  "model": "x"\n}\n'


def test_the_change_is_shown_and_a_dry_run_makes_none(run: Run, home: Path) -> None:
    path = settings_of(home)

    shown = run("install", "claude-code", "--dry-run")

    assert shown.code == 0
    assert "+" in shown.out
    assert "hook claude-code SessionStart" in shown.out
    assert path.read_text() == MESSY
    assert not (home / ".oldhand").exists()


@pytest.mark.parametrize(
    ("typed", "code"), [("y\n", 0), ("n\n", 2), ("", 2), ("maybe\n", 2)]
)
def test_nothing_is_done_that_was_not_confirmed(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, typed: str, code: int
) -> None:
    import io  # noqa: PLC0415

    path = settings_of(home)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))

    done = run("install", "claude-code")

    assert done.code == code
    assert (path.read_text() == MESSY) is (code != 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{\n  // my settings\n  "a": 1\n}', "comments are not JSON"),
        ("[]", "expected an object"),
        ('{"hooks": {"Stop": "x.sh"}}', "hooks.Stop holds a string"),
        ('{"hooks": {"Stop": [{"hooks": {}}]}}', "hooks.Stop[0].hooks"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('\ufeff{"a": 1}', "BOM"),
        ('{"a": 1}}', "Extra data"),
    ],
)
def test_unusual_settings_are_refused_and_left_alone(
    run: Run, home: Path, text: str, reason: str
) -> None:
    path = settings_of(home, text)

    for verb in ("install", "uninstall"):
        done = run(verb, "claude-code", "--yes")
        assert done.code == 2
        assert reason in done.err
        assert "nothing was changed" in done.err
    assert path.read_text() == text
    assert not (home / ".oldhand").exists()


@pytest.mark.parametrize(("value", "is_told"), [("true", True), ("false", False)])
def test_settings_that_turn_all_hooks_off_are_told(
    run: Run, home: Path, value: str, *, is_told: bool
) -> None:
    settings_of(home, f'{{"disableAllHooks": {value}}}')

    said = run("install", "claude-code", "--yes")

    assert said.code == 0
    assert ("disableAllHooks is on" in said.err) is is_told


def test_an_empty_file_counts_as_no_settings(run: Run, home: Path) -> None:
    path = settings_of(home, "\n")

    run("install", "claude-code", "--yes")

    assert "hooks" in json.loads(path.read_text())
    run("uninstall", "claude-code", "--yes")
    assert path.read_text() == "\n"


def test_a_project_has_settings_that_are_shared_and_some_that_are_not(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = home / "engine"
    project.mkdir()
    monkeypatch.chdir(project)

    shared = run("install", "claude-code", "--project", "--yes")
    run("install", "claude-code", "--local", "--yes")

    assert "--local" in shared.err
    assert sorted(path.name for path in (project / ".claude").iterdir()) == [
        "settings.json",
        "settings.local.json",
    ]
    assert not (home / ".claude").exists()


def test_settings_lie_where_the_variable_says(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "elsewhere"))

    run("install", "claude-code", "--yes")

    assert (home / "elsewhere" / "settings.json").exists()
    assert not (home / ".claude").exists()


def test_an_old_claude_code_gets_no_hook_that_would_undo_its_settings(
    run: Run, home: Path
) -> None:
    program = home / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho '2.0.76 (Claude Code)'\n")
    program.chmod(0o755)

    done = run("install", "claude-code", "--yes", "--json")

    assert done.rows[0]["events"] == ["SessionStart", "SessionEnd"]
    assert "older than 2.1.50" in done.err


def test_another_installation_moves_and_the_first_state_is_remembered(
    run: Run, home: Path
) -> None:
    path = settings_of(home)
    run("install", "claude-code", "--yes")

    run("--database", home / "other.db", "install", "claude-code", "--yes")

    commands = path.read_text()
    assert commands.count(f"--database {home / 'other.db'}") == 3
    assert commands.count("hook claude-code") == 3
    run("uninstall", "claude-code", "--yes")
    assert path.read_text() == MESSY


def test_a_linked_settings_file_stays_a_link(run: Run, home: Path) -> None:
    real = home / "dotfiles.json"
    real.write_text(MESSY)
    (home / ".claude").mkdir()
    path = home / ".claude" / "settings.json"
    path.symlink_to(real)

    run("install", "claude-code", "--yes")
    assert path.is_symlink()
    assert "oldhand" in real.read_text()
    run("uninstall", "claude-code", "--yes")

    assert real.read_text() == MESSY


def test_what_was_kept_is_for_the_owner_alone(run: Run, home: Path) -> None:
    settings_of(home)

    run("install", "claude-code", "--yes")

    (record,) = (home / ".oldhand" / "installed").iterdir()
    assert record.stat().st_mode & 0o777 == 0o600
    assert (home / ".oldhand").stat().st_mode & 0o777 == 0o700


def test_an_agent_that_oldhand_does_not_know_is_named(run: Run) -> None:
    done = run("install", "emacs", "--yes")

    assert done.code == 2
    assert "claude-code" in done.err


def test_a_home_that_cannot_be_written_stops_it_before_the_change(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = settings_of(home)
    (home / "file").write_text("")
    monkeypatch.setenv("OLDHAND_HOME", os.fspath(home / "file" / "oldhand"))

    done = run("install", "claude-code", "--yes")

    assert done.code == 2
    assert path.read_text() == MESSY


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_two_places_at_once_are_refused(run: Run, home: Path, verb: str) -> None:
    said = run(verb, "claude-code", "--user", "--project", "--yes")

    assert said.code == 2
    assert "--user and --project together; take one" in said.err
    assert not (home / ".claude").exists()


@pytest.mark.parametrize("order", [("--project", "--local"), ("--local", "--project")])
def test_the_directory_goes_with_the_last_of_two_files(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, order: tuple[str, str]
) -> None:
    project = home / "engine"
    project.mkdir()
    monkeypatch.chdir(project)
    run("install", "claude-code", "--project", "--yes")
    run("install", "claude-code", "--local", "--yes")

    for place in order:
        assert (project / ".claude").exists()
        run("uninstall", "claude-code", place, "--yes")

    assert list(project.iterdir()) == []


def test_an_empty_directory_that_was_there_stays(run: Run, home: Path) -> None:
    (home / ".claude").mkdir()
    run("install", "claude-code", "--yes")

    run("uninstall", "claude-code", "--yes")

    assert list((home / ".claude").iterdir()) == []

"""What the README and the examples show really runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from oldhand.cli.main import main

from .sessions.importers.claude_code_fixture import Log

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def blocks(language: str) -> list[str]:
    text = (ROOT / "README.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path: Path, home: Path) -> None:
    run = subprocess.run(
        [sys.executable, str(path)],
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout


@pytest.fixture
def checkout(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a project in which Claude Code has left a few sessions."""
    project = home / "ledger"
    project.mkdir()
    for number in range(3):
        log = Log(f"0a1b2c3d-0000-4000-8000-{number:012}", cwd=str(project))
        log.user("Fix the failing test")
        log.call("toolu_1", "Bash", command="python3 -m unittest")
        log.result("toolu_1", "Exit code 1\nFAILED (failures=1)", is_error=True)
        log.call("toolu_2", "Read", file_path=f"{project}/ledger.py")
        log.result("toolu_2", "def total(lines): ...", is_error=False)
        log.write(home / ".claude" / "projects" / "-ledger")
    monkeypatch.chdir(project)
    return project


def exit_code(arguments: list[str]) -> int:
    try:
        main(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_the_shell_lines_of_the_readme_run(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.is_dir()
    lines = [line for block in blocks("shell") for line in block.splitlines() if line]

    codes = {line: exit_code(shlex.split(line, comments=True)[1:]) for line in lines}

    assert len(lines) >= 6
    assert set(codes.values()) == {0}, codes
    assert "<oldhand-past-calls>" in capsys.readouterr().out


def test_the_python_of_the_readme_runs(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.is_dir()
    (block,) = blocks("python")

    exec(compile(block, "README.md", "exec"), {})  # noqa: S102 - the README's own words

    assert "fixing@1" in capsys.readouterr().out

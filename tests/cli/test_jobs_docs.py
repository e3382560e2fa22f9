"""What docs/jobs.md shows really runs, with an agent that is not asked anything dear."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from oldhand.cron.schedule import parse_schedule

from .conftest import Run
from .fake_claude import path_with, put_claude

PAGE = (Path(__file__).parents[2] / "docs" / "jobs.md").read_text()


@pytest.fixture
def user(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new user who has an agent."""
    put_claude(home / "bin")
    monkeypatch.setenv("PATH", path_with(home / "bin"))
    monkeypatch.delenv("OLDHAND_RUN", raising=False)
    monkeypatch.delenv("OLDHAND_CRON_RUNNER", raising=False)
    return home


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.usefixtures("user")
def test_the_shell_lines_run_in_their_order(run: Run) -> None:
    lines = [line for block in blocks("shell") for line in block.splitlines() if line]

    said = {line: run(*shlex.split(line, comments=True)[1:]) for line in lines}

    assert len(lines) >= 10
    assert {line: each.err for line, each in said.items() if each.code} == {}
    assert "Say what changed in this project today" in said[lines[3]].out
    assert "succeeded" in said[lines[2]].out


@pytest.mark.usefixtures("user")
def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks("python"):
        exec(compile(block, "docs/jobs.md", "exec"), {})  # noqa: S102 - our own words

    assert capsys.readouterr().out == "[]\n"


def test_every_schedule_that_the_page_names_is_taken() -> None:
    table = PAGE.partition("## Schedules")[2].partition("Nothing else")[0]
    said = [
        word
        for line in table.splitlines()
        if line.startswith("| `")
        for word in re.findall(r"`([^`]+)`", line.split("|")[1])
        if not re.fullmatch(r"\+01:00|Z", word)
    ]

    assert len(said) >= 14
    for schedule in said:
        parse_schedule(schedule, zone="UTC", now_us=1_795_276_800_000_000)

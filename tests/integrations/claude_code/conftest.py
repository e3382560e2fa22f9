"""A machine with Claude Code on it, with and without sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...sessions.importers.claude_code_fixture import Log, text  # noqa: TID252 - tests are no package
from .recorded_events import Machine

EARLIER = "0a1b2c3d-0000-4000-8000-000000000001"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Make a home without sessions."""
    return Machine(tmp_path / "home")


@pytest.fixture
def taught(machine: Machine) -> Machine:
    """Make a home where earlier sessions of the project are on record."""
    log = earlier_session(str(machine.project))
    log.write(machine.folder)
    machine.oldhand("import", "claude-code")
    return machine


def earlier_session(cwd: str, session: str = EARLIER) -> Log:
    """Return a session in which calls worked."""
    log = Log(session, cwd=cwd)
    log.user("Fix the tests")
    for number, command in enumerate(
        ["pytest -q tests", "git diff --stat", "make lint"]
    ):
        log.call(f"toolu_{number}", "Bash", command=command)
        log.result(f"toolu_{number}", "fine", is_error=False)
    log.call("toolu_r", "Read", file_path=f"{cwd}/a.py")
    log.result("toolu_r", "x = 1", is_error=False)
    log.call("toolu_m", "mcp__tracker__list", query="open")
    log.result("toolu_m", "none", is_error=False)
    log.answer(text("Done."))
    return log

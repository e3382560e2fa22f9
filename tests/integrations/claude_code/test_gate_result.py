"""After a held call: the daemon learns whether it worked, and the agent waits for nothing."""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oldhand.confirm.model import Request
from oldhand.integrations.claude_code.used_approvals import (
    FOLDER,
    UsedApproval,
    keep,
    take,
)

from ..gate.daemon import Daemon  # noqa: TID252 - tests are no package
from .recorded_events import Machine

CALL = "toolu_01AbC"


@pytest.fixture
def daemon(tmp_path: Path, machine: Machine) -> Iterator[Daemon]:
    """Start a daemon, and let the machine's agent have a token."""
    made = Daemon(tmp_path / "held.db")
    machine.environment |= {
        "OLDHAND_CONFIRM_URL": made.url,
        "OLDHAND_CONFIRM_TOKEN": made.token,
    }
    yield made
    made.stop()


def let_pass(machine: Machine, daemon: Daemon, call: str = CALL) -> str:
    """Have a call pass the gate; return its request's id."""
    event = machine.event(
        "PreToolUse", tool_name="look", tool_input={"at": 1}, tool_use_id=call
    )
    answer = json.loads(machine.hook(event).out)["hookSpecificOutput"]
    assert answer["permissionDecision"] == "allow", answer
    return str(answer["permissionDecisionReason"].rpartition(" ")[2])


def after(machine: Machine, name: str = "PostToolUse", **fields: Any) -> dict[str, Any]:
    given = {"tool_name": "look", "tool_input": {"at": 1}, "tool_use_id": CALL}
    return machine.event(name, **given, **fields)


def finished(daemon: Daemon, request_id: str) -> Request:
    """Wait until the process that nobody waits for has told the daemon."""
    until = time.monotonic() + 15
    while time.monotonic() < until:
        found = daemon.find(request_id)
        if found.finished_at_us is not None:
            return found
        threading.Event().wait(0.02)
    raise AssertionError("nobody told the daemon what came of the call")


def test_a_call_that_worked_is_told_to_the_daemon(
    machine: Machine, daemon: Daemon
) -> None:
    request_id = let_pass(machine, daemon)

    answer = machine.hook(after(machine, tool_response={"stdout": "fine"}))

    assert (answer.out, answer.err, answer.code) == ("{}\n", "", 0)
    assert finished(daemon, request_id).state == "succeeded"


@pytest.mark.parametrize(
    "fields", [{"error": "Exit code 2"}, {"error": "Aborted", "is_interrupt": True}]
)
def test_a_call_that_failed_or_was_stopped_is_told_as_failed_without_its_words(
    machine: Machine, daemon: Daemon, fields: dict[str, Any]
) -> None:
    request_id = let_pass(machine, daemon)

    answer = machine.hook(after(machine, "PostToolUseFailure", **fields))

    assert (answer.code, json.loads(answer.out)) == (0, {})
    found = finished(daemon, request_id)
    assert found.state == "failed"
    assert "Exit code" not in str(found.result)


def test_a_flag_of_failure_in_a_response_counts(
    machine: Machine, daemon: Daemon
) -> None:
    request_id = let_pass(machine, daemon)

    machine.hook(after(machine, tool_response={"is_error": True}))

    assert finished(daemon, request_id).state == "failed"


def test_the_daemon_that_gave_leave_is_told_whatever_the_environment_says(
    machine: Machine, daemon: Daemon
) -> None:
    request_id = let_pass(machine, daemon)
    machine.environment["OLDHAND_CONFIRM_URL"] = "http://localhost:9"

    machine.hook(after(machine))

    assert finished(daemon, request_id).state == "succeeded"


def test_what_a_call_used_lies_where_only_its_owner_reads_and_is_taken_once(
    machine: Machine, daemon: Daemon
) -> None:
    let_pass(machine, daemon)
    file = machine.home / ".oldhand" / FOLDER / CALL

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    machine.hook(after(machine))
    assert not file.exists()


def test_a_call_that_was_not_held_asks_nobody(machine: Machine, daemon: Daemon) -> None:
    answer = machine.hook(after(machine))

    assert (answer.out, answer.err, answer.code) == ("{}\n", "", 0)
    assert daemon.asked == []


def test_without_a_daemon_the_agent_goes_on_and_the_log_says_why(
    machine: Machine, daemon: Daemon
) -> None:
    let_pass(machine, daemon)
    machine.environment["OLDHAND_CONFIRM_TOKEN"] = "oha_of_nobody_at_all"  # noqa: S105

    answer = machine.hook(after(machine))

    assert (answer.out, answer.err, answer.code) == ("{}\n", "", 0)
    log = machine.home / ".oldhand" / "hooks.log"
    until = time.monotonic() + 15
    while not log.exists() and time.monotonic() < until:
        threading.Event().wait(0.02)
    assert "no such token" in log.read_text()


def test_where_nothing_can_be_kept_the_call_still_passes(
    machine: Machine, daemon: Daemon
) -> None:
    (machine.home / ".oldhand").mkdir()
    (machine.home / ".oldhand" / FOLDER).write_text("no folder")

    let_pass(machine, daemon)


@pytest.mark.parametrize("call", ["../agent.token", "", "a/b", "x" * 200, "é"])
def test_a_name_that_poses_as_a_path_is_not_kept(
    machine: Machine, daemon: Daemon, call: str
) -> None:
    let_pass(machine, daemon, call)

    assert not (machine.home / ".oldhand" / FOLDER).exists()


def test_what_nobody_asks_for_goes_after_an_hour(tmp_path: Path) -> None:
    used = UsedApproval("r", "http://localhost:6060")
    for name in ("old", "new"):
        keep(tmp_path, name, used)
    os.utime(tmp_path / FOLDER / "old", (0, 0))

    keep(tmp_path, "newest", used)

    assert take(tmp_path, "old") is None
    assert [take(tmp_path, name) for name in ("new", "newest")] == [used, used]
    assert take(tmp_path, "new") is None


@pytest.mark.parametrize("data", [b"", b"[1]", b"{}", b"\xff", b"[1, 2, 3]", b"7"])
def test_a_file_that_is_none_of_ours_is_no_approval(
    tmp_path: Path, data: bytes
) -> None:
    keep(tmp_path, "c", UsedApproval("r", "u"))
    (tmp_path / FOLDER / "c").write_bytes(data)

    assert take(tmp_path, "c") is None

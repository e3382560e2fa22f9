"""A call that failed inside Claude Code: the model is told what helped before."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ...sessions.importers.claude_code_fixture import Log  # noqa: TID252 - tests are no package
from .recorded_events import UID, Machine

UNKNOWN_FLAG = "Exit code 1\nunknown flag: --stat"


@pytest.fixture
def repaired(machine: Machine) -> Machine:
    """Make a home where a call failed in an earlier session and was repaired."""
    log = Log("0a1b2c3d-0000-4000-8000-000000000001", cwd=str(machine.project))
    log.user("Show the changes")
    log.call("toolu_1", "Bash", command="gh pr diff 8 --stat")
    log.result("toolu_1", UNKNOWN_FLAG, is_error=True)
    log.call("toolu_2", "Bash", command="gh pr diff 8 --name-only")
    log.result("toolu_2", "a.py", is_error=False)
    log.write(machine.folder)
    machine.oldhand("import", "claude-code")
    return machine


def failed(machine: Machine, **fields: Any) -> dict[str, Any]:
    return machine.event(
        "PostToolUseFailure",
        **{
            "tool_name": "Bash",
            "tool_input": {"command": "gh pr diff 9 --stat"},
            "tool_use_id": "toolu_9",
            "error": UNKNOWN_FLAG,
            "is_interrupt": False,
            **fields,
        },
    )


def test_the_model_is_told_the_repair(repaired: Machine) -> None:
    answer = repaired.hook(failed(repaired))

    assert (answer.err, answer.code) == ("", 0)
    assert answer.context is not None
    assert answer.context.startswith("<oldhand-hints>\n")
    assert "gh pr diff 8 --name-only" in answer.context
    said = json.loads(answer.out)["hookSpecificOutput"]["hookEventName"]
    assert said == "PostToolUseFailure"


def test_a_response_that_says_it_failed_is_answered_too(repaired: Machine) -> None:
    event = failed(repaired, tool_response={"is_error": True, "stderr": UNKNOWN_FLAG})
    event["hook_event_name"] = "PostToolUse"
    del event["error"]

    assert "gh pr diff 8" in (repaired.hook(event).context or "")


NOTHING = {
    "nothing fits": {"tool_input": {"command": "ls /nowhere"}, "error": "No such file"},
    "a red test": {
        "tool_input": {"command": "pytest -q"},
        "error": "Exit code 1\n1 failed",
    },
    "stopped by the person": {"is_interrupt": True},
    "an unknown tool": {"tool_name": "Nope"},
}


@pytest.mark.parametrize("fields", NOTHING.values(), ids=NOTHING)
def test_where_nothing_fits_the_answer_is_empty_and_valid(
    repaired: Machine, fields: dict[str, Any]
) -> None:
    answer = repaired.hook(failed(repaired, **fields))

    assert (answer.out.strip(), answer.err, answer.code) == ("{}", "", 0)


def test_without_a_database_none_is_made(machine: Machine) -> None:
    answer = machine.hook(failed(machine))

    assert (answer.out.strip(), answer.code) == ("{}", 0)
    assert "no database yet" in answer.err
    assert not (machine.home / ".oldhand").exists()


HOSTILE = [
    {"tool_name": "\0"},
    {"tool_name": "x" * 300},
    {"tool_input": [1]},
    {"tool_input": {"command": ["\ud800"]}},
    {"error": {"a": 1}},
    {"error": "\u202e</oldhand-hints>" * 1_000},
    {"cwd": "/nowhere/at/all"},
    {"transcript_path": "/etc/passwd"},
]


@pytest.mark.parametrize("fields", HOSTILE)
def test_hostile_events_never_break_the_agent(
    repaired: Machine, fields: dict[str, Any]
) -> None:
    answer = repaired.hook(failed(repaired, **fields))

    assert answer.code == 0
    json.loads(answer.out)


@pytest.fixture
def edited(machine: Machine) -> Machine:
    """Make a home where edits failed in sessions that had not read the file."""
    for number in range(18):
        uid = f"0a1b2c3d-0000-4000-8000-0000000001{number:02}"
        path = f"{machine.project}/src/f{number}.py"
        log = Log(uid, cwd=str(machine.project))
        log.user("Change it")
        if number < 12:
            log.call("toolu_r", "Read", file_path=path)
            log.result("toolu_r", "x", is_error=False)
        log.call("toolu_e", "Edit", file_path=path, old_string="a", new_string="b")
        if number < 12:
            log.result("toolu_e", "done", is_error=False)
        else:
            log.result("toolu_e", "File has not been read yet.", is_error=True)
        log.write(machine.folder)
    machine.oldhand("import", "claude-code")
    return machine


@pytest.mark.parametrize(
    ("read", "is_told"), [("src/new.py", False), ("src/old.py", True)]
)
def test_what_the_session_has_just_done_is_not_called_missing(
    edited: Machine, read: str, *, is_told: bool
) -> None:
    log = Log(UID, cwd=str(edited.project))
    log.user("Change it")
    log.call("toolu_1", "Read", file_path=f"{edited.project}/{read}")
    log.result("toolu_1", "x", is_error=False)
    log.write(edited.folder)
    path = f"{edited.project}/src/new.py"
    edit = {"file_path": path, "old_string": "a", "new_string": "b"}
    event = failed(
        edited, tool_name="Edit", tool_input=edit, error="File has not been read yet."
    )

    answer = edited.hook(event)

    assert ("precondition: " in (answer.context or "")) == is_told


def test_a_session_file_of_any_content_is_no_fault(repaired: Machine) -> None:
    lines = [
        '{"message": 1}',
        '["tool_use"]',
        '"tool_',
        '{"message":{"content":[{"type":"tool_use","id":[],"name":"x","input":{}},{"type":"tool_result","tool_use_id":{}}]}}',
    ]
    (repaired.folder / f"{UID}.jsonl").write_text("\n".join(lines))

    assert repaired.hook(failed(repaired)).context is not None

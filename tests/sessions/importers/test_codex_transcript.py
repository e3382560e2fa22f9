"""Codex's tool calls: how they are written, answered, ended and aborted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oldhand.sessions.model import Evidence

from .codex_fixture import (
    Json,
    Rollout,
    call,
    event,
    item,
    meta,
    output,
)


@pytest.fixture
def read(tmp_path: Path) -> Rollout:
    return Rollout(tmp_path)


def test_a_result_follows_its_call_by_id(read: Rollout) -> None:
    session = read(meta(), call("c1", "shell", '{"command":["ls"]}'), output("c1", "a"))

    made, answer = session.messages
    assert (made.calls[0].call_id, made.calls[0].tool) == ("c1", "shell")
    assert made.calls[0].arguments == '{"command":["ls"]}'
    assert (answer.role, answer.call_id, answer.content) == ("tool", "c1", "a")


def test_a_custom_tool_takes_free_text(read: Rollout) -> None:
    patch = "*** Begin Patch\n*** End Patch"
    made = item("custom_tool_call", name="apply_patch", input=patch, call_id="c1")

    session = read(
        meta(), made, item("custom_tool_call_output", call_id="c1", output="")
    )

    assert session.messages[0].calls[0].arguments == patch
    assert session.messages[1].call_id == "c1"


def test_a_local_shell_call_gives_its_action_as_arguments(read: Rollout) -> None:
    action = {"type": "exec", "command": ["ls", "-l"]}

    session = read(meta(), item("local_shell_call", call_id="c1", action=action))

    (made,) = session.messages[0].calls
    assert (made.tool, json.loads(made.arguments)) == ("local_shell", action)


def test_a_tool_of_a_server_is_named_with_its_name_space(read: Rollout) -> None:
    made = item("function_call", name="get_issue", namespace="mcp__github", call_id="c")

    session = read(meta(), made)

    (found,) = session.messages[0].calls
    assert (found.tool, found.arguments) == ("mcp__github__get_issue", "{}")


@pytest.mark.parametrize(
    ("status", "is_error"), [("completed", False), ("failed", True)]
)
def test_a_web_search_is_a_call_with_its_own_status(
    read: Rollout, status: str, is_error: bool
) -> None:
    action = {"type": "search", "query": "oldhand"}

    session = read(
        meta(), item("web_search_call", id="ws", status=status, action=action)
    )

    made, answer = session.messages
    assert made.calls[0].tool == "web_search"
    assert answer.evidence == Evidence(is_error=is_error, is_partial=True)


def test_a_web_search_that_goes_on_has_no_result(read: Rollout) -> None:
    session = read(meta(), item("web_search_call", id="ws", status="in_progress"))

    assert [m.role for m in session.messages] == ["assistant"]


def test_calls_without_ids_are_named_by_place_and_answered_by_tool(
    read: Rollout,
) -> None:
    made = item("tool_call", function={"name": "run"}, arguments={"command": "ls"})
    answer = item("tool_result", name="run", result={"stdout": "a\n", "exitCode": 3})

    result = read.result(meta(), made, answer)

    assert (result.call_id, result.content) == ("#2", "a\n")
    assert result.evidence.exit_code == 3


def test_a_call_id_that_is_used_again_is_made_unique(read: Rollout) -> None:
    session = read(
        meta(), call("c"), output("c", "first"), call("c"), output("c", "second")
    )

    calls = [made.call_id for m in session.messages for made in m.calls]
    results = [(m.call_id, m.content) for m in session.messages if m.role == "tool"]
    assert calls == ["c", "c~2"]
    assert results == [("c", "first"), ("c~2", "second")]


def test_a_result_without_a_call_is_counted(read: Rollout) -> None:
    hello = item("message", role="user", content="Hi")

    session = read(meta(), hello, output("nobody", "x"))

    assert len(session.messages) == 1
    assert read.tally.orphans == 1


def test_a_second_result_of_a_call_is_counted(read: Rollout) -> None:
    result = read.result(meta(), call("c"), output("c", "one"), output("c", "two"))

    assert result.content == "one"
    assert read.tally.duplicates == 1


EXEC_END = {"call_id": "c", "exit_code": 1, "status": "failed"}


@pytest.mark.parametrize("comes_first", [True, False])
def test_the_end_of_a_command_is_evidence_before_or_after_the_result(
    read: Rollout, comes_first: bool
) -> None:
    end = event(
        "exec_command_end", **EXEC_END, duration={"secs": 1, "nanos": 5_000_000}
    )
    pair = [end, output("c", "x")] if comes_first else [output("c", "x"), end]

    result = read.result(meta(), call("c"), *pair)

    assert result.evidence == Evidence(exit_code=1, duration_us=1_005_000)


@pytest.mark.parametrize(
    ("end", "evidence"),
    [
        (
            event("exec_command_end", call_id="c", status="declined"),
            Evidence(refused=True),
        ),
        (
            event("mcp_tool_call_end", call_id="c", result={"Ok": {"isError": True}}),
            Evidence(is_error=True),
        ),
        (
            event("mcp_tool_call_end", call_id="c", result={"Ok": {"content": []}}),
            Evidence(is_error=False),
        ),
        (
            event("mcp_tool_call_end", call_id="c", result={"Err": "no such tool"}),
            Evidence(is_error=True),
        ),
        (event("patch_apply_end", call_id="c", success=False), Evidence(is_error=True)),
        (event("patch_apply_end", call_id="c", success=True), Evidence(is_error=False)),
        (
            event(
                "item_completed",
                item={"type": "CommandExecution", "id": "c", "exit_code": 2},
            ),
            Evidence(exit_code=2),
        ),
    ],
)
def test_events_tell_how_a_call_ended(
    read: Rollout, end: Json, evidence: Evidence
) -> None:
    result = read.result(meta(), call("c"), end, output("c", "x"))

    assert result.evidence == evidence


def test_an_aborted_turn_cancels_its_open_calls(read: Rollout) -> None:
    result = read.result(meta(), call("c"), event("turn_aborted", reason="interrupted"))

    assert (result.call_id, result.content) == ("c", "")
    assert result.evidence == Evidence(cancelled=True)


def test_a_result_that_comes_after_the_abort_counts(read: Rollout) -> None:
    result = read.result(meta(), call("c"), event("turn_aborted"), output("c", "late"))

    assert (result.content, result.evidence) == ("late", Evidence())

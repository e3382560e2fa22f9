"""The gate before a call: what a person allows runs, and any fault at all denies."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from oldhand.errors import InvalidInput
from oldhand.integrations.claude_code.gate import (
    Call,
    arguments_of,
    read_call,
    show_call,
)
from oldhand.integrations.claude_code.gate_answers import ANSWER_SECONDS, HOOK_SECONDS
from oldhand.integrations.claude_code.hook_settings import (
    Gate,
    is_ours,
    standing_gate,
    wanted_hooks,
    with_hooks,
)
from oldhand.integrations.gate.access import save_token

from ..gate.daemon import Daemon, send  # noqa: TID252 - tests are no package
from .recorded_events import Machine

BASH = {"command": "make deploy", "description": "Ship it"}


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


def said(machine: Machine, event: Any) -> dict[str, Any]:
    """Return the hook's decision."""
    answer = machine.hook(event, name="PreToolUse")
    assert answer.code == 0
    value = json.loads(answer.out)["hookSpecificOutput"]
    assert value["hookEventName"] == "PreToolUse"
    assert isinstance(value, dict)
    return value


def before(machine: Machine, tool: str = "Bash", **arguments: Any) -> dict[str, Any]:
    """Return the event of a call that is about to be made."""
    given = arguments or (BASH if tool == "Bash" else {"path": "a"})
    return machine.event("PreToolUse", tool_name=tool, tool_input=given)


def once_held(daemon: Daemon, work: Callable[[str], None]) -> None:
    """Do something with the next request that is waited for."""
    is_done = threading.Event()

    def fault(handler: BaseHTTPRequestHandler) -> bool:
        if "wait=" in handler.path and not is_done.is_set():
            is_done.set()
            work(handler.path.split("/")[2].partition("?")[0])
        return False

    daemon.fault = fault


def test_what_a_person_approves_is_allowed_as_it_is(
    machine: Machine, daemon: Daemon
) -> None:
    ids: list[str] = []

    def yes(request_id: str) -> None:
        ids.append(request_id)
        daemon.decide(request_id)

    once_held(daemon, yes)

    decision = said(machine, before(machine))

    assert decision["permissionDecision"] == "allow"
    assert "allowed by a person" in decision["permissionDecisionReason"]
    assert "updatedInput" not in decision
    request = daemon.find(ids[0])
    assert (request.state, request.action) == ("consumed", "Bash")
    assert request.details == {"command": "make deploy", "cwd": str(machine.project)}
    assert request.description == "Ship it"
    assert request.session_key == "0a1b2c3d-0000-4000-8000-000000000009"


def test_inside_a_scheduled_run_a_request_is_the_runs(
    machine: Machine, daemon: Daemon
) -> None:
    machine.environment["OLDHAND_SESSION_KEY"] = "run-7"
    keys: list[str] = []

    def yes(request_id: str) -> None:
        keys.append(daemon.find(request_id).session_key)
        daemon.decide(request_id)

    once_held(daemon, yes)

    assert said(machine, before(machine))["permissionDecision"] == "allow"
    assert keys == ["run-7"]


def test_the_daemon_that_the_command_names_is_asked_whatever_the_environment_says(
    machine: Machine, daemon: Daemon
) -> None:
    url = machine.environment.pop("OLDHAND_CONFIRM_URL")
    machine.environment["OLDHAND_CONFIRM_URL"] = "http://localhost:9"

    asked = machine.hook(before(machine, "look"), "--confirm-url", url)
    unnamed = machine.hook(before(machine, "look"), "--confirm-url=")

    decisions = [
        json.loads(each.out)["hookSpecificOutput"]["permissionDecision"]
        for each in (asked, unnamed)
    ]
    assert decisions == ["allow", "deny"]


def test_a_stored_token_is_not_sent_where_the_environment_says(
    machine: Machine, daemon: Daemon
) -> None:
    del machine.environment["OLDHAND_CONFIRM_TOKEN"]
    machine.environment["OLDHAND_CONFIRM_URL"] = "https://confirm.example"
    save_token(machine.home / ".oldhand" / "agent.token", daemon.token, url=daemon.url)

    decision = said(machine, before(machine, "look"))

    assert decision["permissionDecision"] == "deny"
    assert "is not sent to" in decision["permissionDecisionReason"]


def test_what_a_person_wrote_instead_is_what_runs(
    machine: Machine, daemon: Daemon
) -> None:
    details = {"command": "make deploy-test", "cwd": str(machine.project)}
    once_held(daemon, lambda name: daemon.decide(name, details=details))

    decision = said(machine, before(machine))

    assert decision["permissionDecision"] == "allow"
    assert decision["updatedInput"] == {
        "command": "make deploy-test",
        "description": "Ship it",
    }


def test_what_is_denied_is_denied_with_the_reason(
    machine: Machine, daemon: Daemon
) -> None:
    once_held(
        daemon,
        lambda name: daemon.decide(name, is_yes=False, reason="Not on a Friday."),
    )

    decision = said(machine, before(machine))

    assert decision["permissionDecision"] == "deny"
    assert "Not on a Friday." in decision["permissionDecisionReason"]


def test_rules_decide_at_once(machine: Machine, daemon: Daemon) -> None:
    allowed = said(machine, before(machine, "look"))
    blocked = said(machine, before(machine, "never"))

    assert allowed["permissionDecision"] == "allow"
    assert "allowed by a rule" in allowed["permissionDecisionReason"]
    assert blocked["permissionDecision"] == "deny"
    assert "It is never done." in blocked["permissionDecisionReason"]
    assert not any("wait=" in line for line in daemon.asked)


def test_a_changed_directory_cannot_be_had(machine: Machine, daemon: Daemon) -> None:
    details = {"command": "make deploy", "cwd": "/"}
    once_held(daemon, lambda name: daemon.decide(name, details=details))

    decision = said(machine, before(machine))

    assert decision["permissionDecision"] == "deny"
    assert "changed the directory" in decision["permissionDecisionReason"]


BAD_EVENTS: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "no tool": b'{"hook_event_name": "PreToolUse", "tool_input": {}}',
    "another event": b'{"hook_event_name": "PostToolUse", "tool_name": "Bash"}',
    "a key twice": b'{"session_id": "s", "cwd": "/", "tool_name": "look", '
    b'"tool_input": {"a": 1, "a": 2}}',
    "a tool that is none": b'{"session_id":"s","cwd":"/","tool_name":["look"],"tool_input":{}}',
    "arguments that are none": b'{"session_id":"s","cwd":"/","tool_name":"look","tool_input":[]}',
    "no session": b'{"cwd":"/","tool_name":"look","tool_input":{}}',
    "NaN": b'{"session_id":"s","cwd":"/","tool_name":"look","tool_input":{"a":NaN}}',
    "deep": b"[" * 100_000,
    "no UTF-8": b"\xff",
}


@pytest.mark.parametrize("name", BAD_EVENTS)
def test_an_event_that_is_not_understood_is_denied(
    machine: Machine, daemon: Daemon, name: str
) -> None:
    decision = said(machine, BAD_EVENTS[name])

    assert decision["permissionDecision"] == "deny"
    assert "oldhand serve" in decision["permissionDecisionReason"]
    assert daemon.asked == []


def no_daemon(machine: Machine, daemon: Daemon) -> None:
    machine.environment["OLDHAND_CONFIRM_URL"] = "http://127.0.0.1:9"


def no_token(machine: Machine, daemon: Daemon) -> None:
    del machine.environment["OLDHAND_CONFIRM_TOKEN"]


def open_token(machine: Machine, daemon: Daemon) -> None:
    no_token(machine, daemon)
    (machine.home / ".oldhand").mkdir()
    (machine.home / ".oldhand" / "agent.token").write_text(daemon.token)


def broken_settings(machine: Machine, daemon: Daemon) -> None:
    (machine.home / ".oldhand").mkdir()
    (machine.home / ".oldhand" / "oldhand.toml").write_text("= no TOML")


def revoked_token(machine: Machine, daemon: Daemon) -> None:
    machine.environment["OLDHAND_CONFIRM_TOKEN"] = "oha_of_nobody_at_all"  # noqa: S105


def answers(status: int, value: object) -> Callable[[Machine, Daemon], None]:
    def broken(_: Machine, daemon: Daemon) -> None:
        def fault(handler: BaseHTTPRequestHandler) -> bool:
            send(handler, status, value)
            return True

        daemon.fault = fault

    return broken


BREAKS: dict[str, Callable[[Machine, Daemon], None]] = {
    "no daemon": no_daemon,
    "no token": no_token,
    "a token that others may read": open_token,
    "settings that are none": broken_settings,
    "a token of nobody": revoked_token,
    "an error": answers(500, {}),
    "too many": answers(429, {"detail": "no more"}),
    "yes to nothing": answers(200, {"status": "auto_approved"}),
    "no JSON": answers(200, b"yes"),
    "an approval of nothing": answers(200, {"id": "x", "status": "auto_approved"}),
    "a redirect": answers(302, {}),
}


@pytest.mark.parametrize("name", BREAKS)
def test_whatever_is_broken_the_call_is_denied(
    machine: Machine, daemon: Daemon, name: str
) -> None:
    BREAKS[name](machine, daemon)

    decision = said(machine, before(machine, "look"))

    assert decision["permissionDecision"] == "deny"
    assert "oldhand serve" in decision["permissionDecisionReason"]


def test_who_asked_too_often_is_told_when_it_goes_on(
    machine: Machine, daemon: Daemon
) -> None:
    problem = {"detail": "asked 10 times", "window_seconds": 3600}
    answers(429, problem | {"retry_after_seconds": 77})(machine, daemon)

    reason = said(machine, before(machine, "look"))["permissionDecisionReason"]

    assert "asked 10 times; it goes on in 77 seconds" in reason
    assert "--rate-limit" in reason
    assert "could not find out" not in reason


def test_a_mistake_of_ours_denies(machine: Machine, daemon: Daemon) -> None:
    (machine.home / "sitecustomize.py").write_text(
        "import oldhand.integrations.gate.client as c\n"
        "c.ConfirmationClient.submit = lambda *_, **__: 1 // 0\n"
    )
    machine.environment["PYTHONPATH"] = str(machine.home)

    answer = machine.hook(before(machine, "look"))

    assert json.loads(answer.out)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "ZeroDivisionError" in answer.err


def test_a_line_with_more_than_it_should_have_denies(
    machine: Machine, daemon: Daemon
) -> None:
    answer = machine.hook(before(machine, "look"), "extra")

    assert json.loads(answer.out)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_where_nobody_reads_the_answer_the_exit_code_denies(
    machine: Machine, daemon: Daemon
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.run(
        machine.command("hook", "claude-code", "PreToolUse"),
        input=json.dumps(before(machine, "look")).encode(), stdout=writing,
        stderr=subprocess.PIPE, env=machine.environment, cwd=machine.home, check=False,
    )  # fmt: skip
    os.close(writing)

    assert run.returncode == 2


@pytest.mark.parametrize("program", ["/no/such/oldhand", "sh -c 'kill -9 $$'"])
def test_a_program_that_cannot_answer_blocks_by_its_exit_code(program: str) -> None:
    command = wanted_hooks(program, (), gate=Gate("Bash"))["PreToolUse"]["hooks"][0][
        "command"
    ]

    run = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False)

    assert run.returncode == 2


def test_the_gate_answers_before_claude_code_would_let_the_call_pass() -> None:
    hook = wanted_hooks("oldhand", (), gate=Gate("Bash"))["PreToolUse"]["hooks"][0]

    assert is_ours(hook)
    assert hook["timeout"] == HOOK_SECONDS
    assert hook["timeout"] > ANSWER_SECONDS + 20


def test_the_gate_that_stands_is_found() -> None:
    for gate in (
        Gate("Bash|Write"),
        Gate("Bash", "https://confirm.example"),
        Gate("Bash", "http://localhost:7000", has_results=False),
    ):
        text = with_hooks("{}", wanted_hooks("oldhand", ("SessionEnd",), gate=gate))
        assert standing_gate(text) == gate
    assert standing_gate("{}") is None


def test_the_models_words_and_the_directory_are_not_among_the_arguments() -> None:
    call = Call("mcp__x__run", {"cwd": "sub", "description": "d"}, "s", "/work")
    shown = show_call(call)

    assert shown.details == {"cwd": "sub", "description": "d", "session_cwd": "/work"}
    assert arguments_of(call, shown, shown.details) == call.arguments
    with pytest.raises(InvalidInput):
        show_call(call._replace(arguments={"cwd": 1, "session_cwd": 2}))


def test_a_call_is_read(machine: Machine) -> None:
    call = read_call(json.dumps(before(machine)).encode())

    assert (call.tool, call.arguments) == ("Bash", BASH)

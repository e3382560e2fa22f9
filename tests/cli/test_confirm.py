"""`oldhand confirm`, as an agent and as somebody without a terminal meet it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..integrations.gate.daemon import Daemon  # noqa: TID252 - tests are no package
from .conftest import Run


@pytest.fixture
def daemon(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Daemon]:
    """Start a daemon that the settings name, with a token in the environment."""
    (home / ".oldhand").mkdir(mode=0o700)
    made = Daemon(home / ".oldhand" / "oldhand.db")
    monkeypatch.setenv("OLDHAND_CONFIRM_URL", made.url)
    monkeypatch.setenv("OLDHAND_CONFIRM_TOKEN", made.token)
    yield made
    made.stop()


def soon(daemon: Daemon, **decision: object) -> list[str]:
    """Let a person decide the next request that somebody waits for; return its id then."""
    ids: list[str] = []

    def fault(handler: object) -> bool:
        path = str(getattr(handler, "path", ""))
        if "wait=" in path and not ids:
            ids.append(path.split("/")[2].partition("?")[0])
            daemon.decide(ids[0], **decision)  # type: ignore[arg-type]
        return False

    daemon.fault = fault
    return ids


def test_a_request_is_submitted_waited_for_and_shown(run: Run, daemon: Daemon) -> None:
    asked = run("confirm", "submit", "deploy", "--details", '{"env": "test"}')
    request_id = asked.out.strip()
    still = run("confirm", "wait", request_id, "--timeout", "0")
    daemon.decide(request_id)
    waited = run("confirm", "wait", request_id)
    shown = run("confirm", "show", request_id)

    assert (asked.code, still.code, waited.code) == (0, 9, 0)
    assert "a person decides at http" in asked.err
    assert (still.out, waited.out) == ("pending\n", "approved\n")
    assert '"env": "test"' in shown.out
    assert run("confirm", "show", request_id, "--json").rows[0]["status"] == "approved"


@pytest.mark.parametrize(("verb", "code"), [("deny", 11), ("cancel", 4)])
def test_the_exit_code_of_wait_says_what_became_of_it(
    run: Run, daemon: Daemon, verb: str, code: int
) -> None:
    request_id = run("confirm", "submit", "deploy").out.strip()
    if verb == "deny":
        daemon.decide(request_id, is_yes=False, reason="No.")
    else:
        run("confirm", "cancel", request_id)

    assert run("confirm", "wait", request_id).code == code


def test_what_a_rule_blocks_is_exit_11(run: Run, daemon: Daemon) -> None:
    said = run("confirm", "submit", "never")
    as_json = run("confirm", "submit", "never", "--json")

    assert (said.code, said.out) == (11, "")
    assert "It is never done." in said.err
    assert (as_json.code, as_json.rows[0]["status"]) == (11, "blocked")


def test_a_command_runs_as_approved_and_its_exit_code_is_passed_on(
    daemon: Daemon, home: Path
) -> None:
    ids = soon(daemon)
    script = "cat; echo err >&2; exit 7"

    said = subprocess.run(
        [sys.executable, "-m", "oldhand", "confirm", "run", "--", "sh", "-c", script],
        input="in", capture_output=True, text=True, cwd=home, check=False,
    )  # fmt: skip

    assert (said.returncode, said.stdout) == (7, "in")
    assert said.stderr.endswith(f"/inbox/{ids[0]}\nerr\n")
    request = daemon.find(ids[0])
    assert request.details["command"] == ["sh", "-c", script]
    assert (request.state, request.action) == ("failed", "run_command")


def test_a_command_that_was_edited_runs_as_edited_and_without_a_shell(
    run: Run, daemon: Daemon, home: Path
) -> None:
    text = "a; touch $(echo b) > c"
    soon(daemon, details={"command": ["touch", text], "cwd": str(home)})

    said = run("confirm", "run", "--", "touch", "other")

    assert said.code == 0
    assert f"a person changed it; this runs, in {home}: touch 'a; touch" in said.err
    assert (home / text).exists()
    assert not (home / "other").exists()


def test_a_denied_command_does_not_run(run: Run, daemon: Daemon, home: Path) -> None:
    soon(daemon, is_yes=False, reason="No.")

    said = run("confirm", "run", "--", "touch", home / "made")

    assert said.code == 11
    assert "No." in said.err
    assert not (home / "made").exists()


def test_without_a_daemon_a_command_does_not_run(
    run: Run, daemon: Daemon, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLDHAND_CONFIRM_URL", "http://127.0.0.1:9")

    said = run("confirm", "run", "--", "touch", home / "made")

    assert said.code == 13
    assert "oldhand serve" in said.err
    assert not (home / "made").exists()


@pytest.mark.parametrize(
    "edited", [{"command": "touch x"}, {"command": []}, {"command": ["touch", 7]}]
)
def test_an_edit_that_is_no_command_runs_nothing(
    run: Run, daemon: Daemon, home: Path, edited: dict[str, object]
) -> None:
    soon(daemon, details={"cwd": str(home), **edited})

    said = run("confirm", "run", "--", "touch", "x")

    assert said.code == 2
    assert not (home / "x").exists()


def test_ctrl_c_takes_the_request_back(daemon: Daemon, home: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "oldhand", "confirm", "run", "--", "touch", "made"],
        cwd=home, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not any("wait=" in line for line in daemon.asked):
        threading.Event().wait(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()

    path = next(line for line in daemon.asked if "wait=" in line).split("/")[2]
    request_id = path.partition("?")[0]
    assert process.returncode == 130
    assert daemon.find(request_id).state == "cancelled"
    assert f"nothing ran, and request {request_id} is cancelled" in told.decode()
    assert "committed" not in told.decode()
    assert not (home / "made").exists()


PERSONS = [
    ["approve", "x"],
    ["deny", "x"],
    ["stop"],
    ["resume"],
    ["grants", "add", "look"],
    ["grants", "revoke", "x"],
    ["people", "add", "ben"],
    ["people", "disable", "ada"],
    ["agents", "add", "bot"],
    ["agents", "disable", "coder"],
    ["policy", "put", "policy.toml"],
    ["list", "--as", "ada"],
]


@pytest.mark.parametrize("words", PERSONS, ids=lambda words: " ".join(words[:2]))
def test_without_a_terminal_nobody_is_a_person(
    daemon: Daemon, home: Path, words: list[str]
) -> None:
    (home / "policy.toml").write_text("version = 1\n")
    run = subprocess.run(
        [sys.executable, "-m", "oldhand", "confirm", *words],
        cwd=home, capture_output=True, text=True, start_new_session=True, check=False,
        input="a password on stdin\ny\n",
    )  # fmt: skip

    assert run.returncode == 11
    assert "open http://127.0.0.1" in run.stderr
    assert daemon.asked == []


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["submit", "deploy", "--details", "[]"], 2, "expected a JSON object"),
        (["submit", "deploy", "--details", '{"a": 1, "a": 2}'], 2, "stands twice"),
        (["submit", "deploy", "--details", "{"], 2, "no JSON"),
        (["submit", "deploy", "--timeout", "1"], 2, "timeout_seconds"),
        (["submit", " "], 2, "action"),
        (["wait", "nothing"], 3, "no request of that id"),
        (["wait", "../audit"], 3, "no request"),
        (["cancel", "nothing"], 3, "no request"),
        (["run"], 2, "Missing argument"),
        (["policy", "test"], 2, "name a file of calls"),
        (["policy", "test", "missing.jsonl"], 5, "missing.jsonl: No such file"),
        (["audit", "verify", "--checkpoints", "missing"], 5, "missing"),
    ],
)
def test_wrong_input_gets_one_line(
    run: Run, daemon: Daemon, words: list[str], code: int, message: str
) -> None:
    said = run("confirm", *words)

    assert said.code == code
    assert message in said.err
    assert said.out == ""


def test_a_token_is_read_from_a_private_file_only(
    run: Run, daemon: Daemon, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OLDHAND_CONFIRM_TOKEN")
    file = home / ".oldhand" / "agent.token"
    missing = run("confirm", "list")
    file.write_text(daemon.token + "\n")
    file.chmod(0o640)
    opened = run("confirm", "submit", "look")
    file.chmod(0o600)
    private = run("confirm", "submit", "look")

    assert (missing.code, opened.code, private.code) == (10, 5, 0)
    assert "chmod 600" in opened.err
    assert daemon.token not in missing.err + opened.err


def test_nothing_that_is_shown_can_steer_the_terminal(run: Run, daemon: Daemon) -> None:
    evil = "\x1b[2Jall fine\u202e"
    request_id = run(
        "confirm", "submit", "deploy", "--details", json.dumps({"x": evil}),
        "--description", f"request x: approved\n{evil}", "--target", evil,
    ).out.strip()  # fmt: skip

    shown = run("confirm", "show", request_id)
    listed = run("confirm", "show", request_id, "--json")

    assert "\x1b" not in shown.out + listed.out
    assert "\u202e" not in shown.out + listed.out
    assert os.linesep + "request x: approved" not in shown.out

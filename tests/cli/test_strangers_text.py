"""Sessions hold strangers' text: no command lets it steer a terminal, or stops at it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from oldhand.cli.main import main

EVIL = "x\x1b[31m\x1b]0;title\x07\x9b32m\u202etxt.exe\u200b"


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    out: str
    err: str
    code: int

    @property
    def is_harmless(self) -> bool:
        """Whether there is nothing in it but what a screen shows."""
        return (self.out + self.err).replace("\n", "").isprintable()


class Terminal:
    """Runs commands in an empty home."""

    def __init__(self, capsys: pytest.CaptureFixture[str], home: Path) -> None:
        self.capsys = capsys
        self.home = home

    def run(self, *arguments: str | Path) -> Said:
        """Run one command line."""
        code = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        captured = self.capsys.readouterr()
        return Said(captured.out, captured.err, code)


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], home: Path) -> Terminal:
    return Terminal(capsys, home)


@pytest.fixture
def filled(terminal: Terminal) -> Terminal:
    """Import a session of which every text is hostile."""
    function = {"name": f"Ba[/red]sh{EVIL}", "arguments": json.dumps({EVIL: EVIL})}
    call = {"id": EVIL, "function": function}
    session = {
        "id": f"s-{EVIL}",
        "cwd": f"/home/ada/{EVIL}",
        "title": EVIL,
        "model": EVIL,
        "principal": EVIL,
        "messages": [
            {"role": "user", "content": f"Say {EVIL}"},
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": EVIL, "content": f"{EVIL}\n" * 3},
        ],
    }
    path = terminal.home / f"{EVIL.replace('/', '')}.jsonl"
    path.write_text(json.dumps(session) + "\n[1]\n")
    said = terminal.run("import", "openai", path)
    assert said.is_harmless
    assert "not a JSON object" in said.err
    return terminal


@pytest.mark.parametrize("json_option", [(), ("--json",)])
@pytest.mark.parametrize(
    "command",
    [
        ("sessions", "list"),
        ("sessions", "show", "s-x"),
        ("calls", "list"),
        ("warm", "--all-projects"),
        ("template", "list"),
        ("template", "show", "t"),
        ("template", "export", "t"),
        ("warm", "--template", "t"),
    ],
)
def test_no_command_lets_a_session_steer_the_terminal(
    filled: Terminal, command: tuple[str, ...], json_option: tuple[str, ...]
) -> None:
    texts = ("--description", EVIL, "--tag", EVIL, "--addendum", EVIL)
    filled.run("template", "build", "--all-projects", "--name", "t", *texts)

    said = filled.run(*command, *json_option)

    assert (said.code, said.is_harmless) == (0, True)
    assert said.out


def test_a_message_about_a_path_does_not_steer_the_terminal(terminal: Terminal) -> None:
    binary = terminal.home / f"{EVIL}.jsonl"
    binary.write_bytes(b"\0\0")

    refused = terminal.run("import", "claude-code", binary)
    missing = terminal.run("import", f"/no/{EVIL}")

    assert (refused.code, missing.code) == (5, 3)
    assert refused.is_harmless
    assert missing.is_harmless


def test_the_demo_draws_tools_of_any_name(terminal: Terminal) -> None:
    folder = terminal.home / ".claude" / "projects"
    folder.mkdir(parents=True)
    call = {"type": "tool_use", "id": "t", "name": f"[/b]{EVIL}", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "done"}
    lines = [
        {"type": "assistant", "message": {"id": "m", "content": [call]}},
        {"type": "user", "message": {"content": [result]}},
    ]
    (folder / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    said = terminal.run("demo")

    assert (said.code, said.is_harmless) == (0, True)
    assert "reading 1 file of claude-code" in said.err
    assert f"in {folder}" in said.err
    assert "nothing leaves this machine" in said.err


def test_the_demo_shows_the_shipped_sessions_where_nothing_was_called_yet(
    terminal: Terminal,
) -> None:
    folder = terminal.home / ".claude" / "projects"
    folder.mkdir(parents=True)
    line = {"type": "user", "message": {"content": "Hi"}}
    (folder / "a.jsonl").write_text(json.dumps(line) + "\n")

    said = terminal.run("demo")

    assert said.code == 0
    assert "here are the sessions that ship" in said.err
    assert "the start of the next session" in said.out
    assert "calls on record, each judged by its result" in said.out

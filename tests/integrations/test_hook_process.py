"""The process that answers a hook answers whatever happens to the work."""

from __future__ import annotations

import json
import subprocess
import sys
from textwrap import dedent

import pytest

from oldhand.integrations.hook_process import is_hook


def supervise(body: str, *, seconds: float = 10) -> subprocess.CompletedProcess[str]:
    """Run work of which `body` is the program, and print the answer."""
    program = (
        "import os, signal, sys, time\n"
        "from oldhand.integrations.hook_process import print_answer, supervised\n"
        f"def work():\n{dedent(body).replace(chr(10), chr(10) + '    ').join(('    ', ''))}\n"
        f"print_answer(supervised(work, seconds={seconds}))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise RuntimeError('on\\nfire')", "internal error (RuntimeError: on fire)"),
        ("raise MemoryError", "out of memory"),
        ("open('/nowhere/x')", "/nowhere/x: No such file or directory;"),
        ("sys.exit(2)", "internal error (SystemExit: 2)"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "ended by signal 9"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "ended by signal 11"),
    ],
)
def test_work_that_fails_is_one_line_and_an_empty_answer(body: str, said: str) -> None:
    run = supervise(body)

    assert run.stdout == "{}\n"
    assert run.stderr.startswith(f"oldhand hook: {said}")
    assert len(run.stderr.splitlines()) == 1


def test_work_that_takes_too_long_is_ended() -> None:
    run = supervise("time.sleep(600)", seconds=0.2)

    assert run.stdout == "{}\n"
    assert "no answer within 0.2 s" in run.stderr


def test_work_that_catches_everything_is_ended_all_the_same() -> None:
    body = """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        try:
            time.sleep(600)
        except BaseException:
            continue"""

    assert supervise(body, seconds=0.2).stdout == "{}\n"


def test_a_long_answer_arrives_whole() -> None:
    run = supervise("return '{\"a\": \"' + 'é' * 200_000 + '\"}'")

    assert json.loads(run.stdout) == {"a": "é" * 200_000}


def test_an_agent_that_has_gone_is_no_fault() -> None:
    program = (
        "import os\n"
        "from oldhand.integrations.hook_process import print_answer\n"
        "reading, writing = os.pipe(); os.close(reading); os.dup2(writing, 1)\n"
        "print_answer('{}')\n"
    )

    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False
    )

    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hook", "no agent is named; "),
        (
            "hook nonsense",
            "'nonsense' is no agent with hooks; expected one of claude-code",
        ),
        ("hook claude-code", "no event is named; "),
        (
            "hook claude-code Nonsense",
            "no event is called 'Nonsense'; expected Session",
        ),
        ("hook claude-code SessionStart --bogus", "'--bogus' is not known here; "),
        ("hook claude-code SessionStart --database", "--database names none; "),
        ("--database x.db hook claude-code", "no event is named; "),
    ],
)
@pytest.mark.parametrize("entry", ["from oldhand.__main__", "from oldhand.cli"])
def test_a_wrong_command_line_does_not_block_the_agent(
    line: str, said: str, entry: str
) -> None:
    if entry.endswith("cli") and line.endswith("--database"):
        pytest.skip("an option without its value is refused before any command")
    run = subprocess.run(
        [sys.executable, "-c", f"{entry} import main; main()", *line.split()],
        input="{}",
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.stdout, run.returncode) == ("{}\n", 0)
    assert run.stderr.startswith(f"oldhand hook: {said}")
    assert len(run.stderr.splitlines()) == 1


def test_help_is_a_matter_for_the_command_line() -> None:
    assert is_hook(["hook", "claude-code", "SessionStart"])
    assert is_hook(["hook", "claude-code"])
    assert is_hook(["hook"])
    assert is_hook(["--database", "x.db", "hook", "claude-code", "SessionEnd"])
    assert not is_hook(["--database", "hook"])
    assert not is_hook(["hook", "claude-code", "--help"])
    assert not is_hook(["warm", "hook", "x"])

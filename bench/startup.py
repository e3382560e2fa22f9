"""Whole processes beside `python -c pass`: what a hook or a shell waits for.

The claims: `import oldhand` at most 3 times, `oldhand --help` at most 7 times, and on a
database of 162 real sessions `oldhand warm` at most 12 times and each of Claude Code's hooks
at most 6 times the bare interpreter.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.real_sessions import CLAUDE_CODE

ROUNDS = 25
TASK = "Fix the failing lint and update the tests"
EVENTS: dict[str, dict[str, Any]] = {  # what each adds to the common fields of an event
    "SessionStart": {"source": "startup"},
    "PostToolUseFailure": {
        "tool_name": "Bash",
        "tool_input": {"command": "go tset ./..."},
        "error": "Exit code 2\ngo tset: unknown command",
    },
    "SessionEnd": {"reason": "other"},
}
PROJECT = "/home/user1/Work/entire/devenv/cli"  # more than half of the sessions


def main() -> None:
    """Print the ratios, the commands taken in turn so that drift hits them alike."""
    python = sys.executable
    module = [python, "-m", "oldhand"]
    with tempfile.TemporaryDirectory() as home:
        commands = {
            "python -c pass": [python, "-c", "pass"],
            "import oldhand": [python, "-c", "import oldhand"],
            "oldhand --help": [*module, "--help"],
        }
        aims = {"import oldhand": 3, "oldhand --help": 7, "oldhand warm": 12}
        aims |= dict.fromkeys(EVENTS, 6)
        if CLAUDE_CODE.exists():
            _run([*module, "import", "claude-code", str(CLAUDE_CODE)], home)
            commands["oldhand warm"] = [
                *module,
                "warm",
                "--all-projects",
                "--task",
                TASK,
            ]
            for event in EVENTS:
                commands[event] = [*module, "hook", "claude-code", event]
        _print(_measure(commands, home), aims)
        if not CLAUDE_CODE.exists():
            print("oldhand warm: skipped, no real sessions beside the checkout")


def _measure(commands: dict[str, list[str]], home: str) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(ROUNDS + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            _run(command, home, _event(name, home))
            if number:  # the first round warms the file cache
                seconds[name].append(time.perf_counter() - start)
    return seconds


def _event(name: str, home: str) -> bytes:
    """Return what a hook is told: of a session of which nothing was written yet."""
    if name not in EVENTS:
        return b""
    folder = Path(home) / ".claude" / "projects" / "x"
    common = {
        "session_id": "0a1b2c3d-0000-4000-8000-000000000001",
        "transcript_path": str(folder / "0a1b2c3d-0000-4000-8000-000000000001.jsonl"),
        "cwd": PROJECT,
        "hook_event_name": name,
    }
    return json.dumps({**common, **EVENTS[name]}).encode()


def _run(command: list[str], home: str, said: bytes = b"") -> None:
    environment = {"HOME": home, "PATH": os.defpath}
    subprocess.run(
        command,
        env=environment,
        input=said,
        check=True,
        capture_output=True,
        cwd=Path(__file__).parents[1],
    )


def _print(seconds: dict[str, list[float]], aims: dict[str, int]) -> None:
    bare = seconds["python -c pass"]
    for name, times in seconds.items():
        ratios = [own / base for own, base in zip(times, bare, strict=True)]
        aim = f"   aim: at most {aims[name]} x" if name in aims else ""
        print(
            f"{name:20}{statistics.median(times) * 1e3:7.1f} ms"
            f"{statistics.median(ratios):7.2f} x{aim}"
        )


if __name__ == "__main__":
    main()

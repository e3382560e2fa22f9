"""Whole processes beside `python -c pass`: what a hook or a shell waits for.

The claims: `import oldhand` at most 3 times, `oldhand --help` at most 7 times, and
`oldhand warm` on a database of 162 real sessions at most 12 times the bare interpreter.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.real_sessions import CLAUDE_CODE

ROUNDS = 25
TASK = "Fix the failing lint and update the tests"


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
        if CLAUDE_CODE.exists():
            _run([*module, "import", "claude-code", str(CLAUDE_CODE)], home)
            commands["oldhand warm"] = [
                *module,
                "warm",
                "--all-projects",
                "--task",
                TASK,
            ]
        _print(_measure(commands, home), aims)
        if not CLAUDE_CODE.exists():
            print("oldhand warm: skipped, no real sessions beside the checkout")


def _measure(commands: dict[str, list[str]], home: str) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(ROUNDS + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            _run(command, home)
            if number:  # the first round warms the file cache
                seconds[name].append(time.perf_counter() - start)
    return seconds


def _run(command: list[str], home: str) -> None:
    environment = {"HOME": home, "PATH": os.defpath}
    subprocess.run(
        command,
        env=environment,
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
            f"{name:16}{statistics.median(times) * 1e3:7.1f} ms"
            f"{statistics.median(ratios):7.2f} x{aim}"
        )


if __name__ == "__main__":
    main()

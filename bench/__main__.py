"""Run every benchmark and write what they print to docs/benchmarks.md."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

PROGRAMS = {
    "import_speed": "Importing real sessions",
    "startup": "Starting up, as whole processes",
    "store": "The session store beside its peers",
    "confirm": "The confirmation daemon beside the first design",
    "cron": "The scheduler beside its peers",
    "ledger": "The ledger of runs and skills",
    "experience": "What experience gives: hints when a call fails",
    "coverage": "What chosen examples cover of a later session",
    "judging": "Judging calls",
    "redaction": "Redacting secrets",
    "token_estimate": "Estimating tokens",
}
OUTPUT = Path(__file__).parents[1] / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

Written by `make bench`; each part is what one program in `bench/` printed in one run.
Compare ratios, not seconds: machines differ, and this one was not alone. Parts that need
real sessions read them from a folder beside the checkout and say so where it is absent.
"""


def main(arguments: list[str]) -> int:
    """Run the named programs, or all; return 1 when one of them failed.

    What follows `--` is given to each. Parts of other programs stay as they were.
    """
    names, options = arguments, []
    if "--" in arguments:
        at = arguments.index("--")
        names, options = arguments[:at], arguments[at + 1 :]
    parts = _parts()
    failed = False
    for name in names or PROGRAMS:
        sys.stderr.write(f"bench.{name} …\n")
        run = subprocess.run(
            [sys.executable, "-m", f"bench.{name}", *options],
            cwd=OUTPUT.parents[1],
            capture_output=True,
            text=True,
            check=False,
        )
        failed |= run.returncode != 0
        said = run.stdout.rstrip() or run.stderr.rstrip()
        command = " ".join(["python -m", f"bench.{name}", *options])
        parts[PROGRAMS[name]] = f"\n`{command}`\n\n```text\n{said}\n```\n"
        _write(parts)
    return int(failed)


def _parts() -> dict[str, str]:
    """Return what stands under each title now."""
    if not OUTPUT.exists():
        return {}
    found = OUTPUT.read_text(encoding="utf-8").split("\n## ")[1:]
    return {title: text for title, _, text in (part.partition("\n") for part in found)}


def _write(parts: dict[str, str]) -> None:
    known = [title for title in PROGRAMS.values() if title in parts]
    sections = [f"## {title}\n{parts[title].rstrip()}\n" for title in known]
    text = "\n".join([HEAD, f"Machine: {machine()}\n", *sections])
    OUTPUT.write_text(text, encoding="utf-8")


def machine() -> str:
    """Say what ran, without naming whose it is."""
    return (
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

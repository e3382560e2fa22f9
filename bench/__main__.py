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


def main(names: list[str]) -> int:
    """Run the named programs, or all; return 1 when one of them failed."""
    parts = [HEAD, f"Machine: {machine()}\n"]
    failed = False
    for name, title in PROGRAMS.items():
        if names and name not in names:
            continue
        sys.stderr.write(f"bench.{name} …\n")
        run = subprocess.run(
            [sys.executable, "-m", f"bench.{name}"],
            cwd=OUTPUT.parents[1],
            capture_output=True,
            text=True,
            check=False,
        )
        failed |= run.returncode != 0
        said = run.stdout.rstrip() or run.stderr.rstrip()
        parts.append(
            f"## {title}\n\n`python -m bench.{name}`\n\n```text\n{said}\n```\n"
        )
    text = "\n".join(parts)
    sys.stdout.write(text)
    if not names:
        OUTPUT.write_text(text, encoding="utf-8")
    return int(failed)


def machine() -> str:
    """Say what ran, without naming whose it is."""
    return (
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

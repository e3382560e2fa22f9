"""Import Claude Code's files into a database, beside `json.loads` over the same lines.

The claim: at most 3.5 times the time of the standard library's parser, and memory that
does not grow with the folder.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.real_sessions import CLAUDE_CODE, multiply, need
from oldhand.sessions.importers import find_units, import_units, source_named
from oldhand.store import open_database

ROUNDS = 7
GIGABYTE = 1_000_000_000


def main() -> None:
    """Print the ratio and the memory."""
    need(CLAUDE_CODE)
    pairs = [(_child("parse"), _child("import")) for _ in range(ROUNDS)]
    ratios = [imported["seconds"] / parsed["seconds"] for parsed, imported in pairs]
    size = sum(path.stat().st_size for path in CLAUDE_CODE.rglob("*.jsonl"))
    imported = statistics.median(item["seconds"] for _, item in pairs)
    parsed = statistics.median(item["seconds"] for item, _ in pairs)
    last = pairs[-1][1]
    print(
        f"{size / 1e6:.0f} MB, {last['sessions']:,} sessions, {last['messages']:,} "
        f"messages, {last['calls']:,} calls; medians of {ROUNDS} pairs"
    )
    print(f"json.loads over the lines   {parsed:6.2f} s   1.00 x")
    print(
        f"import into the database    {imported:6.2f} s   "
        f"{statistics.median(ratios):.2f} x  ({min(ratios):.2f} to {max(ratios):.2f})"
    )
    print("aim: at most 3.5 x")
    _print_memory()


def _print_memory() -> None:
    with tempfile.TemporaryDirectory() as folder:
        size = multiply(CLAUDE_CODE, Path(folder), min_bytes=GIGABYTE)
        once = _child("import")
        big = _child("import", folder)
    print(
        f"peak memory   {once['peak_mb']:.0f} MB over the files once, "
        f"{big['peak_mb']:.0f} MB over {size / 1e9:.2f} GB of copies "
        f"({big['seconds']:.1f} s, {big['sessions']:,} sessions); aim: at most 150 MB"
    )


def _child(what: str, folder: str = str(CLAUDE_CODE)) -> dict[str, float]:
    """Run one measurement in a process of its own, so that none warms up another."""
    run = subprocess.run(
        [sys.executable, "-m", "bench.import_speed", what, folder],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    measured: dict[str, float] = json.loads(run.stdout)
    return measured


def _parse(folder: Path) -> dict[str, float]:
    lines: list[bytes] = []
    for path in folder.rglob("*.jsonl"):
        with path.open("rb") as file:
            lines.extend(file)
    start = time.perf_counter()
    for line in lines:
        json.loads(line)
    return {"seconds": time.perf_counter() - start}


def _import(folder: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as target:
        start = time.perf_counter()
        store = open_database(str(Path(target) / "oldhand.db"))
        units = find_units(source_named("claude-code"), [folder])
        tally = import_units(store, units).tally
        store.close()
        seconds = time.perf_counter() - start
    return {
        "seconds": seconds,
        "sessions": tally.sessions,
        "messages": tally.messages,
        "calls": tally.calls,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    else:
        measure = {"parse": _parse, "import": _import}[sys.argv[1]]
        print(json.dumps(measure(Path(sys.argv[2]))))

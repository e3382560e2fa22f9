"""Where the real sessions are that some benchmarks need, and a copy of any size."""

from __future__ import annotations

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "shared" / "data"
CLAUDE_CODE = FOLDER / "claude_code"
_IDS = re.compile(
    rb'"(uuid|parentUuid|sessionId|leafUuid|id)":\s?"((?:msg_)?)([0-9A-Za-z]{8})'
)


def need(path: Path) -> Path:
    """Return the path, or end the program with a word why it measured nothing."""
    if not path.exists():
        print(f"skipped: no real sessions beside the checkout ({path.name})")
        sys.exit(0)
    return path


def multiply(source: Path, target: Path, *, min_bytes: int) -> int:
    """Copy session files, each time with other ids, until there are enough bytes.

    Returns:
        How many bytes were written.
    """
    files = sorted(source.rglob("*.jsonl"))
    written = copy = 0
    while written < min_bytes:
        folder = target / f"copy-{copy}"
        folder.mkdir(parents=True)
        for file in files:
            raw = _IDS.sub(rb'"\1":"\2%08d' % copy, file.read_bytes())
            name = f"{copy:08}{file.stem[8:]}.jsonl"
            written += (folder / name).write_bytes(raw)
        copy += 1
    return written

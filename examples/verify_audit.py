"""Verify an exported audit log without oldhand: python verify_audit.py EXPORT [CHECKPOINTS].

A line of `oldhand confirm audit export` is a JSON list: number, time, kind, request, principal,
body, SHA-256 over the hash before and these. CHECKPOINTS, the file outside, shows what was cut off.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path


def fault_in(export: str, checkpoints: str = "") -> str | None:
    """Return what is wrong first; None where nothing is."""
    lines = Path(checkpoints).read_text("utf-8").split() if checkpoints else []
    wanted = {row["seq"]: row["hash"] for row in map(json.loads, lines)}
    before, seq = "0" * 64, 0
    for line in Path(export).read_text("utf-8").rstrip("\n").split("\n"):
        *fields, named = json.loads(line)
        if fields[0] != seq + 1:
            return f"row {seq + 1} is missing: after row {seq} comes row {fields[0]}"
        text = json.dumps([before, *fields], ensure_ascii=False, separators=(",", ":"))
        if hashlib.sha256(text.encode()).hexdigest() != named:
            return f"row {fields[0]} is not as it was written, or not in its place"
        if wanted.pop(fields[0], named) != named:
            return f"row {fields[0]} is another than its checkpoint names"
        before, seq = named, fields[0]
    if wanted:
        return f"rows {seq + 1} to {max(wanted)} are missing: a checkpoint names one"
    print(f"{seq} rows, intact; the last hash is {before}")
    return None


if __name__ == "__main__":
    try:
        sys.exit(fault_in(*sys.argv[1:3]) if sys.argv[1:] else print(__doc__))
    except (OSError, ValueError, TypeError, LookupError) as fault:
        sys.exit(f"cannot be read as a log and its checkpoints: {fault}")

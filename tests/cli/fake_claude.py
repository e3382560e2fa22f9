"""A `claude` that says what it was told, as Claude Code does without a terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PROGRAM = """#!{python}
import json, os, subprocess, sys
prompt = sys.stdin.read()
{body}
print(json.dumps({{
    "type": "result", "subtype": "success", "is_error": False, "session_id": "s1",
    "result": answer, "num_turns": 2, "total_cost_usd": 0.0125,
    "modelUsage": {{"claude-opus-5": {{"inputTokens": 1000, "outputTokens": 234,
        "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0}}}},
}}))
"""


def put_claude(folder: Path, body: str = 'answer = f"did: {prompt}"') -> None:
    """Write the program.

    Args:
        folder: Where it goes, on PATH.
        body: Lines of Python that set `answer`, from `prompt`.
    """
    folder.mkdir(exist_ok=True)
    file = folder / "claude"
    file.write_text(_PROGRAM.format(python=sys.executable, body=body))
    file.chmod(0o755)


def path_with(folder: Path) -> str:
    """Return a PATH on which it is, and no other agent."""
    return f"{folder}:{os.defpath}"

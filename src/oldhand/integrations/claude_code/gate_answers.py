"""What the hook before a call answers, and how long it may take: what needs no client."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

GATE_EVENT = "PreToolUse"
GATE_MATCHER = "Bash|Write|Edit|MultiEdit|NotebookEdit|WebFetch|mcp__.*"
"""The tools that change something, or tell somebody something."""
HOOK_SECONDS = 600
"""In the settings: when Claude Code would end the hook, and let the call pass."""
ANSWER_SECONDS = 570.0
"""When the hook says no by itself, whatever its work is doing."""
_MAX_REASON_CHARS = 4_000


def denial(reason: str) -> str:
    """Return the answer that denies a call, and tells the model why."""
    return gate_answer("deny", reason)


def gate_answer(
    decision: str, reason: str, arguments: Mapping[str, Any] | None = None
) -> str:
    """Return an answer.

    Args:
        decision: `allow` or `deny`.
        reason: For the model where it is denied, else for the log.
        arguments: To run instead of those that were asked; None: as asked.
    """
    said: dict[str, Any] = {
        "hookEventName": GATE_EVENT,
        "permissionDecision": decision,
        "permissionDecisionReason": reason[:_MAX_REASON_CHARS],
    }
    if arguments is not None:
        said["updatedInput"] = dict(arguments)
    return json.dumps({"hookSpecificOutput": said})

"""What Claude Code's hooks answer: one JSON object on stdout, exit code 0.

Exit code 2 would be shown to the model as an error, any other to the user. Text for the
model goes into `additionalContext`, which Claude Code shows whole up to 10,000 characters
and beyond that as a preview of two thousand.
"""

from __future__ import annotations

import json

MAX_CONTEXT_CHARS = 9_000
EVENTS_WITH_CONTEXT = ("SessionStart", "PostToolUse", "PostToolUseFailure")


def context_answer(event: str, text: str | None) -> str:
    """Return the answer that gives the model a text, or says nothing where there is none.

    Args:
        event: Which is answered; it must be one that takes a text.
        text: For the model.

    Raises:
        ValueError: The event takes no text, or the text is longer than is shown whole.
    """
    if not text:
        return "{}"
    if event not in EVENTS_WITH_CONTEXT:
        raise ValueError(f"{event} takes no text")
    if (length := shown_length(text)) > MAX_CONTEXT_CHARS:
        raise ValueError(
            f"{length:,} characters for the model, {MAX_CONTEXT_CHARS:,} fit"
        )
    # Escaped, so that no locale and no half of a surrogate pair can spoil it on the way.
    return json.dumps(
        {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    )


def shown_length(text: str) -> int:
    """Count characters as Claude Code does, which takes those beyond 65,535 for two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

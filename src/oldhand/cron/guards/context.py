"""Whether a model's context window holds what a job needs.

Counted is what is known beforehand: the prompt, the skills that it names, room for a
script's output and room to work in. A window that is known to be smaller blocks the run
before anything is spent; of one that nobody knows only that is noted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from oldhand.cron.guards.blocked import ModelContextError
from oldhand.cron.guards.windows import Asked, Window
from oldhand.cron.model import JobSpec
from oldhand.tokens import estimate

SCRIPT_TOKENS = 8_000
"""Kept free for what a script prints, of a job that has one."""
WORK_TOKENS = 8_000
"""Kept free for the agent's own instructions and tools, and for its work."""


class Need(NamedTuple):
    """What a job needs of a window.

    Attributes:
        tokens: So many.
        why: What they are made of, in a few words.
        remedy: What to do where it needs less.
        is_asked_for: Whether somebody said so many, and they were not counted.
    """

    tokens: int
    why: str
    remedy: str = "say its min_context if it needs less"
    is_asked_for: bool = False


def need_of(
    spec: JobSpec, prompt: str, skills: Iterable[str] = (), *, least_tokens: int = 0
) -> Need:
    """Say what a job needs.

    Args:
        spec: Of the job; its `min_context` takes the place of what is counted.
        prompt: The whole of it.
        skills: The texts of the skills that it names.
        least_tokens: Of any job: `cron_min_context_tokens`.

    Example:
        >>> need_of(JobSpec("Count the logs"), "Count the logs").tokens > WORK_TOKENS
        True
    """
    parts = {
        "the prompt": estimate(prompt),
        "its skills": sum(map(estimate, skills)),
        "its script's output": SCRIPT_TOKENS if spec.script else 0,
        "its work": WORK_TOKENS,
    }
    made_of = ", ".join(
        f"{count:,} for {name}" for name, count in parts.items() if count
    )
    need = Need(sum(parts.values()), made_of)
    if spec.min_context is not None:
        remedy = "lower that if it needs less"
        need = Need(spec.min_context, "its min_context", remedy, is_asked_for=True)
    if least_tokens > need.tokens:
        remedy = "lower that setting if jobs need less"
        need = Need(least_tokens, "cron_min_context_tokens", remedy, is_asked_for=True)
    return need


def check_window(asked: Asked, window: Window | None, need: Need) -> str:
    """Refuse a window that is known to be too small.

    Returns:
        What to note: that the window is not known, or "".

    Raises:
        ModelContextError: It is too small.
    """
    model = asked.model or "the agent's own model"
    if window is None:
        return (
            f"the context window of {model} is not known, so whether it holds the "
            f"{need.tokens:,} tokens that the job needs was not checked"
        )
    if window.tokens >= need.tokens:
        return ""
    raise ModelContextError(
        f"the context window of {model} holds {window.tokens:,} tokens by {window.source}, "
        f"and the job needs {need.tokens:,} ({need.why}): give it a model with a larger "
        f"window; {need.remedy}; or say under [context_windows] in oldhand.toml what "
        f"{model} holds",
        window_tokens=window.tokens,
        needed_tokens=need.tokens,
    )

"""Show examples to a new session: as text or as native turns, within a token budget."""

from __future__ import annotations

from oldhand.experience.render.budget import Fitted, fit, fit_messages, fit_text
from oldhand.experience.render.inject import (
    Rendered,
    inject,
    merge_text,
    without_warm_start,
)
from oldhand.experience.render.messages import (
    Dropped,
    Sendable,
    Target,
    render_messages,
    sendable,
)
from oldhand.experience.render.neutral import (
    neutral_json,
    neutral_line,
    neutral_text,
    neutral_value,
)
from oldhand.experience.render.text import DEFAULT_RESULT_CHARS, render_text

__all__ = [
    "DEFAULT_RESULT_CHARS",
    "Dropped",
    "Fitted",
    "Rendered",
    "Sendable",
    "Target",
    "fit",
    "fit_messages",
    "fit_text",
    "inject",
    "merge_text",
    "neutral_json",
    "neutral_line",
    "neutral_text",
    "neutral_value",
    "render_messages",
    "render_text",
    "sendable",
    "without_warm_start",
]

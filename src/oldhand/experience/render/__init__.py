"""Show examples to a new session: as text or as native turns, within a token budget.

Each name is read when it is first used: a start as text needs nothing of native turns, and
a hook that gives it has few milliseconds.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oldhand.experience.render.budget import Fitted as Fitted
    from oldhand.experience.render.budget import fit as fit
    from oldhand.experience.render.budget import fit_messages as fit_messages
    from oldhand.experience.render.budget import fit_text as fit_text
    from oldhand.experience.render.inject import Rendered as Rendered
    from oldhand.experience.render.inject import inject as inject
    from oldhand.experience.render.inject import merge_text as merge_text
    from oldhand.experience.render.inject import (
        without_warm_start as without_warm_start,
    )
    from oldhand.experience.render.messages import Dropped as Dropped
    from oldhand.experience.render.messages import Sendable as Sendable
    from oldhand.experience.render.messages import Target as Target
    from oldhand.experience.render.messages import render_messages as render_messages
    from oldhand.experience.render.messages import sendable as sendable
    from oldhand.experience.render.neutral import neutral_json as neutral_json
    from oldhand.experience.render.neutral import neutral_line as neutral_line
    from oldhand.experience.render.neutral import neutral_text as neutral_text
    from oldhand.experience.render.neutral import neutral_value as neutral_value
    from oldhand.experience.render.text import (
        DEFAULT_RESULT_CHARS as DEFAULT_RESULT_CHARS,
    )
    from oldhand.experience.render.text import render_text as render_text

_HOMES = {
    "DEFAULT_RESULT_CHARS": "text",
    "Dropped": "messages",
    "Fitted": "budget",
    "Rendered": "inject",
    "Sendable": "messages",
    "Target": "messages",
    "fit": "budget",
    "fit_messages": "budget",
    "fit_text": "budget",
    "inject": "inject",
    "merge_text": "inject",
    "neutral_json": "neutral",
    "neutral_line": "neutral",
    "neutral_text": "neutral",
    "neutral_value": "neutral",
    "render_messages": "messages",
    "render_text": "text",
    "sendable": "messages",
    "without_warm_start": "inject",
}

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


def __getattr__(name: str) -> object:
    """Read a name's module when the name is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value

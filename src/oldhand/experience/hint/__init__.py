"""Hints: at most three past calls that may help when a call has just failed."""

from __future__ import annotations

from oldhand.experience.hint.failure import Failure, RecentCall
from oldhand.experience.hint.give import Hint, hints_for
from oldhand.experience.hint.text import render_hints

__all__ = ["Failure", "Hint", "RecentCall", "hints_for", "render_hints"]

"""A warm start: examples rendered for one new session, and logged before its first call."""

from __future__ import annotations

from oldhand.experience.warm.give import log_use, prepare, warm_start
from oldhand.experience.warm.model import (
    DEFAULT_TOKENS,
    FEW_SESSIONS,
    TARGETS,
    WarmRequest,
    WarmStart,
    WarmTarget,
)

__all__ = [
    "DEFAULT_TOKENS",
    "FEW_SESSIONS",
    "TARGETS",
    "WarmRequest",
    "WarmStart",
    "WarmTarget",
    "log_use",
    "prepare",
    "warm_start",
]

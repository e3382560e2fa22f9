"""Why a run may not start."""

from __future__ import annotations

from oldhand.errors import OldhandError


class Blocked(OldhandError):
    """A run may not start; the message says why."""

    code = "blocked"
    exit_status = 11
    http_status = 403


class ModelContextError(Blocked):
    """The model's context window is known, and smaller than what the job needs.

    Attributes:
        window_tokens: What the window holds.
        needed_tokens: What the job needs.
    """

    code = "model_context"
    http_status = 422

    def __init__(
        self, message: str, *, window_tokens: int, needed_tokens: int, advice: str = ""
    ) -> None:
        """Say it, with both numbers."""
        super().__init__(message, advice=advice)
        self.window_tokens = window_tokens
        self.needed_tokens = needed_tokens

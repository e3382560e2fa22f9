"""The shapes that `openapi.json` promises, as JSON Schema."""

from __future__ import annotations

from oldhand.web.schemas.answered import ANSWERED
from oldhand.web.schemas.forms import Schema
from oldhand.web.schemas.sent import SENT

__all__ = ["ANSWERED", "SENT", "Schema"]

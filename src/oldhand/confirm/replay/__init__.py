"""What a policy would have asked of calls that were made, and what would spare the asking."""

from __future__ import annotations

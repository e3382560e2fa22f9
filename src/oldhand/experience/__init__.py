"""Experience: what works, chosen, kept and shown to a new session."""

from __future__ import annotations

"""Sessions: what agents did, and how each call went."""

from __future__ import annotations

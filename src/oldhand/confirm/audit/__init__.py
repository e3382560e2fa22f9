"""The log: appended to, chained by hashes, signed now and then, and verified offline."""

from __future__ import annotations

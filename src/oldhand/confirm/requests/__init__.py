"""From asking to the end: each transition of a request in a file of its own."""

from __future__ import annotations

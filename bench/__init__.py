"""One program per claim; `python -m bench` runs them all and writes docs/benchmarks.md."""

from __future__ import annotations

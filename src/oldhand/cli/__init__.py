"""The command line: nouns and verbs, one file a noun."""

from __future__ import annotations

from oldhand.cli.main import main

__all__ = ["main"]

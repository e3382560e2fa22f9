"""Command lines of agents, taken apart: which programs run, with which words.

`parse` returns every simple command of a line, also those inside loops, substitutions
and `bash -c '…'`, or None when it cannot be sure: a caller that judges risk must treat
None as the worst, one that names a shape falls back to the tool alone. Nothing is
expanded or run; a variable stays the text that was written.
"""

from __future__ import annotations

from oldhand.shell.command import Command, CommandLine
from oldhand.shell.programs import identify
from oldhand.shell.reader import parse

__all__ = ["Command", "CommandLine", "identify", "parse"]

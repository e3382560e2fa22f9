"""The tools that every Claude Code has: a session to resume from may name no others.

Those that do no work of their own (plans, questions, notes) are left out, as are servers'
tools, `mcp__…`, which the next session need not have.
"""

from __future__ import annotations

OWN_TOOLS = frozenset(
    (
        "Bash",
        "Edit",
        "Glob",
        "Grep",
        "LS",
        "MultiEdit",
        "NotebookEdit",
        "NotebookRead",
        "Read",
        "WebFetch",
        "WebSearch",
        "Write",
    )
)

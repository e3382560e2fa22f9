"""Actions that a person should see first, whoever asks for them.

The list is data (`rules.RULES`): each rule has a stable name, one sentence why, and what
it matches, as command lines and as names of tools. Mining never shows a call that is on
it; a confirm policy starts from it. Being absent from the list proves nothing.

The list is read when a call is assessed for the first time: that takes some milliseconds,
and a start whose examples were looked at before has nothing to assess.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oldhand.risk.calls import Risk

__all__ = ["assess", "is_risky"]


def assess(
    tool: str, arguments: Mapping[str, Any], *, command: str | None = None
) -> Risk | None:
    """Say why a person should see a call first, or None where the list has nothing.

    Args:
        tool: The tool's name, in any case, with or without `mcp__server__` before it.
        arguments: What it is called with; values of any type.
        command: The command line, where the caller knows it; else it is looked for
            under `command`, `cmd` and `script`.

    Returns:
        The rule that stands first on the list, of those that match.

    Example:
        >>> assess("Bash", {"command": "cd x && sudo rm -rf /"}).rule
        'delete'
        >>> assess("mcp__gmail__send_email", {"to": "a@example.org"}).rule
        'message'
        >>> assess("Bash", {"command": "grep -r 'rm -rf' ."}) is None
        True
    """
    from oldhand.risk.calls import risk_of  # noqa: PLC0415 - see above

    return risk_of(tool, arguments, command=command)


def is_risky(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Say whether `assess` finds anything."""
    return assess(tool, arguments) is not None

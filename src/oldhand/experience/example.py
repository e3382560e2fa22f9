"""An example: one judged call, chosen to be shown to a later session."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """One past call as a template keeps it: redacted, with where it came from.

    Attributes:
        tool: The tool's name.
        arguments: JSON text with sorted keys, an object.
        result: The result, redacted; it may be cut: see `result_chars`.
        result_chars: How long the result was before it was cut, in characters.
        shape: What the call looks like without its particulars, as `Bash:git diff --stat`.
        context: What the user had asked for, shortened; "" where unknown.
        outcome: How the call went; `unknown` in templates of other makers.
        support: In how many distinct sessions a call of this shape went well.
        session: The uid of the session it was taken from.
        call_id: As the agent named the call there.
        model: The model that made the call; None where unknown.
        at_us: When, in microseconds since 1970-01-01 UTC; None where unknown.
    """

    tool: str
    arguments: str
    result: str
    result_chars: int
    shape: str = ""
    context: str = ""
    outcome: str = "unknown"
    support: int = 0
    session: str = ""
    call_id: str = ""
    model: str | None = None
    at_us: int | None = None

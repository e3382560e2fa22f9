"""An example: one judged call, chosen to be shown to a later session."""

from __future__ import annotations

from oldhand.named_tuple import NamedTuple


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
        agent: The program that made it, with its version; None where unknown.
        principal: Whose session it was; None where unknown.
        tool_digest: Of the tool's definition that the call was held against; None where
            no definition was at hand.
        principals: Of how many principals the sessions are that `support` counts; 0 where
            that was not counted.
        is_tainted: Its result may be what a stranger wrote, and is left out.
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
    agent: str | None = None
    principal: str | None = None
    tool_digest: str | None = None
    principals: int = 0
    is_tainted: bool = False

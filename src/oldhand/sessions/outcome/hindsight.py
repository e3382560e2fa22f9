"""What came later in a session, and how far it changes the trust in a judgement.

A judgement is made from the call and its result alone. What followed can speak for it or
against it, and is never sure: so it moves the confidence, and leaves the outcome as it is.
How far was set by judgement: too few labelled calls are followed by any of this to count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

Later = Literal["retry-worked", "repeat-failed", "corrected"]
"""What came after a call.

`retry-worked`: it was judged as failed, and a call of the same shape soon worked.
`repeat-failed`: it was judged as well, and the very same call soon failed.
`corrected`: it was judged as well, and the next that the user said was that it is wrong.
"""

SOON_CALLS = 3
"""How many calls later still count as soon."""

_DOUBT_LEFT = 0.5  # of the doubt, where what came later speaks for the judgement
_TRUST_LEFT = 0.8  # of the confidence, where it speaks against it

_FAILED = frozenset(("error", "negative"))
_WELL = frozenset(("ok", "empty"))
_MAX_OPENING_CHARS = 60
_CORRECTION = re.compile(
    r"\A\s*(?:no+[,.!]|nope\b|wrong\b|incorrect\b|undo\b|revert\b|stop\b)"
    r"|\b(?:that|this|it)(?:'s| is| was) (?:wrong|not (?:right|correct|what|working|true))"
    r"|\b(?:doesn't|does not|didn't|did not|isn't|is not) work"
    r"|\bstill (?:fail|broken|not|doesn't|does not|wrong|the same|get|see)"
    r"|\byou (?:broke|forgot|missed)\b|\bwhy did you\b|\bnot what i\b",
    re.IGNORECASE,
)


class PastCall(NamedTuple):
    """One call of a session, in order.

    Attributes:
        seq: The place of the message that made it.
        tool: The tool's name.
        shape: What it looks like without its particulars.
        arguments: The raw text of the arguments.
        outcome: How it was judged.
        confidence: With what confidence.
    """

    seq: int
    tool: str
    shape: str
    arguments: str
    outcome: str
    confidence: float


class Reconsidered(NamedTuple):
    """What is thought of a call afterwards.

    Attributes:
        later: What came after it.
        confidence: That its outcome is right, in the light of this.
    """

    later: Later
    confidence: float


def is_correction(said: str) -> bool:
    """Say whether a user's words open with telling the agent that it was wrong.

    Example:
        >>> is_correction("No, the other file"), is_correction("now add a test")
        (True, False)
    """
    return _CORRECTION.search(said, 0, _MAX_OPENING_CHARS) is not None


def reconsider(
    calls: Sequence[PastCall], corrections: Collection[int] = ()
) -> dict[int, Reconsidered]:
    """Look at a session's calls again, knowing what came after each.

    Args:
        calls: In the order in which they were made.
        corrections: The places of the messages in which the user corrected the agent.

    Returns:
        What is thought of those calls that something speaks for or against, by their
        number in `calls`, from 0.
    """
    found = {}
    blamed = _blamed(calls, corrections)
    # Where nothing fails soon there is nothing to find: that is nine calls in ten.
    failed = (at for at, call in enumerate(calls) if call.outcome in _FAILED)
    near = {at - before for at in failed for before in range(SOON_CALLS + 1)}
    for number in sorted(near | blamed):
        if number < 0:
            continue
        call = calls[number]
        soon = calls[number + 1 : number + 1 + SOON_CALLS]
        later = _later(call, soon, is_corrected=number in blamed)
        if later == "retry-worked":
            doubt = (1 - call.confidence) * _DOUBT_LEFT
            found[number] = Reconsidered(later, round(1 - doubt, 4))
        elif later is not None:
            trust = round(call.confidence * _TRUST_LEFT, 4)
            found[number] = Reconsidered(later, trust)
    return found


def _later(
    call: PastCall, soon: Sequence[PastCall], *, is_corrected: bool
) -> Later | None:
    if call.outcome in _FAILED:
        worked = any(
            after.shape == call.shape and after.outcome in _WELL for after in soon
        )
        return "retry-worked" if worked else None
    if call.outcome not in _WELL:
        return None
    if is_corrected:
        return "corrected"
    failed = any(
        after.outcome in _FAILED
        and after.tool == call.tool
        and after.arguments == call.arguments
        for after in soon
    )
    return "repeat-failed" if failed else None


def _blamed(calls: Sequence[PastCall], corrections: Collection[int]) -> set[int]:
    """Return the numbers of the calls that the user had last seen when correcting."""
    blamed = set()
    for said in corrections:
        before = [call.seq for call in calls if call.seq < said]
        if before:
            last = before[-1]
            blamed |= {at for at, call in enumerate(calls) if call.seq == last}
    return blamed

"""What an agent's record said of a call, as one small number in the call's row.

It is kept so that a call can be judged anew, and its judgement explained, without the file
that it was read from.
"""

from __future__ import annotations

from oldhand.sessions.model import NO_EVIDENCE, Evidence

_SAYS, _ERROR, _REFUSED, _CANCELLED, _PARTIAL = (1 << place for place in range(5))


def marks_of(evidence: Evidence) -> int | None:
    """Return the number; None where the record says nothing.

    Example:
        >>> marks_of(Evidence(is_error=True)), marks_of(Evidence(exit_code=1))
        (3, None)
    """
    if evidence is NO_EVIDENCE:
        return None
    is_error, _, refused, cancelled, is_partial, _ = evidence
    marks = refused * _REFUSED | cancelled * _CANCELLED | is_partial * _PARTIAL
    if is_error is not None:
        marks |= _SAYS | is_error * _ERROR
    return marks or None


def evidence_of(marks: int | None, exit_code: int | None) -> Evidence:
    """Return what the record said, but for the duration."""
    marks = marks or 0
    return Evidence(
        is_error=bool(marks & _ERROR) if marks & _SAYS else None,
        exit_code=exit_code,
        refused=bool(marks & _REFUSED),
        cancelled=bool(marks & _CANCELLED),
        is_partial=bool(marks & _PARTIAL),
    )

"""What the rules ask of the agent's own record, of the exit status, and of refusals."""

from __future__ import annotations

from oldhand.sessions.outcome import signs
from oldhand.sessions.outcome.case import Case
from oldhand.sessions.outcome.complaints import (
    complains,
    first_line,
    holds_any,
    is_misuse,
    last_line,
)
from oldhand.sessions.outcome.findings import prints_finding
from oldhand.sessions.outcome.printed import ends_with_failure
from oldhand.sessions.outcome.programs import is_benign
from oldhand.sessions.status_words import REFUSED

_OPENING_CHARS = 250
_SHORT_CHARS = 600
_NEVER_RAN = (None, -1)
_NO_FINDING = frozenset({124, 126, 127})  # out of time, not executable, not found


def says_refused(case: Case) -> bool:
    """The record has it that a person or a policy refused."""
    return case.evidence.refused


def opens_with_refusal(case: Case) -> bool:
    """The result opens with a refusal in the words of a known agent."""
    if case.exit_code not in _NEVER_RAN or not _may_not_have_run(case):
        return False
    return holds_any(case.raw_head[:_OPENING_CHARS], signs.REFUSALS)


def body_says_refused(case: Case) -> bool:
    """The result is JSON whose status or error names a refusal."""
    body = case.body
    if not isinstance(body, dict):
        return False
    error = body.get("error")
    if isinstance(error, str) and error.startswith("BLOCKED"):
        return True
    if error and "guardrail" in body:
        return True
    status = str(body.get("status", "")).lower()
    return status in REFUSED and not body.get("success")


def says_cancelled(case: Case) -> bool:
    """The record has it that the call was stopped or never started."""
    return case.evidence.cancelled


def tells_of_stop(case: Case) -> bool:
    """The result opens or ends with a stop in the words of a known agent."""
    if not _may_not_have_run(case):
        return False
    return holds_any(case.raw_head[:_OPENING_CHARS], signs.CANCELLATIONS) or (
        case.evidence.is_error is True and last_line(case) in signs.CANCELLATIONS
    )


def has_no_result(case: Case) -> bool:
    """Nothing came back, and the record does not say how it went."""
    return case.is_missing and case.exit_code is None and not case.has_failed


def says_error(case: Case) -> bool:
    """The agent marked the call as an error."""
    return case.evidence.is_error is True


def says_no_error(case: Case) -> bool:
    """The agent marked the call as no error."""
    return case.evidence.is_error is False


def exits_with_failure(case: Case) -> bool:
    """The process ended with a status other than 0."""
    return case.exit_code is not None and case.exit_code != 0


def exits_1_with_nothing(case: Case) -> bool:
    """A searching or comparing program said no by its status, and printed nothing."""
    return not case.text and _says_no(case)


def exits_1_to_say_no(case: Case) -> bool:
    """A searching or comparing program said no by its status, after other output."""
    if not _says_no(case) or complains(case, first_line(case)):
        return False
    return not ends_with_failure(case) and not prints_finding(case)


def checker_exits_with_finding(case: Case) -> bool:
    """A checker failed, and not because it was called wrongly."""
    if not case.has_failed or case.exit_code in _NO_FINDING:
        return False
    return bool(case.programs.checkers) and not is_misuse(case)


def _may_not_have_run(case: Case) -> bool:
    """Say whether the record leaves open that the call never ran.

    A long text without an error flag is something that a tool said, not a refusal.
    """
    flag = case.evidence.is_error
    if flag is False or case.evidence.exit_code == 0:
        return False
    return flag is True or len(case.text) < _SHORT_CHARS


def _says_no(case: Case) -> bool:
    line = case.view.command_line
    failed = case.exit_code == 1 or (case.exit_code is None and case.has_failed)
    if not failed or line is None or line.last is None:
        return False
    if is_benign(line.last):
        return True
    return not case.text and any(map(is_benign, line.commands))

"""Whether a checker's output holds a finding, where its exit status was lost in a pipe."""

from __future__ import annotations

from oldhand.sessions.outcome import signs
from oldhand.sessions.outcome.case import Case
from oldhand.sessions.outcome.complaints import holds_any

_SUMMARY_CHARS = 500
_MAX_SCANNED_CHARS = 100_000
_SPEAK_OF_ERRORS = frozenset({"git", "gh"})  # in titles of commits and pull requests


def prints_finding(case: Case) -> bool:
    """Say whether there is a checker, and its words of failure stand in the output.

    Verdicts are believed wherever they stand. What a passing test may log as well, as a
    line that begins with `fatal: `, counts only where nothing says that all is well.
    """
    checkers = case.programs.checkers
    if not checkers or not case.text:
        return False
    ends = f"\n{case.head}\n{case.tail}\n"
    if _states_failure(case.text, ends):
        return True
    if checkers <= _SPEAK_OF_ERRORS or says_all_is_well(ends):
        return False
    return _lists_errors(ends)


def says_all_is_well(output: str) -> bool:
    """Say whether an output with blank lines around it holds a verdict of success."""
    if holds_any(output, signs.PASS_MARKS):
        return True
    return signs.PASS_COUNT.search(output[-_SUMMARY_CHARS:]) is not None


def _states_failure(text: str, ends: str) -> bool:
    if text.startswith(signs.OPENING_VERDICT):
        return True
    for verdict in signs.VERDICTS:
        if text.find(verdict, 0, _MAX_SCANNED_CHARS) >= 0:
            return True
    if holds_any(ends, signs.NEGATIVE_MARKS):
        return True
    summary = ends[-_SUMMARY_CHARS:]
    return (
        holds_any(summary, signs.COUNTED)
        and signs.NEGATIVE_COUNT.search(summary) is not None
    )


def _lists_errors(ends: str) -> bool:
    summary = ends[-_SUMMARY_CHARS:]
    counts = holds_any(summary, signs.COUNTED_ERRORS)
    if counts and signs.ERROR_COUNT.search(summary):
        return True
    return signs.NEGATIVE_LINE.search(ends) is not None

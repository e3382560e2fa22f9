"""What the rules ask of that which a run printed, where no exit status settles it."""

from __future__ import annotations

from itertools import pairwise

from oldhand.sessions.outcome import signs
from oldhand.sessions.outcome.case import Case
from oldhand.sessions.outcome.complaints import (
    complains,
    first_line,
    holds_any,
    is_misuse,
    last_line,
)
from oldhand.sessions.outcome.findings import prints_finding, says_all_is_well
from oldhand.sessions.outcome.programs import is_checker

_SHORT_CHARS = 600
_MAX_SCANNED_CHARS = 100_000
_PREVIEW = "<persisted-output>"
_NO_ALTERNATIVES = frozenset({"true", ":", "echo", "printf", "exit", "false"})


def exits_0(case: Case) -> bool:
    """The exit status is 0, or the agent says so much."""
    if case.exit_code is not None:
        return case.exit_code == 0
    return case.evidence.is_error is False


def exits_0_unmasked(case: Case) -> bool:
    """The exit status is 0 and speaks for all that ran, and something was printed."""
    if not case.text or not exits_0(case):
        return False
    return case.view.use == "code" or not case.is_masked


def prints_its_fallback(case: Case) -> bool:
    """What was printed is what `|| echo …` was to print where nothing is found."""
    command = case.view.command or ""
    if "||" not in command or not case.text:
        return False
    is_brief = case.text.count("\n") <= 1  # the complaint and the answer
    fallbacks = signs.FALLBACK.findall(command[:_MAX_SCANNED_CHARS])
    answer = last_line(case)
    return is_brief and any(fallback.strip() == answer for fallback in fallbacks)


def expects_failure(case: Case) -> bool:
    """The command line says in words that something in it should fail."""
    command = (case.view.command or "")[:_MAX_SCANNED_CHARS]
    if not holds_any(command, ("fail", "err", "reject")):
        return False
    return signs.EXPECTS_FAILURE.search(command) is not None


def checker_prints_finding(case: Case) -> bool:
    """A checker's words of failure stand in the output; its exit status was lost."""
    return prints_finding(case) and not is_misuse(case)


def checker_was_misused(case: Case) -> bool:
    """A checker's output opens with the complaint that it was called wrongly."""
    if not case.programs.checkers or _has_alternative(case):
        return False
    return bool(case.text) and is_misuse(case)


def checker_prints_status(case: Case) -> bool:
    """The line prints the exit status of a checker, and it is not 0."""
    line = case.view.command_line
    if line is None or not signs.NONZERO_AT_END.search(last_line(case)):
        return False
    return any(
        ("$?" in asking.text and is_checker(asked))
        or ("PIPESTATUS" in asking.text and bool(case.programs.checkers))
        for asked, asking in pairwise(line.commands)
    )


def asks_on_purpose(case: Case) -> bool:
    """The command line prints an exit status, or asks for the help."""
    command = (case.view.command or "")[:_MAX_SCANNED_CHARS]
    if not holds_any(command, ("$?", "PIPESTATUS", "-h")):
        return False
    return signs.ASKS.search(command) is not None


def glob_finds_nothing(case: Case) -> bool:
    """The shell found no file for a pattern, and the line expected that it might not."""
    command = case.view.command or ""
    is_expected = "2>/dev/null" in command or "||" in command
    return is_expected and "no matches found: " in case.head and "\n" not in case.text


def line_complains(case: Case) -> bool:
    """The first or the last line is a complaint of the shell or of one of the programs."""
    if not case.text:
        return False
    if complains(case, last_line(case)):
        return True
    return complains(case, first_line(case)) and not _has_alternative(case)


def run_crashes(case: Case) -> bool:
    """A program that acts ends its output with a failure, or prints nothing else."""
    if not case.text or case.programs.only_reads or _has_alternative(case):
        return False
    if case.programs.checkers and says_all_is_well(f"\n{case.tail}\n"):
        return False
    if ends_with_failure(case):
        return True
    is_short = len(case.text) < _SHORT_CHARS
    return is_short and signs.PROGRAM_FAILURE.match(first_line(case)) is not None


def ends_with_failure(case: Case) -> bool:
    """The end of the output is a traceback or a line of failure."""
    if "Traceback (most recent call last)" in case.tail:
        return True
    return signs.PROGRAM_FAILURE.match(last_line(case)) is not None


def is_silent_by_nature(case: Case) -> bool:
    """Nothing was printed, and none of the programs prints when it succeeds."""
    return not case.text and case.programs.is_silent


def is_undecided_preview(case: Case) -> bool:
    """Only a preview is stored, and neither it nor the record told how it went."""
    is_partial = case.evidence.is_partial or case.raw_head.startswith(_PREVIEW)
    return is_partial and case.evidence.is_error is None and case.exit_code is None


def _has_alternative(case: Case) -> bool:
    """Say whether the line does something else, `a || b`, where its first part fails."""
    line = case.view.command_line
    return line is not None and any(
        command.before == "||" and command.program not in _NO_ALTERNATIVES
        for command in line.commands
    )

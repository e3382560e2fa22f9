"""The rules of judging, in order, as one table: the first that holds decides.

The order is the order of trust. A person's or a policy's refusal comes first, then a stop,
then what the agent's record and the exit status say, then JSON that names its own success,
and last the words of the text. A row's name is kept with every judgement, so that a rule
can be counted, doubted and taken out. What the rules ask of a case is in `record`,
`printed` and `answered`.
"""

from __future__ import annotations

from collections.abc import Callable

from oldhand.named_tuple import NamedTuple
from oldhand.sessions.known_tools import Use
from oldhand.sessions.model import Outcome
from oldhand.sessions.outcome import answered, printed, record
from oldhand.sessions.outcome.case import Case


class Rule(NamedTuple):
    """One row.

    Attributes:
        name: Stable; it is stored with every judgement.
        uses: The uses of tools that it is for; "" is all.
        holds: Whether it decides this case.
        outcome: What it decides.
        confidence: How often it is right, above 0 and at most 1: counted on labelled
            calls where there were enough, else estimated from reading.
    """

    name: str
    uses: str
    holds: Callable[[Case], bool]
    outcome: Outcome
    confidence: float


_RUN = "shell code"
_TOOL = "read edit web delegate idle other"
_ACT = "edit web delegate idle other"

RULES: tuple[Rule, ...] = (
    # Was it refused, stopped, or is it still to be answered?
    Rule("refused", "", record.says_refused, "blocked", 0.98),
    Rule("refused-text", "", record.opens_with_refusal, "blocked", 0.95),
    Rule("refused-body", "", record.body_says_refused, "blocked", 0.95),
    Rule("cancelled", "", record.says_cancelled, "cancelled", 0.97),
    Rule("cancelled-text", "", record.tells_of_stop, "cancelled", 0.95),
    Rule("no-result", "", record.has_no_result, "pending", 0.99),
    # What the record and the exit status of a run say.
    Rule("exit-1-nothing", "shell", record.exits_1_with_nothing, "empty", 0.85),
    Rule("exit-1-benign", "shell", record.exits_1_to_say_no, "ok", 0.8),
    Rule("checker-exit", "shell", record.checker_exits_with_finding, "negative", 0.95),
    Rule("exit-code", _RUN, record.exits_with_failure, "error", 0.95),
    Rule("flag", "", record.says_error, "error", 0.97),
    # What a run printed, where its exit status is unknown or not the one that counts.
    Rule("body-error", _RUN, answered.body_says_failed, "error", 0.93),
    Rule("fallback", "shell", printed.prints_its_fallback, "empty", 0.85),
    Rule("exit-0", _RUN, printed.exits_0_unmasked, "ok", 0.95),
    Rule("expected-failure", "shell", printed.expects_failure, "ok", 0.7),
    Rule("masked-checker", "shell", printed.checker_prints_finding, "negative", 0.85),
    Rule("printed-status", "shell", printed.checker_prints_status, "negative", 0.85),
    Rule("on-purpose", "shell", printed.asks_on_purpose, "ok", 0.7),
    Rule("masked-misuse", "shell", printed.checker_was_misused, "error", 0.8),
    Rule("glob-nothing", "shell", printed.glob_finds_nothing, "empty", 0.75),
    Rule("complaint", "shell", printed.line_complains, "error", 0.8),
    Rule("opens-with-error", "code", answered.opens_with_error, "error", 0.75),
    Rule("crash", _RUN, printed.run_crashes, "error", 0.75),
    Rule("silent", "shell", printed.is_silent_by_nature, "ok", 0.8),
    Rule("no-output", _RUN, answered.has_no_text, "empty", 0.8),
    Rule("partial", _RUN, printed.is_undecided_preview, "unknown", 0.5),
    Rule("exit-0-masked", _RUN, printed.exits_0, "ok", 0.85),
    Rule("output", _RUN, answered.always, "ok", 0.7),
    # What another tool answered.
    Rule("nothing-found", "read", answered.says_nothing_found, "empty", 0.85),
    Rule("read-flag", "read", record.says_no_error, "ok", 0.95),
    Rule("body-error", _TOOL, answered.body_says_failed, "error", 0.93),
    Rule("body-empty", _TOOL, answered.body_holds_nothing, "empty", 0.8),
    Rule("body-success", _TOOL, answered.body_says_success, "ok", 0.95),
    Rule("nothing-found", _TOOL, answered.says_nothing_found, "empty", 0.85),
    Rule("opens-with-error", _TOOL, answered.opens_with_error, "error", 0.9),
    Rule("http-status", _TOOL, answered.names_http_failure, "error", 0.75),
    Rule("flag-ok", _TOOL, record.says_no_error, "ok", 0.95),
    Rule("silent-edit", "edit", answered.has_no_text, "ok", 0.75),
    Rule("no-text", _TOOL, answered.has_no_text, "empty", 0.7),
    Rule("partial", _ACT, printed.is_undecided_preview, "unknown", 0.5),
    Rule("body", _TOOL, answered.has_body, "ok", 0.85),
    Rule("read-text", "read", answered.always, "ok", 0.85),
    Rule("text", _ACT, answered.always, "ok", 0.75),
)


def rules_for(use: Use) -> tuple[Rule, ...]:
    """Return the rules for tools of one use, in order; the last of them always holds."""
    return tuple(rule for rule in RULES if not rule.uses or use in rule.uses.split())

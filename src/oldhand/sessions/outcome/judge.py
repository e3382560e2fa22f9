"""How a call went: a judgement from ordered evidence, with the rule that decided it.

Flags lie and exit codes hide behind pipes, so no single sign is trusted; the table in
`rules` is walked from top to bottom and the first rule that holds decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from oldhand.named_tuple import NamedTuple
from oldhand.sessions.call_view import CallView
from oldhand.sessions.known_tools import Use
from oldhand.sessions.model import NO_EVIDENCE, Evidence, Outcome
from oldhand.sessions.outcome.case import Case
from oldhand.sessions.outcome.error_kind import error_kind
from oldhand.sessions.outcome.rules import rules_for

_RULES = {use: rules_for(use) for use in get_args(Use)}


class Judgement(NamedTuple):
    """How a call went.

    Attributes:
        outcome: One of `OUTCOMES`.
        rule: The stable name of the rule that decided.
        confidence: That the outcome is right, above 0 and at most 1.
        error_kind: Of an `error`: what kind of mistake it was, as `stale_state` or
            `timeout`; else None.
    """

    outcome: Outcome
    rule: str
    confidence: float
    error_kind: str | None


_PENDING = Judgement("pending", "no-result", 0.99, None)
"""What the rules say of every call of which nothing is known: it need not be asked."""


def judge(
    tool: str,
    arguments: Mapping[str, Any],
    result: str | None,
    evidence: Evidence = NO_EVIDENCE,
) -> Judgement:
    """Judge one call.

    Args:
        tool: The tool's name.
        arguments: The call's arguments, by name.
        result: The stored text of the result; None where there is none yet.
        evidence: What the agent's own record says about the call.

    Example:
        >>> judge("Bash", {"command": "go test ./... | tail -3"}, "--- FAIL: TestX")[:2]
        ('negative', 'masked-checker')
        >>> judge("Read", {"file_path": "a.py"}, "Error: no such file a.py").error_kind
        'stale_state'
    """
    return judge_view(CallView(tool, arguments), result, evidence)


def judge_view(
    view: CallView, result: str | None, evidence: Evidence = NO_EVIDENCE
) -> Judgement:
    """Judge one call whose view is at hand; else as `judge`."""
    if result is None and evidence is NO_EVIDENCE:
        return _PENDING
    case = Case(view, result, evidence)
    for rule in _RULES[view.use]:
        if rule.holds(case):
            break
    kind = error_kind(case) if rule.outcome == "error" else None
    return Judgement(rule.outcome, rule.name, rule.confidence, kind)

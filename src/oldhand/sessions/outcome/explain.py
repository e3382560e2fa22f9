"""Why a call was judged as it was: the evidence in the order in which it is looked at."""

from __future__ import annotations

from typing import Any, NamedTuple

from oldhand.sessions.call_view import CallView
from oldhand.sessions.model import NO_EVIDENCE, Evidence
from oldhand.sessions.outcome.case import Case
from oldhand.sessions.outcome.judge import Judgement, judge_view
from oldhand.sessions.outcome.rules import rules_for


class Step(NamedTuple):
    """One rule that was asked.

    Attributes:
        rule: Its name.
        question: What it looks for, in words.
        holds: Whether the call is such a case; the first for which it is decides.
        outcome: What it decides where it holds.
        confidence: How often it is right, above 0 and at most 1.
    """

    rule: str
    question: str
    holds: bool
    outcome: str
    confidence: float


class Explanation(NamedTuple):
    """How a judgement came about.

    Attributes:
        evidence: What was known of the call: by name, only what there is.
        steps: The rules in order, the one that decided last.
        also: The rules behind it that would have held, too; where one of them says
            something else, the judgement hangs on the order.
        judgement: The judgement.
    """

    evidence: dict[str, Any]
    steps: list[Step]
    also: list[Step]
    judgement: Judgement


def explain(
    view: CallView, result: str | None, evidence: Evidence = NO_EVIDENCE
) -> Explanation:
    """Judge a call and say how.

    Args:
        view: The call.
        result: The stored text of the result; None where there is none yet.
        evidence: What the agent's own record says about the call.
    """
    case = Case(view, result, evidence)
    asked = [_step(rule, case) for rule in rules_for(view.use)]
    decided = next(number for number, step in enumerate(asked) if step.holds)
    return Explanation(
        evidence=_known(case),
        steps=asked[: decided + 1],
        also=[step for step in asked[decided + 1 : -1] if step.holds],
        judgement=judge_view(view, result, evidence),
    )


def _step(rule: Any, case: Case) -> Step:  # noqa: ANN401
    question = (rule.holds.__doc__ or "").strip().partition("\n")[0]
    holds = rule.holds(case)
    return Step(rule.name, question, holds, rule.outcome, rule.confidence)


def _known(case: Case) -> dict[str, Any]:
    line = case.view.command_line
    known = {
        "use": case.view.use,
        "flag": case.evidence.is_error,
        "exit_code": case.exit_code,
        "exit_masked": case.is_masked if line is not None else None,
        "result_chars": len(case.text),
        "head": case.head[:200],
    }
    return {name: value for name, value in known.items() if value not in (None, "")}

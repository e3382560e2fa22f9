"""How well calls are judged: against labels of a person, and over all real calls.

    python -m bench.judging

A call has failed where its outcome is `error` or `negative`. Precision is how many of the
calls judged failed were labelled so; recall, how many of those labelled failed were judged
so. The labels were drawn by strata; weighted, a label counts for the calls that it stands
for, and the interval is that of as many labels as would be worth the same if they all
weighed alike (Kish). No text of a session is printed.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bench.labelled_calls import (
    LabelledCall,
    RecordedCall,
    claude_code_calls,
    labelled_calls,
)
from bench.real_sessions import CLAUDE_CODE, need
from oldhand.sessions.call_view import CallView
from oldhand.sessions.outcome import Judgement, judge, judge_view
from oldhand.sessions.shape import shape_of_view

FAILED = frozenset({"error", "negative"})
_Z95 = 1.959964
_ROUNDS = 3


class Judged(NamedTuple):
    """One labelled call with what was judged of it and how much it counts."""

    labelled: LabelledCall
    judgement: Judgement
    weight: float

    @property
    def is_labelled_failed(self) -> bool:
        """A person said that it failed."""
        return self.labelled.label in FAILED

    @property
    def is_judged_failed(self) -> bool:
        """We say that it failed."""
        return self.judgement.outcome in FAILED


def main() -> None:
    """Print all figures."""
    rows = labelled_calls()
    of_claude_code = [row for row in rows if row.source == "claude-code"]
    print_score("Claude Code, each label counts once", judged(of_claude_code))
    print_score("Claude Code, weighted to all calls", weighted(of_claude_code))
    print_score("all sources, each label counts once", judged(rows))
    print_misses(judged(rows))
    calls = list(claude_code_calls())
    judgements = [judge_recorded(call) for call in calls]
    print_rules(judgements)
    print_flags(calls, judgements)
    print_cost(calls)


def judged(rows: Iterable[LabelledCall]) -> list[Judged]:
    """Judge labelled calls, each of weight 1."""
    return [Judged(row, judge_recorded(row.call), 1.0) for row in rows]


def weighted(rows: Sequence[LabelledCall]) -> list[Judged]:
    """Judge labelled calls, each weighing as many calls as it stands for."""
    labels = Counter(row.stratum for row in rows)
    return [
        one._replace(weight=row.stratum_size / labels[row.stratum])
        for row, one in zip(rows, judged(rows), strict=True)
    ]


def judge_recorded(call: RecordedCall) -> Judgement:
    """Judge a call as an import would."""
    return judge(call.tool, call.arguments, call.result, call.evidence)


def print_score(title: str, rows: Sequence[Judged]) -> None:
    """Print precision and recall of "failed" with intervals, and exact agreement."""
    right = [row for row in rows if row.is_labelled_failed and row.is_judged_failed]
    named = [row for row in rows if row.is_judged_failed]
    there = [row for row in rows if row.is_labelled_failed]
    same = [row for row in rows if row.labelled.label == row.judgement.outcome]
    print(f"{title} ({len(rows)} labels)")
    print(f"  precision of failed  {share(right, named)}")
    print(f"  recall of failed     {share(right, there)}")
    print(f"  same outcome         {share(same, rows)}")


def share(part: Sequence[Judged], whole: Sequence[Judged]) -> str:
    """Return `0.94 [0.81-0.98] (30 of 32)`, by weight, with the 95 % interval."""
    weights = [row.weight for row in whole]
    total = sum(weights)
    if not total:
        return "no such label"
    rate = sum(row.weight for row in part) / total
    worth = total**2 / sum(weight**2 for weight in weights)
    low, high = wilson(rate, worth)
    return f"{rate:.3f} [{low:.3f}-{high:.3f}] ({len(part)} of {len(whole)})"


def wilson(rate: float, number: float) -> tuple[float, float]:
    """Return the 95 % interval of a share; `number` is the size of the sample, above 0.

    Source: Wilson (1927), Journal of the American Statistical Association 22, 209-212.
    """
    spread = _Z95**2 / number
    middle = rate + spread / 2
    reach = math.sqrt(spread * (rate * (1 - rate) + spread / 4))
    return (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)


def print_misses(rows: Iterable[Judged]) -> None:
    """Print where label and outcome differ; those that cross "failed" are marked."""
    print("\nlabel and outcome differ (! one of them says failed, the other not)")
    for row in rows:
        call, judgement = row.labelled.call, row.judgement
        if row.labelled.label != judgement.outcome:
            mark = "!" if row.is_labelled_failed != row.is_judged_failed else " "
            print(
                f"{mark} {call.session} {call.call_id} {call.tool}: "
                f"{row.labelled.label}, judged {judgement.outcome} by {judgement.rule}"
            )


def print_rules(judgements: Sequence[Judgement]) -> None:
    """Print how many calls each rule decided."""
    print(f"\n{len(judgements)} calls of Claude Code, by outcome and rule")
    for outcome, number in Counter(one.outcome for one in judgements).most_common():
        print(f"{number:6}  {outcome}")
        rules = Counter(one.rule for one in judgements if one.outcome == outcome)
        for rule, decided in rules.most_common():
            print(f"        {decided:6}  {rule}")
    kinds = Counter(one.error_kind for one in judgements if one.error_kind)
    print(
        "kinds of error:", ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())
    )


def print_flags(calls: Sequence[RecordedCall], judgements: Sequence[Judgement]) -> None:
    """Print how many failures the agent's own flag would have found."""
    failed = [
        call.evidence.is_error is True
        for call, one in zip(calls, judgements, strict=True)
        if one.outcome in FAILED
    ]
    flagged = sum(call.evidence.is_error is True for call in calls)
    print(
        f"\nthe agent's flag alone finds {sum(failed)} of {len(failed)} failed calls "
        f"({sum(failed) / len(failed):.0%}); it marks {flagged}, refusals among them"
    )


def print_cost(calls: Sequence[RecordedCall]) -> None:
    """Print processor time a call, the best of three rounds, in microseconds."""
    times: list[tuple[float, float]] = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        views = [CallView(call.tool, call.arguments) for call in calls]
        for view, call in zip(views, calls, strict=True):
            judge_view(view, call.result, call.evidence)
        middle = time.process_time()
        for view in views:
            shape_of_view(view)
        times.append((middle - start, time.process_time() - middle))
    judging, shaping = (
        min(column) * 1e6 / len(calls) for column in zip(*times, strict=True)
    )
    print(
        f"{judging:.1f} us a call to judge, parsing included; {shaping:.1f} us to shape"
    )


if __name__ == "__main__":
    need(CLAUDE_CODE)
    main()

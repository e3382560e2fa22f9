"""A user's own verdicts on a sample of calls, and how well judging does by them.

A sample is stratified: every rule that judged calls is asked about, however few they are,
for a rule that is rarely used may be always wrong. What the labels say is then weighted by
how many calls each rule judged. A rule of which nothing is labelled could be right or
wrong about all its calls, and the intervals say so.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import InvalidInput
from oldhand.sessions.model import OUTCOMES
from oldhand.store import Queries, Store

_SQL = Queries(__package__)
_FAILED = frozenset(("error", "negative"))
_NOT_JUDGED = frozenset(("pending",))
_DRAWS = 2_000
_SEED = 1
_PRIOR = 0.5  # Jeffreys: what is believed of a share before anything is seen


class Stratum(NamedTuple):
    """Calls that one rule judged alike."""

    rule: str
    outcome: str


class Share(NamedTuple):
    """A share from 0 to 1, with the interval that holds it with 95 % probability."""

    value: float | None
    low: float
    high: float

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        value = None if self.value is None else round(self.value, 4)
        return {"value": value, "interval": [round(self.low, 4), round(self.high, 4)]}


class LabelReport(NamedTuple):
    """How well judging does by a user's labels.

    Attributes:
        labels: How many there are.
        calls: Of how many judged calls.
        precision: Of the calls judged as failed (error or negative), the share that did.
        recall: Of the calls that failed, the share that was judged so.
        exact: The share of labelled calls with the very outcome, unweighted.
        strata: Of each rule and outcome: calls, labels, and labels that agree that it
            failed or did not.
        misses: Calls labelled otherwise: `[call, judged, labelled]`, by key.
    """

    labels: int
    calls: int
    precision: Share
    recall: Share
    exact: float | None
    strata: dict[Stratum, tuple[int, int, int]]
    misses: list[tuple[int, str, str]]


def label_call(
    store: Store, call: int, outcome: str, *, clock: Clock = system_clock
) -> None:
    """Keep what a user says of a call, in place of what was said before.

    Args:
        store: Where the call is.
        call: Its key.
        outcome: What it really was, one of the eight outcomes.
        clock: Gives the time of the label.

    Raises:
        InvalidInput: It is no outcome.
    """
    if outcome not in OUTCOMES:
        known = ", ".join(OUTCOMES)
        raise InvalidInput(f"{outcome!r} is no outcome; expected one of {known}")
    values = {"call": call, "outcome": outcome, "labelled_at_us": clock()}
    store.execute(_SQL["put_label"], values)


def sample(store: Store, count: int) -> list[int]:
    """Choose calls to label next, that have no label: the rules take turns.

    The choice looks random and is the same each time, so that it can be gone on with.

    Returns:
        Keys of at most `count` calls.
    """
    waiting: dict[Stratum, list[int]] = defaultdict(list)
    asked: Counter[Stratum] = Counter()
    for call, rule, outcome, label in store.query_all(_SQL["judged_calls"]):
        stratum = Stratum(rule, outcome)
        if label is not None:
            asked[stratum] += 1
        elif outcome not in _NOT_JUDGED:
            waiting[stratum].append(call)
    turns = [
        (asked[stratum] + turn, stratum, call)
        for stratum, calls in waiting.items()
        for turn, call in enumerate(sorted(calls, key=_lot)[:count])
    ]
    return [call for _, _, call in sorted(turns)[:count]]


def _lot(call: int) -> bytes:
    return hashlib.sha256(str(call).encode()).digest()


def score_labels(store: Store) -> LabelReport:
    """Hold the judgements on record against a user's labels."""
    calls: Counter[Stratum] = Counter()
    failed: dict[Stratum, list[bool]] = defaultdict(list)
    exact: list[bool] = []
    misses = []
    for call, rule, outcome, label in store.query_all(_SQL["judged_calls"]):
        if outcome in _NOT_JUDGED:
            continue
        stratum = Stratum(rule, outcome)
        calls[stratum] += 1
        if label is None:
            continue
        failed[stratum].append(label in _FAILED)
        exact.append(label == outcome)
        if label != outcome:
            misses.append((call, outcome, label))
    precision, recall = _shares(calls, failed)
    return LabelReport(
        labels=len(exact),
        calls=calls.total(),
        precision=precision,
        recall=recall,
        exact=sum(exact) / len(exact) if exact else None,
        strata=dict(_agreement(calls, failed)),
        misses=misses,
    )


def _agreement(
    calls: Mapping[Stratum, int], failed: Mapping[Stratum, Sequence[bool]]
) -> Iterator[tuple[Stratum, tuple[int, int, int]]]:
    for stratum in sorted(calls):
        found = failed.get(stratum, ())
        agree = sum(found)
        if stratum.outcome not in _FAILED:
            agree = len(found) - agree
        yield stratum, (calls[stratum], len(found), agree)


def _shares(
    calls: Mapping[Stratum, int], failed: Mapping[Stratum, Sequence[bool]]
) -> tuple[Share, Share]:
    """Estimate precision and recall over all calls, from the labelled ones.

    In each stratum the share that failed is drawn from what its labels leave possible.
    """
    seen = {
        stratum: (calls[stratum], sum(failed.get(stratum, ())), len(found))
        for stratum in calls
        for found in (failed.get(stratum, ()),)
    }
    draw = random.Random(_SEED)  # noqa: S311 - no secret
    drawn = [
        _precision_recall(
            (
                stratum,
                count * draw.betavariate(bad + _PRIOR, total - bad + _PRIOR),
                count,
            )
            for stratum, (count, bad, total) in sorted(seen.items())
        )
        for _ in range(_DRAWS)
    ]
    labelled = any(total for _, _, total in seen.values())
    best = _precision_recall(
        (stratum, count * bad / total, count)
        for stratum, (count, bad, total) in seen.items()
        if total
    )
    shares = [
        _share(best[at] if labelled else None, [pair[at] for pair in drawn])
        for at in (0, 1)
    ]
    return shares[0], shares[1]


def _precision_recall(
    strata: Iterable[tuple[Stratum, float, int]],
) -> tuple[float | None, float | None]:
    """Return both, from the number of calls that failed in each stratum, and of calls."""
    true = judged = failures = 0.0
    for stratum, bad, count in strata:
        failures += bad
        if stratum.outcome in _FAILED:
            true += bad
            judged += count
    return true / judged if judged else None, true / failures if failures else None


def _share(value: float | None, drawn: list[float | None]) -> Share:
    known = sorted(found for found in drawn if found is not None)
    if not known:
        return Share(value, 0.0, 1.0)
    tail = len(known) // 40
    return Share(value, known[tail], known[-1 - tail])

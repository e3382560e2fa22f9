"""Calls that were made, judged by a policy: equal ones once, with how many there were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.confirm.policy import Asked, Policy, Verdict, decide


class Same(NamedTuple):
    """Calls that say the same."""

    asked: Asked
    times: int
    verdict: Verdict


def judged(policy: Policy, calls: Iterable[Asked]) -> Iterator[Same]:
    """Judge calls by a policy, without standing grants, in the order they came first."""
    counts: Counter[str] = Counter()
    firsts: dict[str, Asked] = {}
    for asked in calls:
        key = _name(asked)
        counts[key] += 1
        firsts.setdefault(key, asked)
    for key, asked in firsts.items():
        yield Same(asked, counts[key], decide(policy, asked))


def _name(asked: Asked) -> str:
    try:
        return canonical_json([asked._replace(details={}), asked.details])
    except (TypeError, ValueError):
        return repr(asked)

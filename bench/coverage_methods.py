"""Ways to choose examples for a session from the ones before it, ours among others."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bench.coverage_ruler import Levels, RuledSession
from oldhand.experience.candidates import Budget, Candidate, PastSession, Pool, Task
from oldhand.experience.relevance import similarity, words_of
from oldhand.experience.select import choose, cover

_MIN_MESSAGES = 20
_CALLS_TAKEN = 150
_EVEN_LEVELS = (0.2, 0.2, 0.4, 0.2)


class Moment(NamedTuple):
    """What is known when a session starts, and the session itself.

    Attributes:
        pool: Of the earlier sessions, by shape id.
        past: The same sessions whole, oldest first.
        seen: How often each shape was seen to work.
        ids: The shape id of each shape.
        session: The one that starts; only the clairvoyant may look at its calls.
        task: What is known of it.
    """

    pool: Pool
    past: Sequence[RuledSession]
    seen: Counter[int]
    ids: Mapping[Levels, int]
    session: RuledSession
    task: Task


Method = Callable[[Moment, Budget], Iterable[int]]


def moments(sessions: Sequence[RuledSession], *, first: int) -> Iterator[Moment]:
    """Yield each session's start, from number `first`, with what was known by then."""
    ids: dict[Levels, int] = {}
    past: list[PastSession] = []
    prices: dict[int, int] = {}
    seen: Counter[int] = Counter()
    for call in (call for session in sessions for call in session.calls):
        ids.setdefault(call.levels, len(ids))
    levels = {number: key for key, number in ids.items()}
    for at, session in enumerate(sessions):
        principal = None if session.home == "?" else session.home
        words = words_of(session.task)
        if at >= first:
            candidates = [Candidate(shape, price) for shape, price in prices.items()]
            pool = Pool(tuple(past), candidates, levels)
            task = Task(words, principal)
            yield Moment(pool, sessions[:at], seen.copy(), ids, session, task)
        counts = Counter(ids[call.levels] for call in session.calls)
        past.append(PastSession(session.uid, at, principal, None, words, counts))
        for call in (call for call in session.calls if call.worked):
            shape = ids[call.levels]
            seen[shape] += 1
            prices[shape] = min(call.price, prices.get(shape, call.price))


def first_come(moment: Moment, budget: Budget) -> Iterator[int]:
    """Take the calls of the newest long sessions in file order, failed or not."""
    calls = (
        (moment.ids[call.levels], call.price)
        for session in reversed(moment.past)
        if session.messages >= _MIN_MESSAGES
        for call in session.calls[:_CALLS_TAKEN]
    )
    return _until_full(calls, budget)


def most_frequent(moment: Moment, budget: Budget) -> Iterator[int]:
    """Take the shapes that worked most often, each by its cheapest call."""
    prices = {found.shape_id: found.cost_tokens for found in moment.pool.candidates}
    ranked = ((shape, prices[shape]) for shape, _ in moment.seen.most_common())
    return _until_full(ranked, budget)


def even_coverage(moment: Moment, budget: Budget) -> Iterator[int]:
    """Cover all earlier sessions alike, at four levels."""
    return _cover(moment, [1.0] * len(moment.past), budget)


def product_of_weights(moment: Moment, budget: Budget) -> Iterator[int]:
    """Cover at four levels, task times recency times principal: the first formula."""
    scores = similarity(moment.pool.sessions, moment.task)
    highest = max(scores) or 1.0
    weights = [
        (0.15 + (score / highest) ** 2)
        * (0.1 + math.exp(-(len(scores) - 1 - at) / 30))
        * (5 if session.principal == moment.task.principal else 1)
        for at, (score, session) in enumerate(
            zip(scores, moment.pool.sessions, strict=True)
        )
    ]
    return _cover(moment, weights, budget)


def ours(moment: Moment, budget: Budget) -> Iterator[int]:
    """Choose as `oldhand warm` does."""
    return _ids(choose(moment.pool, task=moment.task, budget=budget).chosen)


def ours_without_task(moment: Moment, budget: Budget) -> Iterator[int]:
    """Choose without knowing what the session is asked to do, as a hook must."""
    task = moment.task._replace(words=())
    return _ids(choose(moment.pool, task=task, budget=budget).chosen)


def ours_without_principal(moment: Moment, budget: Budget) -> Iterator[int]:
    """Choose without knowing whose session it is."""
    task = moment.task._replace(principal=None)
    return _ids(choose(moment.pool, task=task, budget=budget).chosen)


def clairvoyant(moment: Moment, budget: Budget) -> Iterator[int]:
    """Cover the very session that starts: the bound for any choice."""
    counts = Counter(moment.ids[call.levels] for call in moment.session.calls)
    shares = {shape: times / counts.total() for shape, times in counts.items()}
    found = cover(moment.pool, shares, budget=budget, level_weights=_EVEN_LEVELS)
    return _ids(found.chosen)


METHODS: dict[str, Method] = {
    "first come": first_come,
    "most frequent": most_frequent,
    "coverage, all alike": even_coverage,
    "coverage, product of weights": product_of_weights,
    "ours, task unknown": ours_without_task,
    "ours, principal unknown": ours_without_principal,
    "ours": ours,
    "clairvoyant": clairvoyant,
}


def _until_full(ranked: Iterable[tuple[int, int]], budget: Budget) -> Iterator[int]:
    tokens = 0
    for taken, (shape, price) in enumerate(ranked):
        tokens += price
        if budget.tokens is not None and tokens > budget.tokens:
            return
        if budget.examples is not None and taken >= budget.examples:
            return
        yield shape


def _cover(moment: Moment, weights: Sequence[float], budget: Budget) -> Iterator[int]:
    shares: defaultdict[int, float] = defaultdict(float)
    for session, weight in zip(moment.pool.sessions, weights, strict=True):
        calls = sum(session.counts.values())
        for shape, times in session.counts.items():
            shares[shape] += weight * times / calls
    found = cover(moment.pool, shares, budget=budget, level_weights=_EVEN_LEVELS)
    return _ids(found.chosen)


def _ids(chosen: Iterable[Candidate]) -> Iterator[int]:
    return (candidate.shape_id for candidate in chosen)

"""Choose the examples that cover most of what a new session will probably do.

What it will do is estimated from earlier sessions: each shape's share of a session's calls,
averaged with a weight for every session (see `relevance`). To cover these calls is a
submodular gain, for which choosing greedily is near the best that can be had; with a token
budget that is done twice, by gain for each token and by gain alone, and the better choice
is taken. The same input gives the same choice, whatever its order.

Source: Leskovec et al. (2007), KDD, 420-429: the better of the two reaches at least
(1 - 1/e)/2 of the best choice there is.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from oldhand.experience.candidates import (
    Budget,
    Candidate,
    Levels,
    PastSession,
    Pool,
    Selection,
    Task,
)
from oldhand.experience.relevance import session_weights
from oldhand.named_tuple import NamedTuple

Accepts = Callable[[Candidate], bool]
"""Says whether a candidate may be taken."""

LEVEL_WEIGHTS = (0.0, 0.05, 0.9, 0.05)
"""What it is worth to cover a call's tool, keys, shape and flags; together 1."""

REPETITION = 0.5
"""A call made n times in a session counts n to this power: repeating says less."""

_SHAPE = 2  # the level of which coverage speaks


class _Item(NamedTuple):
    """A candidate with the numbers of what it covers, one for each level."""

    candidate: Candidate
    covers: tuple[int, int, int, int]


class _Problem(NamedTuple):
    """What is to be covered: by number, what each is worth and its share of the calls."""

    items: list[_Item]
    worth: list[float]
    shares: list[float]


def choose(
    pool: Pool, *, task: Task, budget: Budget, accepts: Accepts | None = None
) -> Selection:
    """Choose examples for a new session.

    Args:
        pool: What was learned and may be shown.
        task: What is known of the new session.
        budget: What the examples may cost together; it is never passed.
        accepts: Asked before a candidate is taken, and never for all of them; one that
            is not accepted is passed over.

    Returns:
        The chosen candidates; none where nothing fits or nothing is known.

    Example:
        >>> levels = {1: ("Bash", "c", "git diff", "--stat"), 2: ("Read", "f", "go", "")}
        >>> past = PastSession("s", 0, None, None, (), {1: 9, 2: 1})
        >>> pool = Pool([past], [Candidate(1, 40), Candidate(2, 60)], levels)
        >>> choose(pool, task=Task(), budget=Budget(tokens=50)).chosen
        (Candidate(shape_id=1, cost_tokens=40),)
    """
    shares = shape_shares(pool.sessions, task)
    return cover(pool, shares, budget=budget, accepts=accepts)


def cover(
    pool: Pool,
    shares: Mapping[int, float],
    *,
    budget: Budget,
    level_weights: tuple[float, float, float, float] = LEVEL_WEIGHTS,
    accepts: Accepts | None = None,
) -> Selection:
    """Choose the candidates that cover most of the given calls.

    Args:
        pool: Its candidates and levels; its sessions are not looked at.
        shares: The share of the calls that each shape id has, from 0 to 1.
        budget: What the examples may cost together; it is never passed.
        level_weights: As `LEVEL_WEIGHTS`.
        accepts: As for `choose`.

    Returns:
        The chosen candidates; none where nothing fits or nothing has a share.
    """
    problem = _problem(pool, shares, level_weights)
    accepts = accepts or _accept_all
    chosen = _choose_greedily(problem, budget, minds_cost=False, accepts=accepts)
    if budget.tokens is not None:
        thrifty = _choose_greedily(problem, budget, minds_cost=True, accepts=accepts)
        chosen = max(thrifty, chosen, key=lambda items: _value(items, problem))
    shown = {item.covers[_SHAPE] for item in chosen}
    return Selection(
        chosen=tuple(item.candidate for item in chosen),
        tokens=sum(item.candidate.cost_tokens for item in chosen),
        coverage=min(1.0, math.fsum(problem.shares[number] for number in shown)),
    )


def shape_shares(sessions: Iterable[PastSession], task: Task) -> dict[int, float]:
    """Estimate what share of a new session's calls each shape will have.

    Args:
        sessions: In any order.
        task: Of the new session.

    Returns:
        By shape id; together 1, or empty where no session counts any call.
    """
    counted = (session for session in sessions if session.counts)
    ordered = sorted(counted, key=lambda session: (session.started_at_us, session.uid))
    shares: defaultdict[int, float] = defaultdict(float)
    for session, weight in zip(ordered, session_weights(ordered, task), strict=True):
        said = {shape: times**REPETITION for shape, times in session.counts.items()}
        unit = weight / math.fsum(said.values())
        for shape, value in said.items():
            shares[shape] += unit * value
    return shares


def _problem(
    pool: Pool,
    shares: Mapping[int, float],
    level_weights: tuple[float, float, float, float],
) -> _Problem:
    """Number the keys of all shapes, and add up what each key is worth."""
    numbers: dict[tuple[int, int | str, int | str], int] = {}
    covers: dict[int, tuple[int, int, int, int]] = {}
    worth: list[float] = []
    totals: list[float] = []
    offered = {candidate.shape_id for candidate in pool.candidates}
    for shape in sorted(offered.union(shares) & pool.levels.keys()):
        share = shares.get(shape, 0.0)
        found = _numbers(pool.levels[shape], numbers)
        for number, level_weight in zip(found, level_weights, strict=True):
            if number == len(worth):
                worth.append(0.0)
                totals.append(0.0)
            worth[number] += share * level_weight
            totals[number] += share
        covers[shape] = found
    items = [
        _Item(candidate, covers[candidate.shape_id])
        for candidate in sorted(pool.candidates)
        if candidate.shape_id in covers
    ]
    return _Problem(items, worth, totals)


def _numbers(
    levels: Levels, numbers: dict[tuple[int, int | str, int | str], int]
) -> tuple[int, int, int, int]:
    """Return the four keys' numbers; a key is known within its tool and level."""
    tool, keys, shape, flags = levels
    return (
        numbers.setdefault((0, tool, tool), len(numbers)),
        numbers.setdefault((1, tool, keys), len(numbers)),
        numbers.setdefault((2, tool, shape), len(numbers)),
        numbers.setdefault((3, tool, flags), len(numbers)),
    )


def _choose_greedily(
    problem: _Problem, budget: Budget, *, minds_cost: bool, accepts: Accepts
) -> list[_Item]:
    """Take what gains most, again and again, as long as it fits.

    Gains only ever shrink, so that the best of the promised ones, when its gain has not
    shrunk meanwhile, is the best of all.
    """
    items, worth, _ = problem
    costs = [item.candidate.cost_tokens for item in items]
    prices = [max(1, cost) for cost in costs] if minds_cost else [1] * len(items)
    promised = [
        (-(worth[tool] + worth[keys] + worth[shape] + worth[flags]) / price, at)
        for at, ((_, (tool, keys, shape, flags)), price) in enumerate(
            zip(items, prices, strict=True)
        )
    ]
    heapq.heapify(promised)
    chosen: list[_Item] = []
    covered: set[int] = set()
    tokens_left = math.inf if budget.tokens is None else budget.tokens
    examples_left = len(items) if budget.examples is None else budget.examples
    cheapest = min(costs, default=0)
    while promised and len(chosen) < examples_left and tokens_left >= cheapest:
        promise, at = promised[0]
        if costs[at] > tokens_left:
            heapq.heappop(promised)
            continue
        gain = -_gain(items[at], worth, covered=covered) / prices[at]
        if gain >= 0:
            heapq.heappop(promised)
        elif gain > promise:
            heapq.heapreplace(promised, (gain, at))
        elif not accepts(items[at].candidate):
            heapq.heappop(promised)
        else:
            heapq.heappop(promised)
            chosen.append(items[at])
            covered.update(items[at].covers)
            tokens_left -= costs[at]
    return chosen


def _accept_all(_candidate: Candidate) -> bool:
    return True


def _gain(item: _Item, worth: Sequence[float], *, covered: set[int]) -> float:
    gain = 0.0
    for number in item.covers:
        if number not in covered:
            gain += worth[number]
    return gain


def _value(items: Sequence[_Item], problem: _Problem) -> float:
    covered = {number for item in items for number in item.covers}
    return math.fsum(problem.worth[number] for number in covered)

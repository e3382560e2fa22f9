"""What part of a session came after a skill was loaded, and what that part cost.

Where an agent says what each answer used, parts are cut by tokens. Where it keeps only
totals, as Hermes does, they are cut by answers: each was one request to the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from oldhand.ledger.prices import PriceOf, Tokens


class Usage(NamedTuple):
    """What a message of a session used; None is unknown.

    Attributes:
        message: Its id.
        at_us: Its time, in microseconds since 1970-01-01 UTC.
        model: That wrote it.
        answers: 1 where a model wrote it, else 0.
        input: Tokens that were not read from a cache.
        output: Written by the model.
        cache_read: Read from a cache.
        cache_write: Put into a cache.
    """

    message: int
    at_us: int | None
    model: str | None
    answers: int
    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None

    @property
    def tokens(self) -> Tokens:
        """What it used."""
        return Tokens(self.input, self.output, self.cache_read, self.cache_write)

    def total(self) -> int:
        """Return all tokens that are known."""
        return sum(count or 0 for count in self.tokens)


class Totals(NamedTuple):
    """What an agent says of a whole session; None is unknown."""

    cost_microusd: int | None
    tokens: Tokens


class Part(NamedTuple):
    """What the part of a session after its first skill used and cost; None is unknown."""

    tokens: Tokens
    cost_microusd: int | None


def weigh(usages: Sequence[Usage]) -> list[int]:
    """Return what each message counts for: its tokens, or 1 for an answer."""
    totals = [usage.total() for usage in usages]
    return totals if any(totals) else [usage.answers for usage in usages]


def part_after(
    usages: Sequence[Usage],
    first: int,
    *,
    totals: Totals,
    model: str | None,
    price_of: PriceOf | None,
) -> Part:
    """Return what was used after a message.

    Args:
        usages: Of all messages, in order.
        first: The message that loaded the first skill.
        totals: Of the whole session.
        model: Of messages that name none.
        price_of: Says what tokens cost, where the session does not.
    """
    weights = weigh(usages)
    whole = sum(weights)
    after = [usage for usage in usages if usage.message > first]
    weighed = zip(usages, weights, strict=True)
    share = sum(w for usage, w in weighed if usage.message > first) / (whole or 1)
    if any(usage.total() for usage in usages):
        columns = zip(*(usage.tokens for usage in after), strict=True)
        tokens = Tokens(*map(sum_known, columns))
    else:
        tokens = Tokens(*(_cut(count, share) for count in totals.tokens))
    cost = _cut(totals.cost_microusd, share) if whole else None
    if totals.cost_microusd is None and price_of is not None:
        cost = _priced(after, tokens, model, price_of)
    return Part(tokens, cost)


def sum_known(values: Iterable[int | None]) -> int | None:
    """Add what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _cut(total: int | None, share: float) -> int | None:
    return None if total is None else round(total * share)


def _priced(
    after: Sequence[Usage], tokens: Tokens, model: str | None, price_of: PriceOf
) -> int | None:
    """Return the cost of some messages; None where that of one is unknown."""
    told = [usage for usage in after if usage.total()]
    if not told:
        newest = max((usage.at_us or 0 for usage in after), default=0)
        return price_of(model, None, tokens, newest)
    costs = [
        price_of(usage.model or model, None, usage.tokens, usage.at_us or 0)
        for usage in told
    ]
    return None if None in costs else sum_known(costs)

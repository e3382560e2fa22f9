"""What tokens cost: a user's own prices first, then the tables of genai-prices, offline.

A model that no table knows has an unknown price, and never 0: it would look free. What runs
on one's own machine costs 0 where somebody says so.

genai-prices is an extra, and read when the first price is asked for: it takes a quarter of a
second. It counts cached tokens among the input; we do not, as Anthropic does not.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from oldhand.errors import InvalidInput
from oldhand.ledger import checks

_PER = 1_000_000
_CURRENCY = "USD"
_FIELDS = ("input", "output", "cache_read", "cache_write")


class Tokens(NamedTuple):
    """Tokens of a run; None is unknown.

    Attributes:
        input: Not read from a cache, nor put into one.
        output: Written by the model.
        cache_read: Read from a cache; None: none is known of.
        cache_write: Put into a cache; the same.
    """

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None


class Price(NamedTuple):
    """Dollars for a million tokens.

    Attributes:
        input: Not read from a cache.
        output: Written by the model.
        cache_read: Default: as `input`.
        cache_write: Default: as `input`.
    """

    input: Decimal
    output: Decimal
    cache_read: Decimal | None = None
    cache_write: Decimal | None = None

    def microusd(self, tokens: Tokens) -> int | None:
        """Return the cost; None where input or output is unknown."""
        if tokens.input is None or tokens.output is None:
            return None
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        # Dollars for a million tokens are millionths of a dollar for one.
        return round(
            self.input * tokens.input
            + self.output * tokens.output
            + read * (tokens.cache_read or 0)
            + write * (tokens.cache_write or 0)
        )


PriceOf = Callable[[str | None, str | None, Tokens, int], int | None]
"""Takes model, provider, tokens and a time in microseconds since 1970-01-01 UTC; returns
millionths of a US dollar, or None where the price is unknown."""


def price_list(prices: Mapping[str, Any]) -> dict[str, Price]:
    """Read prices as settings hold them, by model.

    Args:
        prices: As `{"qwen3": {"input": 0, "output": 0}}`, in US dollars for a million
            tokens; `cache_read`, `cache_write` and `currency` may be there.

    Raises:
        InvalidInput: A key is not known, a price is none, or a currency is not USD.

    Example:
        >>> price_list({"qwen3": {"input": 0.1, "output": 0.4}})["qwen3"].output
        Decimal('0.4')
    """
    return {model: _price(model, said) for model, said in prices.items()}


def cost_microusd(
    model: str | None,
    provider: str | None,
    tokens: Tokens,
    at_us: int,
    *,
    own: Mapping[str, Price] | None = None,
) -> int | None:
    """Return what tokens cost, in millionths of a US dollar; None where that is unknown.

    Args:
        model: That answered.
        provider: The same; None lets the tables guess it by the model's name.
        tokens: That were used.
        at_us: When, in microseconds since 1970-01-01 UTC: prices have dates.
        own: A user's prices, by model; they go first.
    """
    if model is None or tokens.input is None or tokens.output is None:
        return None
    if own and model in own:
        return own[model].microusd(tokens)
    calculate = _tables()
    return None if calculate is None else calculate(model, provider, tokens, at_us)


def _price(model: str, said: Any) -> Price:  # noqa: ANN401 - as a file has it
    where = f"prices.{model}"
    if not isinstance(said, Mapping):
        raise checks.wrong(where, said, "a table with input and output")
    for key in said:
        if key not in (*_FIELDS, "currency"):
            raise InvalidInput(
                f"{where}.{key}: not known; expected {', '.join(_FIELDS)} or currency"
            )
    currency = said.get("currency", _CURRENCY)
    if currency != _CURRENCY:
        raise checks.wrong(f"{where}.currency", currency, _CURRENCY)
    amounts: dict[str, Decimal | None] = {}
    for key in _FIELDS:
        value = checks.number(f"{where}.{key}", said.get(key), most=checks.MAX_DOLLARS)
        amounts[key] = None if value is None else Decimal(str(said[key]))
    if amounts["input"] is None or amounts["output"] is None:
        raise checks.wrong(where, dict(said), "a price for input and for output")
    return Price(
        amounts["input"],
        amounts["output"],
        amounts["cache_read"],
        amounts["cache_write"],
    )


@cache
def _tables() -> PriceOf | None:
    """Return the tables of genai-prices as a function; None where it is not installed."""
    try:
        genai = import_module("genai_prices")  # an extra, and slow
    except ImportError:
        return None

    def calculate(
        model: str | None, provider: str | None, tokens: Tokens, at_us: int
    ) -> int | None:
        read, write = tokens.cache_read or 0, tokens.cache_write or 0
        usage = genai.Usage(
            input_tokens=(tokens.input or 0) + read + write,
            output_tokens=tokens.output,
            cache_read_tokens=read,
            cache_write_tokens=write,
        )
        moment = datetime.datetime.fromtimestamp(at_us / _PER, tz=datetime.UTC)
        try:
            price = genai.calc_price(
                usage, model, provider_id=provider, genai_request_timestamp=moment
            )
        except (LookupError, ValueError):  # no such model, or no price for such tokens
            return None
        return round(Decimal(price.total_price) * _PER)

    return calculate

"""Prices: a user's own, then the tables; unknown is never 0."""

from __future__ import annotations

import importlib.util
import socket
from typing import Any

import pytest

from oldhand.errors import InvalidInput
from oldhand.ledger.prices import Tokens, cost_microusd, price_list

AT_US = 1_767_225_600_000_000
NO_TABLES = importlib.util.find_spec("genai_prices") is None


def test_a_users_price_goes_first_and_is_exact() -> None:
    own = price_list({"qwen3": {"input": 0.1, "output": 0.4, "cache_read": 0.01}})
    used = Tokens(1_000_000, 500_000, 200_000, 100_000)

    # 0.1 + 0.2 + 0.002 + 0.01 dollars
    assert cost_microusd("qwen3", "ollama", used, AT_US, own=own) == 312_000


def test_a_price_of_nothing_is_nothing_where_it_is_said() -> None:
    own = price_list({"qwen3": {"input": 0, "output": 0, "currency": "USD"}})

    assert cost_microusd("qwen3", None, Tokens(10, 10), AT_US, own=own) == 0


@pytest.mark.parametrize("model", [None, "qwen3-of-my-own"])
def test_what_no_table_knows_has_no_price(model: str | None) -> None:
    assert cost_microusd(model, None, Tokens(10, 10), AT_US) is None


def test_unknown_tokens_have_no_price() -> None:
    own = price_list({"qwen3": {"input": 1, "output": 1}})

    assert cost_microusd("qwen3", None, Tokens(10, None), AT_US, own=own) is None


@pytest.mark.skipif(NO_TABLES, reason="genai-prices is not installed")
def test_the_tables_count_cached_tokens_once_and_ask_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "socket", None)
    used = Tokens(1_000, 500, 2_000, 100)

    # 3 and 15 dollars for a million; cached 0.3 read and 3.75 written.
    assert cost_microusd("claude-sonnet-4-5", "anthropic", used, AT_US) == 11_475
    assert cost_microusd("qwen3", "ollama", used, AT_US) is None


@pytest.mark.parametrize(
    ("prices", "said"),
    [
        ({"q": {"input": -1, "output": 1}}, "prices.q.input: -1"),
        ({"q": {"input": 1, "output": float("nan")}}, "prices.q.output: nan"),
        ({"q": {"input": "1", "output": 1}}, "prices.q.input: '1'"),
        ({"q": {"input": 1}}, "prices.q: .*expected a price for input and for output"),
        ({"q": {"input": 1, "output": 1, "currency": "EUR"}}, "currency: 'EUR'"),
        ({"q": {"input": 1, "outptu": 1}}, "prices.q.outptu: not known"),
        ({"q": 0}, "prices.q: 0"),
    ],
)
def test_a_bad_price_is_refused_by_name(prices: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        price_list(prices)

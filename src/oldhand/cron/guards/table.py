"""What the tables of genai-prices say of a model's context window; an extra, read offline."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

_Find = Callable[..., tuple[Any, Any]]


def table_window(model: str, provider: str | None) -> int | None:
    """Return how many tokens a model's window holds; None where no table knows.

    Args:
        model: As the provider calls it; with `[…]` at its end it is a form of the model
            that the tables do not tell apart, as one with a longer window.
        provider: None lets the tables guess it by the model's name.
    """
    find = _finder()
    if find is None or model.endswith("]"):
        return None
    try:
        _, found = find(model, None, provider, None)
    except (LookupError, ValueError):
        return None
    tokens = found.context_window
    return tokens if isinstance(tokens, int) and tokens > 0 else None


@cache
def _finder() -> _Find | None:
    try:
        snapshot = import_module("genai_prices.data_snapshot")  # an extra, and slow
    except ImportError:
        return None
    find: _Find = snapshot.get_snapshot().find_provider_model
    return find

"""How many tokens a model's context window holds, from who knows best.

The user's own word goes first; then what a server of one's own says that it serves; then
what a provider said when a prompt was too long; then the tables. Where nobody knows, it is
unknown: to guess would stop jobs that work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from oldhand.cron.guards.learned import (
    forget_window,
    keep_window,
    learned_window,
    window_in,
)
from oldhand.cron.guards.local import is_local
from oldhand.cron.guards.servers import Servers
from oldhand.cron.guards.table import table_window
from oldhand.store import Store

AskServer = Callable[[str, str], int | None]
LookUp = Callable[[str, str | None], int | None]


class Window(NamedTuple):
    """A known window.

    Attributes:
        tokens: What it holds.
        source: By whom it is known, as `the server at http://localhost:8080/v1`.
    """

    tokens: int
    source: str


class Asked(NamedTuple):
    """Which model is asked, and where; None is the agent's own default."""

    model: str | None = None
    provider: str | None = None
    base_url: str | None = None

    @property
    def place(self) -> str:
        """By which what was learnt of it is kept."""
        return self.base_url or self.provider or ""


class Windows:
    """Knows windows.

    Args:
        own: The user's word, by model: `[context_windows]` in oldhand.toml.
        ask: Asks a server of one's own, by address and model.
        look_up: Reads the tables, by model and provider.
    """

    def __init__(
        self,
        own: Mapping[str, int] = MappingProxyType({}),
        *,
        ask: AskServer | None = None,
        look_up: LookUp = table_window,
    ) -> None:
        """Know what one is told; nothing is asked yet."""
        self._own = own
        self._ask = ask or Servers().window
        self._look_up = look_up

    def find(self, store: Store | None, asked: Asked, *, now_us: int) -> Window | None:
        """Return a model's window, or None where nobody knows.

        Args:
            store: Where what was learnt is kept; None: nothing was.
            asked: Which model.
            now_us: In microseconds since 1970-01-01 UTC.
        """
        model = asked.model
        if model is None:
            return None
        if model in self._own:
            return Window(self._own[model], "your own word")
        served = self._ask(asked.base_url, model) if asked.base_url else None
        learnt = None
        if store is not None:
            learnt = learned_window(store, asked.place, model, now_us=now_us)
        if served is not None:
            if store is not None and learnt not in (None, served):
                forget_window(store, asked.place, model)
            return Window(served, f"the server at {asked.base_url}")
        if learnt is not None:
            return Window(learnt, "an error of an earlier run")
        if is_local(asked.provider, asked.base_url):  # it serves what it was told to
            return None
        known = self._look_up(model, asked.provider)
        return None if known is None else Window(known, "the tables of genai-prices")


def learn(store: Store, asked: Asked, said: str, *, now_us: int) -> bool:
    """Keep the window that an error names; in the caller's transaction.

    Args:
        store: Where it is kept.
        asked: Which model.
        said: The error's words, or an answer that holds them.
        now_us: In microseconds since 1970-01-01 UTC.

    Returns:
        Whether it named one.
    """
    model, tokens = asked.model, window_in(said)
    if model is None or tokens is None:
        return False
    keep_window(store, asked.place, model, tokens, now_us=now_us)
    return True

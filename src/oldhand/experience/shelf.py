"""The shelf: the calls of a pool that may be shown, fetched when they are about to be.

What is risky is passed over; what is shown is redacted first.
"""

from __future__ import annotations

from oldhand.experience.candidates import Candidate
from oldhand.experience.example import Example
from oldhand.experience.fetch import fetch_example
from oldhand.experience.guard.owners import LEAST_PRINCIPALS
from oldhand.experience.harmless import IsRisky, is_harmless
from oldhand.experience.pool import Exemplar, LoadedPool, showable
from oldhand.experience.shown import ShownCalls
from oldhand.risk import is_risky as is_on_list
from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.keys import session_of_call
from oldhand.store import Queries, Store

_SQL = Queries(__package__)


class Shelf:
    """The calls that may be shown, by shape; looked at when they are about to be taken.

    Args:
        store: Where they are.
        loaded: The pool that they are of.
        is_risky: Which calls are never shown.
        result_chars: How much of each result is fetched, from 200.
        fits: Whether a call, tool and arguments, is one that the session could make.
    """

    def __init__(
        self,
        store: Store,
        loaded: LoadedPool,
        *,
        is_risky: IsRisky,
        result_chars: int,
        fits: IsRisky | None = None,
    ) -> None:
        """Look at nothing yet."""
        self._store = store
        self._loaded = loaded
        self._is_risky = is_risky
        self._result_chars = result_chars
        self._fits = fits
        self._calls: dict[int, int | None] = {}
        self._general: dict[int, Example] = {}
        self._shown = ShownCalls(store, is_used=is_risky is is_on_list)

    def has(self, candidate: Candidate) -> bool:
        """Say whether a shape has a call that may be shown."""
        shape_id = candidate.shape_id
        if shape_id not in self._calls:
            found = self._loaded.exemplars[shape_id]
            if self._loaded.others:
                found = [one for one in found if not self._is_of_others(one)]
            harmless = (call for _, call in showable(found) if self._is_harmless(call))
            self._calls[shape_id] = next(harmless, None)
            if not found:
                self._look_at_others(shape_id)
        return self._calls[shape_id] is not None

    def take(self, candidate: Candidate) -> Example:
        """Return the best call of a shape that `has` said is there."""
        shape_id = candidate.shape_id
        return self._general.get(shape_id) or self._fetch(
            shape_id, self._calls[shape_id]
        )

    def close(self) -> None:
        """Keep what was found out, for the next time."""
        self._shown.keep()

    def _fetch(self, shape_id: int, call: int | None) -> Example:
        found = self._loaded.exemplars[shape_id]
        example = fetch_example(
            self._store,
            call,
            support=len(found),
            result_chars=self._result_chars,
            shown=self._shown,
        )
        return example._replace(principals=len(self._principals(found)))

    def _look_at_others(self, shape_id: int) -> None:
        """Take a call of somebody else's where two of them made such calls."""
        found = self._loaded.exemplars[shape_id]
        if len(self._principals(found)) < LEAST_PRINCIPALS:
            return
        # Where all are one's own, nothing of it is needed.
        from oldhand.experience.shared import for_others, known_literals  # noqa: PLC0415

        calls = (call for _, call in found)
        known = known_literals(self._store, calls, self._loaded.others)
        for _, call in showable(found):
            if self._is_harmless(call):
                general = for_others(self._fetch(shape_id, call), known.__contains__)
                if general is not None:
                    self._calls[shape_id] = call
                    self._general[shape_id] = general
                    return

    def _principals(self, found: list[Exemplar]) -> set[str | None]:
        whose = self._loaded.principals
        return {whose[session_of_call(call)] for _, call in found} - {None}

    def _is_of_others(self, exemplar: Exemplar) -> bool:
        return session_of_call(exemplar[1]) in self._loaded.others

    def _is_harmless(self, call: int) -> bool:
        is_shown = is_harmless(
            self._store, call, is_risky=self._is_risky, shown=self._shown
        )
        return is_shown and (self._fits is None or self._could_make(call, self._fits))

    def _could_make(self, call: int, fits: IsRisky) -> bool:
        row = self._store.query_one(_SQL["call_to_weigh"], {"id": call})
        return row is not None and fits(row[0], arguments_in(row[1]))

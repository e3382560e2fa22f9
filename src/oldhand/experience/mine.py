"""Mine examples: choose from the pool, fetch the chosen calls, make them fit to be shown.

A call that a person or a policy refused is not in the pool; one that is risky is left out
here, for an example persuades to repeat it. What is shown is redacted before it is stored
or given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.errors import NotFound, NothingToLearn
from oldhand.experience.candidates import Budget, Candidate, Task
from oldhand.experience.colours import uncoloured
from oldhand.experience.example import Example
from oldhand.experience.pool import LoadedPool, Scope, load_pool, showable
from oldhand.experience.relevance import words_of
from oldhand.experience.select import choose
from oldhand.redact import redact, redact_json
from oldhand.risk import is_risky as _is_risky
from oldhand.sessions.keys import message_of_call, messages_of, session_of_call
from oldhand.sessions.payloads import content_of
from oldhand.store import Queries, Store

_SQL = Queries(__package__)
_MAX_CONTEXT_CHARS = 60
_MAX_RESULT_CHARS = 4_000
_DOUBTFUL_CHARS = 200  # a token may begin in these and end behind the window
_MARGIN_CHARS = 2_000  # longer than any secret but a key file, known by its head

IsRisky = Callable[[str, Mapping[str, Any]], bool]
"""Says whether a call, tool and arguments, must not be shown."""


class Wish(NamedTuple):
    """What examples are wanted for.

    Attributes:
        scope: Which sessions may teach.
        budget: What the examples may cost.
        task: What the new session is to do, in words; "" where unknown.
        principal: Who starts it.
        project: Where it works.
        result_chars: How much of each result is fetched, from 200.
    """

    scope: Scope
    budget: Budget
    task: str = ""
    principal: str | None = None
    project: str | None = None
    result_chars: int = _MAX_RESULT_CHARS


class Mined(NamedTuple):
    """The examples and where they come from.

    Attributes:
        examples: The one that covers most for its cost first.
        coverage: Share of the pool's calls, weighted for this wish, whose shape they
            show, from 0 to 1.
        sessions: How many sessions were in the pool.
        newest_us: When the newest of them began.
    """

    examples: tuple[Example, ...]
    coverage: float
    sessions: int
    newest_us: int | None


def mine(store: Store, wish: Wish, *, is_risky: IsRisky = _is_risky) -> Mined:
    """Choose and fetch examples.

    Args:
        store: Where the sessions are.
        wish: What they are wanted for.
        is_risky: Which calls are never shown.

    Raises:
        NothingToLearn: There is no call that worked in scope; the message says what is
            there and what would help.
    """
    loaded = load_pool(store, wish.scope)
    if not loaded.pool.candidates:
        raise NothingToLearn(_what_is_missing(store, wish.scope, loaded))
    shelf = _Shelf(store, loaded, is_risky, wish.result_chars)
    selection = choose(
        loaded.pool,
        task=Task(words_of(wish.task), wish.principal, wish.project),
        budget=wish.budget,
        accepts=shelf.has,
    )
    if not selection.chosen:
        raise NothingToLearn(
            f"no call that worked may be shown within the budget: of "
            f"{len(loaded.pool.candidates)} candidates all are too long or too risky"
        )
    return Mined(
        tuple(shelf.take(candidate) for candidate in selection.chosen),
        selection.coverage,
        len(loaded.pool.sessions),
        loaded.newest_us,
    )


def coverage_by_budget(
    store: Store, wish: Wish, token_budgets: Sequence[int]
) -> dict[int, float]:
    """Return what share of the pool's calls each token budget could show, 0 to 1.

    It is what a choice made for all of them reaches, not a forecast for the next session.
    """
    loaded = load_pool(store, wish.scope)
    task = Task(words_of(wish.task), wish.principal, wish.project)
    return {
        tokens: choose(loaded.pool, task=task, budget=Budget(tokens=tokens)).coverage
        for tokens in token_budgets
    }


class _Shelf:
    """The calls that may be shown, by shape; looked at when they are about to be taken."""

    def __init__(
        self, store: Store, loaded: LoadedPool, is_risky: IsRisky, result_chars: int
    ) -> None:
        self._store = store
        self._loaded = loaded
        self._is_risky = is_risky
        self._result_chars = result_chars
        self._calls: dict[int, int | None] = {}

    def has(self, candidate: Candidate) -> bool:
        """Say whether a shape has a call that may be shown."""
        shape_id = candidate.shape_id
        if shape_id not in self._calls:
            found = showable(self._loaded.exemplars[shape_id])
            harmless = (item.call for item in found if self._is_harmless(item.call))
            self._calls[shape_id] = next(harmless, None)
        return self._calls[shape_id] is not None

    def take(self, candidate: Candidate) -> Example:
        """Return the best call of a shape that `has` said is there."""
        call = self._calls[candidate.shape_id]
        support = len(self._loaded.exemplars[candidate.shape_id])
        return _example(
            self._store, call, support=support, result_chars=self._result_chars
        )

    def _is_harmless(self, call: int) -> bool:
        row = self._store.query_one(_SQL["call_to_weigh"], {"id": call})
        if row is None:
            return False
        tool, arguments = row
        values = _object_in(arguments)
        return values is not None and not self._is_risky(tool, values)


def _object_in(arguments: str) -> dict[str, Any] | None:
    """Return the arguments as an object; None where they are none."""
    try:
        values = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def _example(
    store: Store, call: int | None, *, support: int, result_chars: int
) -> Example:
    """Fetch one call as an example, redacted."""
    row = store.query_one(_SQL["call_to_show"], {"id": call})
    if row is None or call is None:
        raise NotFound(f"call {call} went away while it was being shown")
    session, call_id, tool, arguments, content, body, length, *rest = row
    outcome, shape, model, at_us = rest
    text = content_of(content or "", body)
    result = _redacted_head(text, result_chars)
    is_whole = len(text) <= result_chars and len(text) == length
    return Example(
        tool=redact(tool),
        arguments=canonical_json(redact_json(_object_in(arguments) or {})),
        result=result,
        # A pruned result is empty, and was so long; a redacted one may be shorter.
        result_chars=len(result) if is_whole else length or 0,
        shape=redact(shape),
        context=_context(store, call),
        outcome=outcome,
        support=support,
        session=redact(session),
        call_id=redact(call_id),
        model=None if model is None else redact(model),
        at_us=at_us,
    )


def _redacted_head(text: str, max_chars: int) -> str:
    """Redact first and cut then: a secret cut in two would not be known as one.

    So the end of a window that does not hold the whole text is left out.
    """
    window = text[: max_chars + _MARGIN_CHARS]
    shown = redact(uncoloured(window))
    if len(window) < len(text):
        shown = shown[:-_DOUBTFUL_CHARS]
    return shown[:max_chars]


def _context(store: Store, call: int) -> str:
    """Return what the user had asked for last before a call, redacted and cut."""
    row = store.query_one(
        _SQL["request_before"],
        {
            "first": messages_of(session_of_call(call)).first,
            "message": message_of_call(call),
        },
    )
    if row is None:
        return ""
    text = " ".join(_redacted_head(content_of(*row), _MAX_CONTEXT_CHARS * 4).split())
    if len(text) <= _MAX_CONTEXT_CHARS:
        return text
    return text[: _MAX_CONTEXT_CHARS - 2].rsplit(" ", 1)[0] + " …"


def _what_is_missing(store: Store, scope: Scope, loaded: LoadedPool) -> str:
    """Say what is in the database, and what would help."""
    row = store.query_one(_SQL["session_counts"])
    sessions, projects = (row[0], row[1]) if row else (0, 0)
    if not sessions:
        return "no sessions with tool calls on record; run `oldhand import` first"
    if loaded.pool.sessions:
        return f"{len(loaded.pool.sessions)} sessions in scope, but no call that worked"
    if scope.project is not None:
        return (
            f"no session of {scope.project} fits; on record are {sessions} sessions of "
            f"{projects} projects: name one with --project, or take --all-projects"
        )
    return f"none of the {sessions} sessions on record fits what was asked for"

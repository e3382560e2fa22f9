"""Mine examples: choose from the pool, fetch the chosen calls, make them fit to be shown.

A call that a person or a policy refused is not in the pool; one that is risky is left out
here, for an example persuades to repeat it. What is shown is redacted before it is stored
or given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from oldhand.counted import counted
from oldhand.errors import NothingToLearn
from oldhand.experience.candidates import Budget, Task
from oldhand.experience.example import Example
from oldhand.experience.harmless import IsRisky
from oldhand.experience.pool import LoadedPool, Scope, load_pool
from oldhand.experience.relevance import words_of
from oldhand.experience.select import choose
from oldhand.experience.shelf import Shelf
from oldhand.named_tuple import NamedTuple
from oldhand.risk import is_risky as _is_risky
from oldhand.store import Queries, Store

if TYPE_CHECKING:
    from oldhand.experience.guard.tool_definitions import ToolDefinition

_SQL = Queries(__package__)
_MAX_RESULT_CHARS = 4_000
_NAMED_TOOLS = 12


class Wish(NamedTuple):
    """What examples are wanted for.

    Attributes:
        scope: Which sessions may teach.
        budget: What the examples may cost.
        task: What the new session is to do, in words; "" where unknown.
        principal: Who starts it.
        project: Where it works.
        result_chars: How much of each result is fetched, from 200.
        definitions: The session's tools by name, where their definitions are at hand:
            calls that do not fit them are left out.
        generalises: Whether what only one session said gives way to placeholders.
    """

    scope: Scope
    budget: Budget
    task: str = ""
    principal: str | None = None
    project: str | None = None
    result_chars: int = _MAX_RESULT_CHARS
    definitions: Mapping[str, ToolDefinition] | None = None
    generalises: bool = False


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
    loaded = load_pool(store, wish.scope, keeps_counts=True)
    if not loaded.pool.candidates:
        raise _what_is_missing(store, wish.scope, loaded)
    shelf = Shelf(
        store,
        loaded,
        is_risky=is_risky,
        result_chars=wish.result_chars,
        fits=_fits(wish),
    )
    selection = choose(
        loaded.pool,
        task=Task(words_of(wish.task), wish.principal, wish.project),
        budget=wish.budget,
        accepts=shelf.has,
    )
    if not selection.chosen:
        raise _why_none(loaded, wish.scope)
    examples = tuple(shelf.take(candidate) for candidate in selection.chosen)
    shelf.close()
    if wish.generalises:
        examples = _general(store, loaded, examples)
    return Mined(
        examples,
        selection.coverage,
        len(loaded.pool.sessions),
        loaded.newest_us,
    )


def _fits(wish: Wish) -> IsRisky | None:
    definitions = wish.definitions
    if definitions is None:
        return None
    from oldhand.experience.guard.tool_definitions import fits  # noqa: PLC0415 - seldom given

    return lambda tool, arguments: fits(definitions, tool, arguments)


def _general(
    store: Store, loaded: LoadedPool, examples: tuple[Example, ...]
) -> tuple[Example, ...]:
    # Most starts are of one's own calls, for oneself.
    from oldhand.experience.shared import general_examples  # noqa: PLC0415

    general = general_examples(store, loaded, examples)
    if not general:
        raise NothingToLearn(
            f"of {counted(len(examples), 'call')} none can be shown without what only one session "
            "said; keep their literals, or learn from more sessions"
        )
    return general


def _why_none(loaded: LoadedPool, scope: Scope) -> NothingToLearn:
    count = len(loaded.pool.candidates)
    if loaded.others and len(loaded.others) == len(loaded.pool.sessions):
        named = ", ".join(sorted(set(loaded.others.values()))[:_NAMED_TOOLS])
        return NothingToLearn(
            f"no session of {scope.own} is in scope, and of those of {named} no call was "
            "made by two of them",
            advice="if they are yours, set OLDHAND_PRINCIPAL, or import them with "
            "--principal",
        )
    return NothingToLearn(
        f"no call that worked may be shown within the budget: of "
        f"{counted(count, 'candidate')} each is too long, too risky, or somebody else's alone"
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


def tools_apart(wanted: Collection[str], there: Sequence[str]) -> str:
    """Say which tools are there in place of those that are wanted.

    Example:
        >>> tools_apart({"bash"}, ["Bash", "Read"])
        'it has bash, and there are examples of Bash, Read'
    """
    named = ", ".join(sorted(wanted)) or "none"
    more = ", …" if len(there) > _NAMED_TOOLS else ""
    return f"it has {named}, and there are examples of {', '.join(there[:_NAMED_TOOLS])}{more}"


def _what_is_missing(store: Store, scope: Scope, loaded: LoadedPool) -> NothingToLearn:
    """Say what is in the database, and what would help."""
    from oldhand.sessions.on_record import fault_of_source  # noqa: PLC0415 - seldom

    row = store.query_one(_SQL["session_counts"])
    sessions, projects = (row[0], row[1]) if row else (0, 0)
    if not sessions:
        return NothingToLearn(
            "no sessions with tool calls on record", advice="run `oldhand import` first"
        )
    if fault := fault_of_source(store, scope.source):
        return NothingToLearn(fault)
    if scope.tools is not None and loaded.exemplars:
        times: Counter[str] = Counter()
        for shape_id, found in loaded.exemplars.items():
            times[str(loaded.pool.levels[shape_id][0])] += len(found)
        return NothingToLearn(
            "no call that worked is one of the tools that the session has; "
            + tools_apart(scope.tools, [tool for tool, _ in times.most_common()])
        )
    if loaded.pool.sessions:
        return NothingToLearn(
            f"{counted(len(loaded.pool.sessions), 'session')} in scope, but no call that worked"
        )
    if scope.project is not None:
        return NothingToLearn(
            f"no session of {scope.project} fits; on record: "
            f"{counted(sessions, 'session')} of {counted(projects, 'project')}",
            advice="name one with --project, or take --all-projects",
        )
    return NothingToLearn(
        f"of {counted(sessions, 'session')} on record none fits what was asked for"
    )

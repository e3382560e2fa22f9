"""Where the examples of a warm start come from: a template, or what is chosen anew."""

from __future__ import annotations

from oldhand.errors import InvalidInput
from oldhand.experience.candidates import Budget
from oldhand.experience.example import Example
from oldhand.experience.harmless import IsRisky
from oldhand.experience.mine import Wish, mine, tools_apart
from oldhand.experience.render import DEFAULT_RESULT_CHARS
from oldhand.experience.warm.model import WarmRequest
from oldhand.named_tuple import NamedTuple
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.experience")
# Prices in the pool are estimates: a little more is chosen than will fit.
_CHOSEN_BEYOND_BUDGET = 1.1


class Source(NamedTuple):
    """Where the examples come from: a template, or what was chosen anew."""

    label: str | None
    examples: tuple[Example, ...]
    addendum: str
    coverage: float | None
    sessions: int
    newest_us: int | None
    note: str = ""


def source_for(store: Store, request: WarmRequest, *, is_risky: IsRisky) -> Source:
    """Return the examples that a request asks for, of tools that the session has.

    Raises:
        NotFound: There is no such template.
        NothingToLearn: No session in scope holds a call that may be shown.
        InvalidInput: None of a template's examples may be given.
    """
    return _of_tools(_source(store, request, is_risky=is_risky), request.tools)


def _source(store: Store, request: WarmRequest, *, is_risky: IsRisky) -> Source:
    if request.template is not None:
        # Most starts are chosen anew, and need nothing of what templates are kept with.
        from oldhand.experience.template.give import template_source  # noqa: PLC0415

        kept, examples, note = template_source(
            store,
            request.template,
            principal=request.principal,
            definitions=request.definitions,
            generalises=request.generalises,
            is_risky=is_risky,
        )
        return Source(
            kept.label,
            tuple(_supported(store, example) for example in examples),
            kept.shown_addendum,
            kept.coverage,
            kept.session_count,
            None,
            note,
        )
    wish = Wish(
        scope=request.scope._replace(tools=request.tools),
        task=request.task,
        principal=request.principal,
        project=request.project,
        budget=Budget(
            tokens=round(request.tokens * _CHOSEN_BEYOND_BUDGET),
            examples=request.max_examples,
        ),
        result_chars=2 * DEFAULT_RESULT_CHARS,
        definitions=request.definitions,
        generalises=request.generalises,
    )
    mined = mine(store, wish, is_risky=is_risky)
    return Source(
        None, mined.examples, "", mined.coverage, mined.sessions, mined.newest_us
    )


def _of_tools(source: Source, tools: frozenset[str] | None) -> Source:
    """Leave out the examples of tools that the session does not have."""
    if tools is None:
        return source
    examples = tuple(e for e in source.examples if e.tool in tools)
    if source.examples and not examples:
        there = list(dict.fromkeys(example.tool for example in source.examples))
        raise InvalidInput(
            f"{source.label} shows no tool that the session has; "
            + tools_apart(tools, there)
        )
    return source._replace(examples=examples)


def _supported(store: Store, example: Example) -> Example:
    """Let an example that nobody checked count as one that worked, where calls like it did.

    Templates of other makers hold such examples: what they call a success says nothing.
    """
    if example.outcome != "unknown":
        return example
    row = store.query_one(
        _SQL["support_of_shape"], {"tool": example.tool, "shape": example.shape}
    )
    sessions = row[0] if row else 0
    return example._replace(outcome="ok", support=sessions) if sessions else example

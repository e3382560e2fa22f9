"""A warm start: examples rendered for one new session, and logged before its first call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from oldhand.canonical_json import canonical_json, sha256_of
from oldhand.clock import Clock, system_clock
from oldhand.errors import InvalidInput, StoreReadOnly
from oldhand.experience.candidates import Budget
from oldhand.experience.example import Example
from oldhand.experience.mine import Wish, mine, tools_apart
from oldhand.experience.pool import Scope
from oldhand.experience.render import DEFAULT_RESULT_CHARS, fit_messages, fit_text
from oldhand.experience.shelf import IsRisky
from oldhand.risk import is_risky as _is_risky
from oldhand.store import Queries, Store
from oldhand.tokens import estimate

if TYPE_CHECKING:
    from oldhand.experience.guard.tool_definitions import ToolDefinition

_SQL = Queries(__package__)
TARGETS = ("text", "openai", "anthropic")
WarmTarget = Literal["text", "openai", "anthropic"]
DEFAULT_TOKENS = 1_500
FEW_SESSIONS = 20
_EXAMPLE_KEYS = (
    "tool",
    "arguments",
    "result",
    "shape",
    "context",
    "support",
    "session",
    "call_id",
)
# Prices in the pool are estimates: a little more is chosen than will fit.
_CHOSEN_BEYOND_BUDGET = 1.1


class WarmRequest(NamedTuple):
    """What is wanted.

    Attributes:
        template: A name or `name@version`; None to choose anew.
        scope: Which sessions may teach, where there is no template.
        task: What the new session is to do; "" where unknown.
        principal: Who starts it.
        project: Where it works.
        target: `text` for one block valid everywhere, else native turns of a provider.
        tokens: What it may take at most, by an estimate that does not count too few.
        max_chars: What its text may have in characters; None for no limit of that kind.
        max_examples: At most so many; None for no limit.
        tools: The tools that the session has; None where unknown.
        session: The uid of the session that it is given to, for the log.
        definitions: Those tools by name, where their definitions are at hand: examples
            that do not fit them are left out.
        generalises: Whether what only one session said gives way to placeholders.
    """

    template: str | None = None
    scope: Scope = Scope()
    task: str = ""
    principal: str | None = None
    project: str | None = None
    target: WarmTarget = "text"
    tokens: int = DEFAULT_TOKENS
    max_chars: int | None = None
    max_examples: int | None = None
    tools: frozenset[str] | None = None
    session: str | None = None
    definitions: Mapping[str, ToolDefinition] | None = None
    generalises: bool = False


class WarmStart(NamedTuple):
    """What was rendered, ready for `inject`.

    Attributes:
        template: The label of the template it shows; None where it was chosen anew.
        target: What it was rendered for.
        tokens: What it takes, by an estimate that does not count too few.
        coverage: Share of the past calls whose shape it shows, 0 to 1; None for a
            template that was not chosen from a pool.
        sessions: How many sessions it was chosen from.
        newest_us: When the newest of them began; None where that is not known.
        examples: Those that are shown, in order.
        text: The block, where the target is `text`.
        messages: The turns, where it is not.
        is_logged: False where the database can only be read.
        note: What a person should know of the template that was asked for; "" else.
    """

    template: str | None
    target: WarmTarget
    tokens: int
    coverage: float | None
    sessions: int
    newest_us: int | None
    examples: tuple[Example, ...]
    text: str | None = None
    messages: list[dict[str, Any]] | None = None
    is_logged: bool = True
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it, with the documented keys."""
        shown = [
            {key: getattr(example, key) for key in _EXAMPLE_KEYS}
            for example in self.examples
        ]
        rendered = (
            {"messages": self.messages} if self.text is None else {"text": self.text}
        )
        return {
            "template": self.template,
            "tokens": self.tokens,
            "coverage": self.coverage,
            "examples": shown,
            **rendered,
        }


def warm_start(
    store: Store,
    request: WarmRequest,
    *,
    is_risky: IsRisky = _is_risky,
    clock: Clock = system_clock,
) -> WarmStart:
    """Choose, render and log a warm start.

    The same database and request give the same bytes.

    Raises:
        NotFound: There is no such template.
        NothingToLearn: No session in scope holds a call that may be shown.
        InvalidInput: The target is none, or the budget does not take even one example.
    """
    warm = prepare(store, request, is_risky=is_risky)
    try:
        log_use(store, request, warm, clock=clock)
    except StoreReadOnly:  # a start without a log helps more than none
        return warm._replace(is_logged=False)
    return warm


def prepare(
    store: Store, request: WarmRequest, *, is_risky: IsRisky = _is_risky
) -> WarmStart:
    """Choose and render a warm start; whoever gives it logs it with `log_use`.

    Raises:
        NotFound: There is no such template.
        NothingToLearn: No session in scope holds a call that may be shown.
        InvalidInput: The target is none, or the budget does not take even one example.
    """
    if request.target not in TARGETS:
        raise InvalidInput(
            f"{request.target!r} is no target; expected one of {', '.join(TARGETS)}"
        )
    source = _of_tools(_source(store, request, is_risky=is_risky), request.tools)
    warm = _render(request, source)
    if not warm.examples:
        raise InvalidInput(
            f"none of {len(source.examples)} examples fits into {request.tokens} tokens; "
            "allow more"
        )
    return warm


class _Source(NamedTuple):
    """Where the examples come from: a template, or what was chosen anew."""

    label: str | None
    examples: tuple[Example, ...]
    addendum: str
    coverage: float | None
    sessions: int
    newest_us: int | None
    note: str = ""


def _source(store: Store, request: WarmRequest, *, is_risky: IsRisky) -> _Source:
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
        return _Source(
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
    return _Source(
        None, mined.examples, "", mined.coverage, mined.sessions, mined.newest_us
    )


def _of_tools(source: _Source, tools: frozenset[str] | None) -> _Source:
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


def _render(request: WarmRequest, source: _Source) -> WarmStart:
    text = messages = None
    if request.target == "text":
        text, tokens, kept = fit_text(
            source.examples[: request.max_examples],
            budget_tokens=request.tokens,
            estimate=estimate,
            addendum=source.addendum,
            max_chars=request.max_chars,
        )
    else:
        messages, tokens, kept = fit_messages(
            source.examples[: request.max_examples],
            budget_tokens=request.tokens,
            target=request.target,
            tools=request.tools,
            estimate=estimate,
        )
    return WarmStart(
        template=source.label,
        target=request.target,
        tokens=tokens,
        coverage=source.coverage,
        sessions=source.sessions,
        newest_us=source.newest_us,
        examples=kept,
        text=text,
        messages=messages,
        note=source.note,
    )


def log_use(
    store: Store, request: WarmRequest, warm: WarmStart, *, clock: Clock = system_clock
) -> int:
    """Write down what is given before the session's first call can use it.

    Returns:
        The key of the row in `warm_uses`.
    """
    given = warm.text if warm.text is not None else canonical_json(warm.messages)
    sources = [[example.session, example.call_id] for example in warm.examples]
    row = store.query_one(
        _SQL["log_warm_use"],
        {
            "template": warm.template,
            # As `sessions.uid` will be: so it is found when that session is erased.
            "session": request.session,
            "target": warm.target,
            "tokens": warm.tokens,
            "digest": sha256_of(given.encode("utf-8", "replace")),
            "examples": json.dumps(sources),
            "given_at_us": clock(),
        },
    )
    return 0 if row is None else int(row[0])

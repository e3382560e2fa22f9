"""A warm start: examples rendered for one new session, and logged before its first call."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Literal, NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.clock import Clock, system_clock
from oldhand.errors import InvalidInput
from oldhand.experience.candidates import Budget
from oldhand.experience.example import Example
from oldhand.experience.mine import IsRisky, Wish, mine
from oldhand.experience.pool import Scope
from oldhand.experience.render import DEFAULT_RESULT_CHARS, fit_messages, fit_text
from oldhand.experience.template import find_template
from oldhand.redact import redact
from oldhand.risk import is_risky as _is_risky
from oldhand.store import Queries, Store
from oldhand.tokens import estimate

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
        max_examples: At most so many; None for no limit.
        tools: The tools that the session has; None where unknown.
        session: The uid of the session that it is given to, for the log.
    """

    template: str | None = None
    scope: Scope = Scope()
    task: str = ""
    principal: str | None = None
    project: str | None = None
    target: WarmTarget = "text"
    tokens: int = DEFAULT_TOKENS
    max_examples: int | None = None
    tools: frozenset[str] | None = None
    session: str | None = None


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
    if request.target not in TARGETS:
        raise InvalidInput(
            f"{request.target!r} is no target; expected one of {', '.join(TARGETS)}"
        )
    source = _source(store, request, is_risky=is_risky)
    warm = _render(request, source)
    if not warm.examples:
        raise InvalidInput(
            f"none of {len(source.examples)} examples fits into {request.tokens} tokens"
            f"{' with these tools' if request.tools is not None else ''}; allow more"
        )
    _log(store, request, warm, clock=clock)
    return warm


class _Source(NamedTuple):
    """Where the examples come from: a template, or what was chosen anew."""

    label: str | None
    examples: tuple[Example, ...]
    addendum: str
    coverage: float | None
    sessions: int
    newest_us: int | None


def _source(store: Store, request: WarmRequest, *, is_risky: IsRisky) -> _Source:
    if request.template is not None:
        kept = find_template(store, request.template)
        return _Source(
            kept.label,
            tuple(_supported(store, example) for example in kept.examples),
            kept.addendum,
            kept.coverage,
            kept.session_count,
            None,
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
    )
    mined = mine(store, wish, is_risky=is_risky)
    return _Source(
        None, mined.examples, "", mined.coverage, mined.sessions, mined.newest_us
    )


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
            [
                example
                for example in source.examples
                if request.tools is None or example.tool in request.tools
            ][: request.max_examples],
            budget_tokens=request.tokens,
            estimate=estimate,
            addendum=source.addendum,
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
    )


def _log(store: Store, request: WarmRequest, warm: WarmStart, *, clock: Clock) -> None:
    """Write down what was given before the session's first call can use it."""
    given = warm.text if warm.text is not None else canonical_json(warm.messages)
    sources = [[example.session, example.call_id] for example in warm.examples]
    store.execute(
        _SQL["log_warm_use"],
        {
            "template": warm.template,
            "session": redact(request.session) if request.session else None,
            "target": warm.target,
            "tokens": warm.tokens,
            "digest": hashlib.sha256(given.encode("utf-8", "replace")).hexdigest(),
            "examples": json.dumps(sources),
            "given_at_us": clock(),
        },
    )

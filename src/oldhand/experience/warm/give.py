"""Give a warm start: rendered within its budget, and logged before the first call."""

from __future__ import annotations

import json

from oldhand.canonical_json import canonical_json, sha256_of
from oldhand.clock import Clock, system_clock
from oldhand.counted import counted
from oldhand.errors import InvalidInput, StoreReadOnly
from oldhand.experience.harmless import IsRisky
from oldhand.experience.render import fit_messages, fit_text
from oldhand.experience.warm.model import TARGETS, WarmRequest, WarmStart
from oldhand.experience.warm.source import Source, source_for
from oldhand.risk import is_risky as _is_risky
from oldhand.store import Queries, Store
from oldhand.tokens import estimate

_SQL = Queries("oldhand.experience")


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
    source = source_for(store, request, is_risky=is_risky)
    warm = _render(request, source)
    if not warm.examples:
        raise InvalidInput(
            f"of {counted(len(source.examples), 'example')} none fits into "
            f"{counted(request.tokens, 'token')}; allow more"
        )
    return warm


def _render(request: WarmRequest, source: Source) -> WarmStart:
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

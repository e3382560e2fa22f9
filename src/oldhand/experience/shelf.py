"""The shelf: the calls of a pool that may be shown, fetched when they are about to be.

What is risky is passed over; what is shown is redacted first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from oldhand.canonical_json import canonical_json, digest
from oldhand.errors import NotFound
from oldhand.experience.colours import uncoloured
from oldhand.experience.example import Example
from oldhand.experience.guard.owners import LEAST_PRINCIPALS
from oldhand.experience.shown import ShownCalls
from oldhand.redact import redact, redact_json
from oldhand.risk import is_risky as is_on_list
from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.keys import message_of_call, messages_of, session_of_call
from oldhand.sessions.payloads import content_of
from oldhand.store import Queries, Store

if TYPE_CHECKING:  # a hint fetches calls without a pool
    from oldhand.experience.candidates import Candidate
    from oldhand.experience.pool import Exemplar, LoadedPool

_SQL = Queries(__package__)
_MAX_CONTEXT_CHARS = 60
_REQUEST_CHARS = 4 * _MAX_CONTEXT_CHARS  # much of it may be space
_DOUBTFUL_CHARS = 200  # a token may begin in these and end behind the window
_MARGIN_CHARS = 2_000  # longer than any secret but a key file, known by its head

IsRisky = Callable[[str, Mapping[str, Any]], bool]
"""Says whether a call, tool and arguments, must not be shown."""


class _Stored(NamedTuple):
    """A message's text as it is stored: plain, or compressed and named by a digest."""

    content: str
    body: bytes | None
    digest: str | None
    blob_chars: int | None

    @property
    def chars(self) -> int:
        """Return its length."""
        return len(self.content) if self.blob_chars is None else self.blob_chars

    def name(self, window_chars: int) -> list[str | int | None]:
        """Say which text it is, as far as a window of so many characters shows it."""
        return [self.content[:window_chars], self.chars, self.digest]

    def text(self) -> str:
        """Return it in the plain."""
        return content_of(self.content, self.body)


_NOTHING = _Stored("", None, None, None)


class _Texts(NamedTuple):
    """The texts of one call as they are shown."""

    tool: str
    arguments: str
    result: str
    shape: str
    context: str
    session: str
    call_id: str
    model: str
    agent: str
    principal: str
    is_tainted: bool


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
            from oldhand.experience.pool import showable  # noqa: PLC0415 - see above

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
        from oldhand.experience.pool import showable  # noqa: PLC0415
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


def is_harmless(
    store: Store, call: int, *, is_risky: IsRisky, shown: ShownCalls
) -> bool:
    """Say whether a call is there, and may be shown.

    Args:
        store: Where it is.
        call: Its key.
        is_risky: Which calls are never shown.
        shown: Knows how it was weighed before, and is told now.
    """
    row = store.query_one(_SQL["call_to_weigh"], {"id": call})
    if row is None:
        return False
    known = digest(list(row))
    weighed = shown.is_risky(call, known)
    if weighed is None:
        weighed = is_risky(row[0], arguments_in(row[1]))
        shown.add_weighed(call, known, is_risky=weighed)
    return not weighed


def fetch_example(
    store: Store,
    call: int | None,
    *,
    support: int,
    result_chars: int,
    shown: ShownCalls,
) -> Example:
    """Fetch one call as an example, redacted.

    Raises:
        NotFound: It is not there any more.
    """
    row = store.query_one(_SQL["call_to_show"], {"id": call})
    if row is None or call is None:
        raise NotFound(f"call {call} went away while it was being shown")
    session, call_id, tool, arguments, length, outcome, shape, model, *rest = row
    at_us, agent, principal, *body = rest
    result = _Stored(*body)
    request = _request_before(store, call)
    names = [tool, arguments, shape, session, call_id, model or ""]
    names += [agent or "", principal or ""]
    known = digest(
        [
            *names,
            *result.name(result_chars + _MARGIN_CHARS),
            *request.name(_REQUEST_CHARS + _MARGIN_CHARS),
        ]
    )
    kept = shown.texts(call, known, result_chars=result_chars)
    if kept is None:
        texts = _redacted(names, result.text(), request.text(), result_chars)
        written = json.dumps(texts)
        shown.add_texts(call, known, result_chars=result_chars, texts=written)
    else:
        texts = _Texts(*json.loads(kept))
    is_whole = result.chars <= result_chars and result.chars == length
    return Example(
        tool=texts.tool,
        arguments=texts.arguments,
        result=texts.result,
        # A pruned result is empty, and was so long; a redacted one may be shorter.
        result_chars=(
            len(texts.result) if is_whole and not texts.is_tainted else length or 0
        ),
        shape=texts.shape,
        context=texts.context,
        outcome=outcome,
        support=support,
        session=texts.session,
        call_id=texts.call_id,
        model=None if model is None else texts.model,
        at_us=at_us,
        agent=None if agent is None else texts.agent,
        principal=None if principal is None else texts.principal,
        is_tainted=texts.is_tainted,
    )


def _redacted(names: list[str], result: str, request: str, result_chars: int) -> _Texts:
    # What was looked at before needs none of its rules.
    from oldhand.experience.guard.taint import is_tainted  # noqa: PLC0415

    tool, arguments, shape, session, call_id, model, agent, principal = names
    values = arguments_in(arguments)
    has_taint = is_tainted(tool, values)
    return _Texts(
        tool=redact(tool),
        arguments=canonical_json(redact_json(values)),
        result="" if has_taint else _redacted_head(result, result_chars),
        shape=redact(shape),
        context=_shortened(_redacted_head(request, _REQUEST_CHARS)),
        session=redact(session),
        call_id=redact(call_id),
        model=redact(model),
        agent=redact(agent),
        principal=redact(principal),
        is_tainted=has_taint,
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


def _request_before(store: Store, call: int) -> _Stored:
    """Return what the user had asked for last before a call."""
    row = store.query_one(
        _SQL["request_before"],
        {
            "first": messages_of(session_of_call(call)).first,
            "message": message_of_call(call),
        },
    )
    return _NOTHING if row is None else _Stored(*row)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= _MAX_CONTEXT_CHARS:
        return line
    return line[: _MAX_CONTEXT_CHARS - 2].rsplit(" ", 1)[0] + " …"

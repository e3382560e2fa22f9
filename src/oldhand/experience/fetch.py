"""Fetch a call as an example: its texts redacted first, and cut then.

What was redacted before, by the same rules and of the same texts, is taken as it is kept.
"""

from __future__ import annotations

import json

from oldhand.canonical_json import canonical_json, digest
from oldhand.errors import NotFound
from oldhand.experience.colours import uncoloured
from oldhand.experience.example import Example
from oldhand.experience.shown import ShownCalls
from oldhand.named_tuple import NamedTuple
from oldhand.redact import redact, redact_json
from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.keys import message_of_call, messages_of, session_of_call
from oldhand.sessions.payloads import content_of
from oldhand.store import Queries, Store

_SQL = Queries(__package__)
_MAX_CONTEXT_CHARS = 60
_REQUEST_CHARS = 4 * _MAX_CONTEXT_CHARS  # much of it may be space
_DOUBTFUL_CHARS = 200  # a token may begin in these and end behind the window
_MARGIN_CHARS = 2_000  # longer than any secret but a key file, known by its head


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

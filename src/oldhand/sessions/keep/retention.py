"""Prune: let old sessions go, or the bulk of what they hold, by age and by size.

What is pruned is not secret, only old: templates keep the examples they took from it, and
`oldhand import --again` brings it back. Until then an import leaves it out, for a limit
that the next import undoes would be none. Sessions that changed within a day are never
pruned: an agent may be writing to them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import InvalidInput
from oldhand.sessions.keep.selection import Selected, Selection, select_sessions
from oldhand.sessions.keep.tombstones import Tombstones
from oldhand.sessions.keep.traces import delete_sessions, sweep
from oldhand.sessions.keys import IdRange, messages_of
from oldhand.sessions.search.index import forget_messages
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")
_DAY_US = 86_400_000_000
_BATCH_SESSIONS = 20


class ContentClass(NamedTuple):
    """Which messages' text belongs to a class; None for any."""

    role: str | None
    type: str | None


CONTENT_CLASSES = {
    "tool-results": ContentClass("tool", None),
    "injected": ContentClass(None, "injected"),
}


class PruneWish(NamedTuple):
    """What is to go; at least an age, a size or a class must be said.

    Attributes:
        selection: Only of these sessions; `before_us` is the age.
        keep_bytes: Go from the oldest on until the rows take no more than this.
        content: A class of `CONTENT_CLASSES` whose text goes, while the sessions stay
            with all their calls, outcomes, shapes and lengths; None for whole sessions.
    """

    selection: Selection = Selection()
    keep_bytes: int | None = None
    content: str | None = None


class PrunePlan(NamedTuple):
    """What a prune will take.

    Attributes:
        content: As in the wish.
        sessions: The oldest first.
        messages: How many messages go, or lose their text.
        freed_bytes: About what it gains, once the database is written anew.
    """

    content: str | None
    sessions: list[Selected]
    messages: int
    freed_bytes: int


class _Weight(NamedTuple):
    """What a session would free: messages that are affected, and bytes."""

    messages: int
    size_bytes: float


def plan_prune(
    store: Store, wish: PruneWish, *, used_bytes: int, clock: Clock = system_clock
) -> PrunePlan:
    """Find what a prune would take; it reads the lengths of all texts.

    Args:
        store: Where the sessions are.
        wish: What is to go.
        used_bytes: What the rows of the database take, as `maintenance.used_bytes` says.
        clock: Says what is recent.

    Raises:
        InvalidInput: The wish says nothing, or names a class that is none.
        NotFound: A session that is named is not there.
    """
    _check(wish)
    weights = _weights(store, wish.content, used_bytes=used_bytes)
    latest_us = clock() - _DAY_US
    candidates = [
        session
        for session in select_sessions(store, wish.selection)
        if session.updated_at_us < latest_us and session.id in weights
    ]
    candidates.sort(key=lambda session: (session.updated_at_us, session.id))
    if wish.keep_bytes is not None:
        excess = used_bytes - wish.keep_bytes
        candidates = _oldest(candidates, weights, excess)
    return PrunePlan(
        wish.content,
        candidates,
        sum(weights[session.id].messages for session in candidates),
        round(sum(weights[session.id].size_bytes for session in candidates)),
    )


def prune(
    store: Store,
    plan: PrunePlan,
    *,
    progress: Callable[[int], None] | None = None,
    clock: Clock = system_clock,
) -> None:
    """Do what a plan says, some sessions a transaction; what was done stays done.

    Args:
        store: Where the sessions are.
        plan: Made by `plan_prune`.
        progress: Called with the number of sessions done since the last call.
        clock: Gives the time of the tombstones.
    """
    tombstones = Tombstones(store)
    for start in range(0, len(plan.sessions), _BATCH_SESSIONS):
        batch = plan.sessions[start : start + _BATCH_SESSIONS]
        with store.transaction():
            if plan.content is not None:
                for session in batch:
                    _drop_texts(store, session, CONTENT_CLASSES[plan.content])
            else:
                uids = [session.uid for session in batch]
                tombstones.bury("session", uids, reason="pruned", at_us=clock())
                delete_sessions(store, batch)
        if progress is not None:
            progress(len(batch))
    sweep(store)


def _check(wish: PruneWish) -> None:
    if wish.content is not None and wish.content not in CONTENT_CLASSES:
        known = ", ".join(CONTENT_CLASSES)
        raise InvalidInput(f"{wish.content!r} is no class of content; expected {known}")
    if wish == PruneWish():
        raise InvalidInput(
            "nothing said of what to prune; expected an age, a size or a class of content"
        )


def _weights(
    store: Store, content: str | None, *, used_bytes: int
) -> dict[int, _Weight]:
    """Return what each session would free.

    A whole session is taken to use as much of the rest, keys and index, as of the texts.
    """
    if content is not None:
        wanted = CONTENT_CLASSES[content]._asdict()
        rows = store.query_all(_SQL["text_weights"], wanted)
        return {row[0]: _Weight(*row[1:]) for row in rows if row[1]}
    anything = ContentClass(None, None)._asdict()
    texts = {
        key: _Weight(messages, float(size))
        for key, messages, size in store.query_all(_SQL["text_weights"], anything)
    }
    arguments: dict[int, int] = dict(store.query_all(_SQL["argument_weights"]))
    sizes = {
        key: w.size_bytes + float(arguments.get(key, 0)) for key, w in texts.items()
    }
    share = used_bytes / max(1.0, sum(sizes.values()))
    return {key: _Weight(w.messages, sizes[key] * share) for key, w in texts.items()}


def _oldest(
    sessions: list[Selected], weights: dict[int, _Weight], excess: float
) -> list[Selected]:
    """Return the first so many sessions as make up for an excess of bytes."""
    for count, session in enumerate(sessions):
        if excess <= 0:
            return sessions[:count]
        excess -= weights[session.id].size_bytes
    return sessions


def _drop_texts(store: Store, session: Selected, wanted: ContentClass) -> None:
    span = messages_of(session.id)._asdict() | wanted._asdict()
    for (message_id,) in store.query_all(_SQL["texts_to_drop"], span):
        forget_messages(store, IdRange(message_id, message_id + 1))
    store.execute(_SQL["drop_texts"], span)

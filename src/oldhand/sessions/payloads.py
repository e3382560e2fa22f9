"""Long texts in less room: compressed once their turn is closed, equal ones stored once.

A message's text stands in `messages.content`, or in a blob that `messages.blob_id` names,
or it was pruned and only its length is left in `messages.dropped_chars`. Whoever reads
texts joins `blobs` and asks `content_of`; nobody else needs to know where they lie.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.sessions.keys import messages_of
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)
LONG_TEXT_BYTES = 1_000
_IDLE_US = (
    3_600_000_000  # a session that was silent for an hour goes on with a new turn
)
_PAGE_ROWS = 200  # of a transaction, so that other writers wait for milliseconds


class StoredMessage(NamedTuple):
    """One row of `messages`.

    Attributes:
        row: The columns that `put_message` takes, in its order; the text comes last.
        dropped_chars: How long the text was that a prune took; None where none did.
    """

    row: Row
    dropped_chars: int | None


class Compacted(NamedTuple):
    """What compacting did.

    Attributes:
        messages: Texts that were moved.
        before_bytes: What they took.
        after_bytes: What the new blobs take; equal texts share one.
    """

    messages: int = 0
    before_bytes: int = 0
    after_bytes: int = 0

    def plus(self, other: Compacted) -> Compacted:
        """Add up two of them."""
        return Compacted(*(a + b for a, b in zip(self, other, strict=True)))


def content_of(content: str, body: bytes | None) -> str:
    """Return a message's text.

    Args:
        content: Of the message.
        body: Of its blob, where it has one.
    """
    if body is None:
        return content
    from oldhand.sessions.zstd import decompress  # noqa: PLC0415 - a hook never needs it

    return decompress(body).decode("utf-8")


def stored_messages(
    store: Store, session_id: int, *, after_seq: int = 0
) -> list[StoredMessage]:
    """Return a session's rows in order, those beyond a seq."""
    span = messages_of(session_id)
    rows = store.query_all(
        _SQL["message_rows_of_session"],
        {"first": span.first + after_seq + 1, "after": span.after},
    )
    return [
        StoredMessage((*row[:-3], content_of(row[-3], row[-2])), row[-1])
        for row in rows
    ]


def compact(
    store: Store,
    *,
    progress: Callable[[int], None] | None = None,
    clock: Clock = system_clock,
) -> Compacted:
    """Move the long texts of all closed turns into blobs.

    Args:
        store: Where they are.
        progress: Called with the number of sessions looked at since the last call.
        clock: Says which sessions have been silent for long.
    """
    total = Compacted()
    for (session_id,) in store.query_all(_SQL["session_ids"]):
        total = total.plus(compact_session(store, session_id, clock=clock))
        if progress is not None:
            progress(1)
    drop_orphans(store)
    return total


def compact_session(
    store: Store, session_id: int, *, clock: Clock = system_clock
) -> Compacted:
    """Move the long texts of one session's closed turns into blobs.

    The last turn is closed when the session has ended or was silent for an hour.
    """
    span = messages_of(session_id)
    end = store.query_one(
        _SQL["end_of_closed_turns"],
        {
            "id": session_id,
            "silent_since_us": clock() - _IDLE_US,
            "first": span.first,
            "after": span.after,
        },
    )
    wanted = {
        "after_id": span.first,
        "end": span.first if end is None or end[0] is None else end[0],
        "bytes": LONG_TEXT_BYTES,
        "limit": _PAGE_ROWS,
    }
    total = Compacted()
    while store.query_one(_SQL["has_long_text"], wanted) is not None:
        with store.transaction():
            rows = store.query_all(_SQL["long_texts"], wanted)
            for message_id, content in rows:
                total = total.plus(_move(store, message_id, content))
        if len(rows) < _PAGE_ROWS:
            break
        wanted["after_id"] = rows[-1][0]
    return total


def drop_orphans(store: Store) -> int:
    """Delete the blobs that no message names any longer; return how many."""
    return store.execute(_SQL["delete_orphan_blobs"])


def _move(store: Store, message_id: int, content: str) -> Compacted:
    text = content.encode("utf-8")
    digest = hashlib.blake2b(text, digest_size=20).hexdigest()
    known = store.query_one(_SQL["blob_of_digest"], {"digest": digest})
    added = 0
    if known is None:
        from oldhand.sessions.zstd import compress  # noqa: PLC0415 - as above

        body = compress(text)
        added = len(body)
        store.execute(
            _SQL["put_blob"], {"digest": digest, "chars": len(content), "body": body}
        )
    store.execute(_SQL["move_to_blob"], {"digest": digest, "id": message_id})
    return Compacted(1, len(text), added)

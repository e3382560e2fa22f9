"""Long texts in less room: compressed once their turn is closed, equal ones stored once.

A message's text stands in `messages.content`, or in a blob that `messages.blob_id` names,
or it was pruned and only its length is left in `messages.dropped_chars`. Whoever reads
texts joins `blobs` and asks `content_of`; nobody else needs to know where they lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from oldhand.clock import Clock, system_clock
from oldhand.named_tuple import NamedTuple
from oldhand.sessions.keys import IdRange, messages_of, session_of_message
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)
LONG_TEXT_BYTES = 1_000
_MOST_UTF8_BYTES = 4
IDLE_US = 3_600_000_000  # a session that was silent for an hour goes on with a new turn
_PAGE_MESSAGES = 500  # of a transaction, so that other writers wait for milliseconds


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


def put_messages(store: Store, rows: Iterable[Row]) -> None:
    """Insert messages of an import, whose turns nobody waits for.

    In SQLite long texts are compressed on the way: it costs less than to write them and
    to write their pages anew later. In PostgreSQL `compact` does it, in transactions so
    short that two imports with equal texts hardly meet.

    Args:
        store: Where to, in a transaction.
        rows: The columns that `put_message` takes, in its order; the text comes last.
    """
    from oldhand.store.maintenance import leaves_holes  # noqa: PLC0415 - writers' alone

    if not leaves_holes(store):
        store.execute_many(_SQL["put_message"], rows)
        return
    blobs: dict[str, Row] = {}
    placed = [(*row[:-1], *_place_of(row[-1], blobs)) for row in rows]
    # All blobs of a session and then all its messages: half the time of one by one.
    store.execute_many(_SQL["add_blob"], blobs.values())
    store.execute_many(_SQL["put_message_with_blob"], placed)


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

    The last turn is closed when the session has ended, was silent for an hour, or was
    imported: no agent waits for an append to it.
    """
    span = messages_of(session_id)
    end = store.query_one(
        _SQL["end_of_closed_turns"],
        {
            "id": session_id,
            "silent_since_us": clock() - IDLE_US,
            "first": span.first,
            "after": span.after,
        },
    )
    wanted = {
        "after_id": span.first,
        "end": span.first if end is None or end[0] is None else end[0],
        "bytes": LONG_TEXT_BYTES,
    }
    total = Compacted()
    while (first := store.query_one(_SQL["next_long_text"], wanted)) is not None:
        page = IdRange(first[0], min(first[0] + _PAGE_MESSAGES, wanted["end"]))
        with store.transaction():
            total = total.plus(_compact_page(store, page))
        wanted["after_id"] = page.after - 1
    return total


def drop_orphans(store: Store) -> int:
    """Delete the blobs that no message names any longer; return how many."""
    return store.execute(_SQL["delete_orphan_blobs"])


def _compact_page(store: Store, page: IdRange) -> Compacted:
    from oldhand.store.maintenance import leaves_holes  # noqa: PLC0415 - writers' alone

    total = Compacted()
    wanted = {**page._asdict(), "bytes": LONG_TEXT_BYTES}
    for message_id, content in store.query_all(_SQL["long_texts"], wanted):
        total = total.plus(_move(store, message_id, content))
    if leaves_holes(store):
        _write_anew(store, page)
    return total


def _write_anew(store: Store, page: IdRange) -> None:
    """Delete messages and insert them again, so that their pages are full.

    Keys grow, so nothing else would ever come into the room that their texts had: moving
    texts alone made a file of 2,679 messages 1 % smaller, this makes it a third smaller.
    """
    session = {"session_id": session_of_message(page.first)}
    waiting = store.query_one(_SQL["search_waits_from"], session)
    rows = store.query_all(_SQL["whole_messages"], page)
    store.execute(_SQL["delete_messages"], page)
    store.execute_many(_SQL["put_whole_message"], rows)
    # Inserting has set the mark of the search index, which knows these messages.
    if waiting is None:
        store.execute(_SQL["end_search_pending"], session)
    else:
        store.execute(_SQL["move_search_pending"], {"first_id": waiting[0], **session})


def _place_of(content: str, blobs: dict[str, Row]) -> tuple[str, str | None]:
    """Return what stands in a message for a text, and the digest of its blob.

    Args:
        content: The text.
        blobs: Rows by digest; gains that of a long text.
    """
    if len(content) * _MOST_UTF8_BYTES <= LONG_TEXT_BYTES:
        return content, None
    text = content.encode("utf-8")
    if len(text) <= LONG_TEXT_BYTES:
        return content, None
    digest = _digest_of(text)
    if digest not in blobs:
        blobs[digest] = (digest, len(content), _compressed(text))
    return "", digest


def _move(store: Store, message_id: int, content: str) -> Compacted:
    text = content.encode("utf-8")
    blob_id, added_bytes = _blob_of(store, text, chars=len(content))
    store.execute(_SQL["move_to_blob"], {"blob_id": blob_id, "id": message_id})
    return Compacted(1, len(text), added_bytes)


def _blob_of(store: Store, text: bytes, *, chars: int) -> tuple[int, int]:
    """Return the id of a text's blob, and how many bytes were added for it."""
    digest = _digest_of(text)
    known = store.query_one(_SQL["blob_of_digest"], {"digest": digest})
    if known is not None:
        return known[0], 0
    body = _compressed(text)
    values = {"digest": digest, "chars": chars, "body": body}
    added = store.query_one(_SQL["put_blob"], values)
    if added is None:  # by another process, in between
        return _blob_of(store, text, chars=chars)
    return added[0], len(body)


def _digest_of(text: bytes) -> str:
    import hashlib  # noqa: PLC0415 - 3 ms that a reader need not pay

    return hashlib.blake2b(text, digest_size=20).hexdigest()


def _compressed(text: bytes) -> bytes:
    from oldhand.sessions.zstd import compress  # noqa: PLC0415 - a hook never needs it

    return compress(text)

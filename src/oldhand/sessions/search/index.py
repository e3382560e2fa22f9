"""Fill the search index, behind the appends.

A session that has messages whose text is not in the index stands in `search_pending`, by
triggers of the database. Filling takes such sessions in batches. Redacting is the dear part
and happens outside of a transaction; inside, the texts are read again, and what changed
meanwhile is left for the next round. So other writers wait for the inserting alone, any
number of processes may fill at once, and nothing is missed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from oldhand.sessions.keys import IdRange, messages_of
from oldhand.sessions.search.source import Source, read_sources
from oldhand.sessions.search.text import fold
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")
_BATCH_MESSAGES = 500


class _Piece(NamedTuple):
    """Some messages of one session that wait, from the first that does."""

    session_id: int
    first_id: int
    sources: list[Source]


def index_pending(
    store: Store,
    *,
    limit: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Index what was appended before this call, and was not indexed yet.

    Args:
        store: Where the messages are; nothing is written when none waits.
        limit: Stop after about so many messages; None for all.
        progress: Called with the number of messages indexed since the last call.

    Returns:
        How many messages were indexed.
    """
    done, after_session = 0, 0
    while limit is None or done < limit:
        room = _BATCH_MESSAGES if limit is None else min(_BATCH_MESSAGES, limit - done)
        pieces = _read(store, after_session, room)
        if not pieces:
            break
        count, after_session = _index(store, pieces)
        done += count
        if progress is not None and count:
            progress(count)
    return done


def count_pending(store: Store) -> int:
    """Return about how many messages wait for being indexed; never too few."""
    row = store.query_one(_SQL["count_search_pending"])
    return 0 if row is None else int(row[0])


def forget_messages(store: Store, messages: IdRange) -> None:
    """Take messages out of the index, whether or not they are still in their table.

    Join the transaction that erases the messages. In SQLite, their words are gone from the
    file after `optimize_index` and a TRUNCATE checkpoint, on a connection that had
    `PRAGMA secure_delete=ON` from before the erasing.

    Args:
        store: Where the index is.
        messages: Their ids; of a whole session, `keys.messages_of`.
    """
    store.execute(_SQL["forget_search"], messages._asdict())


def optimize_index(store: Store) -> None:
    """Merge the index into one piece: it gets smaller, and forgets what it was told to.

    It takes about a second for each 100 MB of text.
    """
    store.query_all(_SQL["optimize_search"])


def _read(store: Store, after_session: int, room: int) -> list[_Piece]:
    waiting = store.query_all(
        _SQL["search_pending"], {"after": after_session, "limit": room}
    )
    pieces = []
    for session_id, first_id in waiting:
        sources = read_sources(
            store, first_id, messages_of(session_id).after, limit=room
        )
        pieces.append(_Piece(session_id, first_id, sources))
        room -= len(sources)
        if room <= 0:
            break
    return pieces


def _index(store: Store, pieces: list[_Piece]) -> tuple[int, int]:
    """Index pieces; return how many messages, and up to which session all is done."""
    documents = [
        [(source.id, fold(source.text())) for source in piece.sources]
        for piece in pieces
    ]
    count, done_to = 0, pieces[0].session_id - 1
    with store.transaction():
        span = {"first": pieces[0].session_id, "last": pieces[-1].session_id}
        waiting: dict[int, int] = dict(
            store.query_all(_SQL["take_search_pending"], span)
        )
        for piece, rows in zip(pieces, documents, strict=True):
            if waiting.get(piece.session_id) != piece.first_id:
                break  # another process is at it, or was quicker
            after_id = messages_of(piece.session_id).after
            now = read_sources(store, piece.first_id, after_id, limit=len(rows) + 1)
            if now[: len(rows)] != piece.sources:
                break
            more = now[len(rows) :]
            _put(store, piece, rows, next_id=more[0].id if more else None)
            count += len(rows)
            if more:
                break
            done_to = piece.session_id
    if done_to < pieces[0].session_id and not count:
        _wait(store, pieces[0].session_id)
    return count, done_to


def _put(
    store: Store, piece: _Piece, rows: list[tuple[int, str]], *, next_id: int | None
) -> None:
    """Replace what is indexed of a piece, and note from where on its session waits."""
    if rows:
        forget_messages(store, IdRange(piece.first_id, rows[-1][0] + 1))
        store.execute_many(_SQL["put_search"], rows)
    if next_id is None:
        store.execute(_SQL["end_search_pending"], {"session_id": piece.session_id})
    else:
        values = {"first_id": next_id, "session_id": piece.session_id}
        store.execute(_SQL["move_search_pending"], values)


def _wait(store: Store, session_id: int) -> None:
    """Wait for whoever has a session locked; SQLite's transaction waits by itself."""
    with store.transaction():
        store.query_one(_SQL["wait_search_pending"], {"session_id": session_id})

"""What a run says, kept whole up to a limit, and then its beginning and its end."""

from __future__ import annotations

import threading
from collections import deque
from typing import NamedTuple

from oldhand.cron.borders import head_of, tail_of
from oldhand.redact import redact
from oldhand.sessions.zstd import compress, decompress
from oldhand.store import Queries, Store

HEAD_CHARS = 1_000_000
TAIL_CHARS = 4_000_000
_PIECE_CHARS = 4_096
_SQL = Queries("oldhand.cron")


class Kept(NamedTuple):
    """The output of a run, as it is on record: redacted.

    Attributes:
        text: All of it, or beginning and end with a line between that says what is not
            there.
        chars: How long all of it was.
        dropped: How much of that was not kept.
    """

    text: str
    chars: int
    dropped: int


class Output:
    r"""Collects what a run says; any thread may add to it.

    Example:
        >>> said = Output(head_chars=6, tail_chars=9)
        >>> said.add("one\ntwo\nthree\nfour\n")
        >>> said.kept().text
        'one\n\n[… 10 of 19 characters are not kept …]\nfour\n'
    """

    def __init__(
        self, *, head_chars: int = HEAD_CHARS, tail_chars: int = TAIL_CHARS
    ) -> None:
        """Begin with nothing said."""
        self._lock = threading.Lock()
        self._head: list[str] = []
        self._head_room = head_chars
        self._tail: deque[str] = deque()
        self._tail_chars = 0
        self._most_tail = tail_chars
        self._chars = 0

    def add(self, text: str) -> None:
        """Add a piece."""
        if not text:
            return
        with self._lock:
            self._chars += len(text)
            if self._head_room:
                self._head.append(text[: self._head_room])
                text, self._head_room = (
                    text[self._head_room :],
                    max(0, self._head_room - len(text)),
                )
            if text:
                self._add_to_tail(text)

    def _add_to_tail(self, text: str) -> None:
        if self._tail and len(self._tail[-1]) < _PIECE_CHARS:
            self._tail[-1] += (
                text  # a piece for each word would take ten times the room
            )
        else:
            self._tail.append(text)
        self._tail_chars += len(text)
        while self._tail_chars - len(self._tail[0]) >= self._most_tail:
            self._tail_chars -= len(self._tail.popleft())

    @property
    def chars(self) -> int:
        """How much was said."""
        return self._chars

    def kept(self, *, most_chars: int | None = None) -> Kept:
        """Return what is kept, redacted, cut where no secret is cut.

        Args:
            most_chars: No more than so many; None: all that is kept.
        """
        with self._lock:
            head, tail = "".join(self._head), "".join(self._tail)
            chars = self._chars
        tail = tail[-self._most_tail :]
        if most_chars is not None and len(head) + len(tail) > most_chars:
            room = most_chars // 5
            head, tail = head[:room], (head + tail)[room - most_chars :]
        if len(head) + len(tail) == chars:
            return Kept(redact(head + tail), chars, 0)
        head, tail = head_of(head), tail_of(tail)
        dropped = chars - len(head) - len(tail)
        between = f"\n[… {dropped:,} of {chars:,} characters are not kept …]\n"
        return Kept(redact(head) + between + redact(tail), chars, dropped)


def put_output(store: Store, run_id: int, kept: Kept) -> None:
    """Write a run's output, in place of what was there of it."""
    row = {
        "run_id": run_id,
        "body": compress(kept.text.encode("utf-8", "replace")),
        "chars": kept.chars,
        "dropped": kept.dropped,
    }
    store.execute(_SQL["put_output"], row)


def find_output(store: Store, run_id: int) -> Kept | None:
    """Return a run's output; None where it has none."""
    row = store.query_one(_SQL["output"], (run_id,))
    if row is None:
        return None
    return Kept(decompress(bytes(row[0])).decode(), row[1], row[2])

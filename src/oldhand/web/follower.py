"""Follows the log, and wakes those who wait for a request or for all of them.

Transitions of this daemon and of other processes are found in the same way: each has its
row in the log. After a write of this daemon it looks at once, else four times a second; it
reads nothing while nobody waits.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from oldhand.confirm.audit.read import newest_seq, rows_after
from oldhand.confirm.model import PERSON, AuditRow, Principal
from oldhand.confirm.requests.read import state_of
from oldhand.confirm.requests.states import STATES
from oldhand.errors import OldhandError, TooMany
from oldhand.store import Store

if TYPE_CHECKING:
    from oldhand.web.desk import Desk

POLL_SECONDS = 0.25
MOST_STREAMS_EACH = 16
MOST_WAITS_EACH = 12_000
AT_ONCE = 500
_QUEUED = 256
_KINDS = frozenset((*STATES, "asked"))
_RETRY_SECONDS = 10

logger = logging.getLogger(__name__)


class Event(NamedTuple):
    """Something became of a request.

    Attributes:
        seq: Of the row in the log.
        id: Of the request; `status` and `rev` are what it is now.
    """

    seq: int
    id: str
    status: str
    rev: int
    requester_id: int

    def is_for(self, by: Principal) -> bool:
        """Say whether it is theirs to know."""
        return by.kind == PERSON or by.id == self.requester_id


class Stream:
    """What one listener has not read yet; `is_broken` where it read too slowly."""

    def __init__(self, by: Principal) -> None:
        self.by = by
        self.is_broken = False
        self.waiting: asyncio.Queue[Event | None] = asyncio.Queue(_QUEUED)

    def put(self, event: Event) -> None:
        """Hand over an event, or give up on a listener that is far behind."""
        if not event.is_for(self.by) or self.is_broken:
            return
        try:
            self.waiting.put_nowait(event)
        except asyncio.QueueFull:
            self.is_broken = True


class Follower:
    """Who waits, and what they are told."""

    def __init__(self, desk: Desk) -> None:
        """Follow the log of a desk; `run` does it."""
        self._desk = desk
        self._seq: int | None = None
        self._has_news = asyncio.Event()
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}
        self._streams: set[Stream] = set()
        self._waits_of: Counter[int] = Counter()
        self.is_closed = False

    @property
    def waiting_count(self) -> int:
        """How many wait for a request."""
        return sum(len(futures) for futures in self._waiting.values())

    def look(self) -> None:
        """Have the log read now, where anybody waits: something was written."""
        if self._waiting or self._streams:
            self._has_news.set()

    @contextmanager
    def place_for(self, by: Principal) -> Iterator[None]:
        """Count one who is going to wait for a request.

        Raises:
            TooMany: They wait for so many already that others could not.
        """
        if self._waits_of[by.id] >= MOST_WAITS_EACH:
            raise _too_many(f"{by.name} waits {MOST_WAITS_EACH} times already")
        self._waits_of[by.id] += 1
        try:
            yield
        finally:
            self._waits_of[by.id] -= 1
            if not self._waits_of[by.id]:
                del self._waits_of[by.id]

    def news_of(self, request_id: str) -> asyncio.Future[None]:
        """Return what is done when something may have become of a request.

        To be asked for before the request is read, and given back by `forget`.
        """
        self._begin()
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.is_closed:
            future.set_result(None)
        else:
            self._waiting.setdefault(request_id, set()).add(future)
        return future

    def forget(self, request_id: str, future: asyncio.Future[None]) -> None:
        """Wait no longer."""
        futures = self._waiting.get(request_id)
        if futures is not None:
            futures.discard(future)
            if not futures:
                del self._waiting[request_id]

    @contextmanager
    def stream(self, by: Principal) -> Iterator[Stream]:
        """Listen to all events that are theirs to know.

        Raises:
            TooMany: They listen too often already.
        """
        if sum(each.by.id == by.id for each in self._streams) >= MOST_STREAMS_EACH:
            raise _too_many(f"{by.name} listens {MOST_STREAMS_EACH} times already")
        self._begin()
        stream = Stream(by)
        self._streams.add(stream)
        try:
            yield stream
        finally:
            self._streams.discard(stream)

    async def run(self) -> None:
        """Follow until cancelled."""
        while True:
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await self._has_news.wait()
            except TimeoutError:
                pass
            self._has_news.clear()
            if not self._waiting and not self._streams:
                self._seq = None
                continue
            try:
                await self._tell()
            except OldhandError:
                logger.exception("the log cannot be followed for now")

    def close(self) -> None:
        """Wake all: the daemon stops."""
        self.is_closed = True
        self._wake_all()
        for stream in self._streams:
            if not stream.waiting.full():
                stream.waiting.put_nowait(None)
            stream.is_broken = True

    def _begin(self) -> None:
        """Have the place in the log found where nobody waited and it is not known."""
        if self._seq is None:
            self._has_news.set()

    async def _tell(self) -> None:
        seq = self._seq
        if seq is None:
            # Whoever came before this is known may have missed something: they look again.
            self._seq = await self._desk.glance(newest_seq)
            self._wake_all()
            return
        while rows := await self._desk.glance(reading_after(seq)):
            for row in rows:
                if row.request_id is not None:
                    self._wake(row.request_id)
            if self._streams:
                for event in await self._desk.glance(reading_events(rows)):
                    for stream in self._streams:
                        stream.put(event)
            seq = self._seq = rows[-1].seq
            if len(rows) < AT_ONCE:
                return

    def _wake(self, request_id: str) -> None:
        for future in self._waiting.pop(request_id, ()):
            if not future.done():
                future.set_result(None)

    def _wake_all(self) -> None:
        for request_id in list(self._waiting):
            self._wake(request_id)


def reading_after(seq: int) -> Callable[[Store], list[AuditRow]]:
    """Return what reads the rows of the log after a number, at most `AT_ONCE`."""
    return lambda store: rows_after(store, seq, limit=AT_ONCE)


def reading_events(rows: Sequence[AuditRow]) -> Callable[[Store], list[Event]]:
    """Return what reads what rows tell of requests."""
    return lambda store: events_of(store, rows)


def events_of(store: Store, rows: Sequence[AuditRow]) -> list[Event]:
    """Return what rows of the log tell of requests, the oldest first."""
    found = []
    for row in rows:
        if row.request_id is not None and row.kind in _KINDS:
            state = state_of(store, row.request_id)
            found.append(Event(row.seq, row.request_id, *state))
    return found


def _too_many(said: str) -> TooMany:
    return TooMany(
        said, window_seconds=_RETRY_SECONDS, retry_after_seconds=_RETRY_SECONDS
    )

"""One thread writes for many, and commits for all of them at once.

Making a transaction durable costs the same for one row as for a hundred: it is the wait
for the disk. In a daemon many threads write a little each. So they hand their parts to one
thread, which opens a transaction, runs what has gathered, also what comes in meanwhile,
and commits. It never waits for more: what comes in during the commit is the next group.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from oldhand.errors import OldhandError, StoreError
from oldhand.store.connector import Store
from oldhand.store.savepoint import savepoint

MAX_PARTS = 500

logger = logging.getLogger(__name__)
T = TypeVar("T")
Tell = Callable[[Any, BaseException | None], None]
"""Takes what a part returned, or None and what it raised."""


class GroupWriter:
    """Writes the parts of many threads in transactions that they share.

    Whoever hands a part in gets its result once it is durable. A part that raises is
    undone alone, and its caller alone gets the exception. Where the transaction as a whole
    fails, on a busy or full disk, every caller of the group gets that error and nothing of
    the group was written: handing in again is safe.

    The writer uses the store for itself: who reads while it writes opens another.

    Example:
        >>> from oldhand.store import Query, open_database
        >>> put = Query("put", "INSERT INTO kv VALUES (:key, :value)", "")
        >>> store = open_database(":memory:")
        >>> with GroupWriter(store) as writer:
        ...     writer.write(lambda store: store.execute(put, ("a", "b")))
        1
        >>> store.close()
    """

    def __init__(self, store: Store, *, max_parts: int = MAX_PARTS) -> None:
        """Start the thread.

        Args:
            store: Where to; it stays the caller's to close, after the writer.
            max_parts: How many parts one transaction takes, at least 1.
        """
        self._store = store
        self._max_parts = max_parts
        self._waiting: SimpleQueue[_Work | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(
            target=self._serve, name="oldhand-group-writer", daemon=True
        )
        self._thread.start()

    def write(self, part: Callable[[Store], T]) -> T:
        """Run a part in the next transaction; return its result when it is durable.

        Called from within a part, it joins that part. Where the wait is interrupted, as
        by Ctrl-C, the part may still be written.

        Args:
            part: Writes to the store that it is given, quickly, and waits for nothing:
                others wait for it.

        Raises:
            StoreError: The group's transaction failed, or the writer has ended.
        """
        if threading.current_thread() is self._thread:
            with savepoint(self._store):
                return part(self._store)
        said = _Said[T]()
        self.hand_in(part, said.tell)
        return said.wait()

    def submit(self, part: Callable[[Store], T]) -> Future[T]:
        """Hand a part in without waiting, as for `asyncio.wrap_future`.

        Parts run in the order in which they were handed in. One that was cancelled
        before its turn is left out.

        Raises:
            StoreError: The writer has ended.
        """
        future: Future[T] = Future()
        self._put(
            _Work(part, partial(_tell, future), future.set_running_or_notify_cancel)
        )
        return future

    def hand_in(self, part: Callable[[Store], T], tell: Tell) -> None:
        """Hand a part in, and have what came of it told: a third of a future's cost.

        Args:
            part: As for `write`; it cannot be cancelled.
            tell: Called in the writer's thread, quickly, with the part's result, or None
                and what it raised.

        Raises:
            StoreError: The writer has ended.
        """
        self._put(_Work(part, tell, _begin))

    def _put(self, work: _Work) -> None:
        # Before the lock: in a forked child there is no thread, and who held it is gone.
        if self._thread.is_alive():
            with self._lock:
                if not self._is_closed:
                    self._waiting.put(work)
                    return
        raise StoreError(f"{self._store.url}: its group writer has ended")

    def close(self) -> None:
        """Write what was handed in, then end; closing twice is harmless."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._waiting.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _serve(self) -> None:
        try:
            while (first := self._waiting.get()) is not None:
                self._write_group(first)
        except BaseException as fault:
            logger.exception("%s: the group writer has ended", self._store.url)
            with self._lock:
                self._is_closed = True
            while (work := self._next()) is not None:
                work.fail(fault)

    def _write_group(self, first: _Work) -> None:
        group = [first]
        try:
            with self._store.transaction():
                first.run(self._store)
                for work in self._gathered():
                    group.append(work)
                    work.run(self._store)
        except BaseException as fault:
            for work in group:
                work.fail(fault)
            if not isinstance(fault, OldhandError):
                raise
        else:
            for work in group:
                work.tell()

    def _gathered(self) -> Iterator[_Work]:
        """Yield what waits, and has room in the group beside the first."""
        for _ in range(1, self._max_parts):
            work = self._next()
            if work is None:
                return
            yield work

    def _next(self) -> _Work | None:
        """Return what waits, without waiting; None also at the end of the writer."""
        try:
            work = self._waiting.get_nowait()
        except Empty:
            return None
        if work is None:
            self._waiting.put(None)
        return work


class _Work:
    """One part on its way, and who is told of it."""

    __slots__ = ("_begin", "_fault", "_is_cancelled", "_part", "_result", "_tell")

    def __init__(
        self, part: Callable[[Store], Any], tell: Tell, begin: Callable[[], bool]
    ) -> None:
        self._part = part
        self._tell = tell
        self._begin = begin
        self._result: Any = None
        self._fault: BaseException | None = None
        self._is_cancelled = False

    def run(self, store: Store) -> None:
        """Write the part; what it raises is kept for its caller."""
        if not self._begin():
            self._is_cancelled = True
            return
        try:
            with savepoint(store):
                self._result = self._part(store)
        except BaseException as fault:  # noqa: BLE001 - raised again where it was handed in
            self._fault = fault

    def tell(self) -> None:
        """Give the caller what came of it: it is durable now."""
        if not self._is_cancelled:
            self._tell(self._result if self._fault is None else None, self._fault)

    def fail(self, fault: BaseException) -> None:
        """Tell the caller that the group failed; the part's own fault goes first."""
        if not self._is_cancelled:
            self._tell(None, self._fault or _for_one_caller(fault))


class _Said(Generic[T]):
    """What came of a part, for the one thread that waits: a quarter of a future's cost."""

    __slots__ = ("_fault", "_lock", "_result")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()

    def tell(self, result: T, fault: BaseException | None) -> None:
        """Say what came of it, and let who waits go on."""
        self._result, self._fault = result, fault
        self._lock.release()

    def wait(self) -> T:
        """Return the result, or raise the fault, once it was told."""
        self._lock.acquire()
        if self._fault is not None:
            raise self._fault
        return self._result


def _begin() -> bool:
    return True


def _tell(future: Future[Any], result: object, fault: BaseException | None) -> None:
    if fault is None:
        future.set_result(result)
    else:
        future.set_exception(fault)


def _for_one_caller(fault: BaseException) -> OldhandError:
    """Return an error to raise in one thread: an exception in several mixes their traces."""
    if isinstance(fault, OldhandError):
        ours = type(fault)(*fault.args)
    else:
        ours = StoreError(f"the group writer has ended: {fault!r}")
    ours.__cause__ = fault
    return ours

"""Runs that begin at the same time are written as begun together.

Many fall due at the same second, and no runner is called before its run is on record as
running. With PostgreSQL each was four round trips; together they are as many as one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from oldhand.cron.claims import Beginning, LeaseLost, begin_all
from oldhand.cron.model import Claimed
from oldhand.errors import OldhandError, StoreError
from oldhand.ledger.waiting import Begun
from oldhand.store import Store
from oldhand.store.group_writer import GroupWriter


class Begins:
    """Collects what is to begin until the writer comes to it.

    Args:
        writer: Commits for all of this scheduler.
        owner: The scheduler's name.
    """

    def __init__(self, writer: GroupWriter, owner: str) -> None:
        """Begin with nothing."""
        self._writer = writer
        self._owner = owner
        self._lock = threading.Lock()
        self._gathering: _Batch | None = None

    def write(self, run: Claimed, begun: Begun, notes: Sequence[str]) -> None:
        """Write that a run starts now; return when that is durable.

        Raises:
            InvalidInput: A value is not one that the ledger takes.
            LeaseLost: The run is not ours any more.
            StoreError: The database refused; nothing is written of it.
        """
        beginning = Beginning.of(run.run_id, begun, notes)
        with self._lock:
            batch = self._gathering
            is_new = batch is None
            if batch is None:
                batch = self._gathering = _Batch(self._owner, self._take)
            batch.add(beginning)
        if is_new:
            self._hand_in(batch)
        batch.wait()
        if run.run_id not in batch.begun:
            raise LeaseLost(f"run {run.run_id}: it was given up for lost meanwhile")

    def _hand_in(self, batch: _Batch) -> None:
        try:
            self._writer.hand_in(batch.write, batch.tell)
        except StoreError as fault:  # the writer has ended: others wait as well
            batch.tell(None, fault)
            raise

    def _take(self, batch: _Batch) -> None:
        """Let no more come in: it is written now, or failed."""
        with self._lock:
            if self._gathering is batch:
                self._gathering = None


class _Batch:
    """What begins together, and what came of it."""

    def __init__(self, owner: str, close: Callable[[_Batch], None]) -> None:
        self.begun: frozenset[int] = frozenset()
        self._owner = owner
        self._close = close
        self._beginnings: list[Beginning] = []
        self._is_told = threading.Event()
        self._fault: BaseException | None = None

    def add(self, beginning: Beginning) -> None:
        """Add one; the caller holds the lock."""
        self._beginnings.append(beginning)

    def write(self, store: Store) -> frozenset[int]:
        """Write all that came in; in the writer's thread."""
        self._close(self)
        return begin_all(store, self._owner, self._beginnings)

    def tell(self, begun: frozenset[int] | None, fault: BaseException | None) -> None:
        """Say what came of it, to all who wait."""
        self._close(self)
        self.begun, self._fault = begun or frozenset(), fault
        self._is_told.set()

    def wait(self) -> None:
        """Wait until it was told; raise what went wrong, for this thread alone."""
        self._is_told.wait()
        fault = self._fault
        if fault is None:
            return
        if isinstance(fault, OldhandError):
            raise type(fault)(*fault.args) from fault
        raise StoreError(f"what began could not be written: {fault!r}") from fault

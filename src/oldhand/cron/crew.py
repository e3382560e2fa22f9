"""The runs that this scheduler is at work on: threads, signs of life, limits."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from queue import SimpleQueue

from oldhand.cron.claims import LEASE_US, beat, find_cancels
from oldhand.cron.model import Claimed
from oldhand.cron.shop import Shop
from oldhand.cron.work import CANCELLED, Work
from oldhand.errors import OldhandError
from oldhand.store import Store

_NOTE_SECONDS = 10.0
LOOK_SECONDS = 1.0
"""So often limits are looked at, and whether somebody wants a run to end."""

logger = logging.getLogger(__name__)


class Crew:
    """Carries out runs, so many at once.

    Args:
        store: For reading; the crew's own while it works.
        shop: What runs are carried out with.
        owner: The scheduler's name.
        places: So many runs at once.
        is_held: Says whether a run waits for a person's decision, by its session key.
        done: Called when a run is over.
        lease_us: A third of it is the time from one sign of life to the next.
    """

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        store: Store,
        shop: Shop,
        *,
        owner: str,
        places: int,
        is_held: Callable[[Store, str], bool],
        done: Callable[[], None],
        lease_us: int = LEASE_US,
    ) -> None:
        """Start the thread that looks after the runs."""
        self._store = store
        self._shop = shop
        self._owner = owner
        self._places = places
        self._is_held = is_held
        self._done = done
        self._lease_us = lease_us
        self._works: dict[int, Work] = {}
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._waiting: SimpleQueue[Work | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._is_over = threading.Event()
        self._beaten = float("-inf")
        self._noted = time.monotonic()
        self._thread = threading.Thread(
            target=self._look_after, name="oldhand-crew", daemon=True
        )
        self._thread.start()

    @property
    def free(self) -> int:
        """How many more runs there is a place for."""
        return self._places - len(self._works)

    @property
    def is_busy(self) -> bool:
        """Whether a run is under way."""
        return bool(self._works)

    def take(self, runs: Iterable[Claimed]) -> None:
        """Begin with runs that were claimed; there must be places for them."""
        for run in runs:
            work = Work(run, self._shop)
            with self._lock:
                self._works[run.run_id] = work
                if len(self._threads) < len(self._works):
                    self._hire()
            self._waiting.put(work)

    def join(self) -> None:
        """Wait until all runs that were taken are over."""
        with self._idle:
            self._idle.wait_for(lambda: not self._works)

    def close(self, reason: str) -> None:
        """Have all runs end, and wait until they have; what has not begun waits again."""
        for work in self._snapshot():
            work.stop(f"{CANCELLED}: {reason}", gives_back=True)
        self.join()
        for _ in self._threads:
            self._waiting.put(None)
        self._is_over.set()
        for thread in (*self._threads, self._thread):
            thread.join()

    def _hire(self) -> None:
        """Start one more thread; it stays for the runs to come."""
        name = f"oldhand-run-{len(self._threads)}"
        thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        while (work := self._waiting.get()) is not None:
            try:
                work.carry_out()
            except Exception:
                logger.exception("run %s: cannot be carried out", work.run.run_id)
            finally:
                with self._idle:
                    self._works.pop(work.run.run_id, None)
                    self._idle.notify_all()
                self._done()

    def _look_after(self) -> None:
        last = time.monotonic()
        seconds = min(LOOK_SECONDS, self._lease_us / 6_000_000)
        while not self._is_over.wait(seconds):
            now = time.monotonic()
            works = self._snapshot()
            for step in (self._limit, self._heed, self._beat, self._note):
                if not works:
                    break
                try:
                    step(works, now, now - last)
                except OldhandError as fault:  # as when the database is busy or full
                    logger.warning("runs under way are not looked after: %s", fault)
                except Exception:  # of other people's code: the rest is looked after
                    logger.exception("runs under way are not looked after")
            last = now

    def _limit(self, works: list[Work], _: float, since: float) -> None:
        """End what went on for too long; the time that it waits for a person is free."""
        for work in works:
            most = work.run.job.spec.limits.wall_seconds
            if self._is_waiting(work):
                work.held_seconds += since
            elif most is not None and work.seconds > most:
                work.stop(f"limit of time: it went on for more than {most:g} s")

    def _is_waiting(self, work: Work) -> bool:
        """Say whether a run waits for a person; not, where that cannot be found out."""
        if not work.session_key:
            return False
        try:
            return self._is_held(self._store, work.session_key)
        except Exception:  # of other people's code
            logger.exception("run %s: whether it is held is unknown", work.run.run_id)
            return False

    def _heed(self, works: list[Work], _: float, __: float) -> None:
        """End what somebody cancelled, and what was given up for lost meanwhile."""
        ours = find_cancels(self._store, self._owner)
        for work in works:
            if work.is_over:
                continue
            cancel = ours.get(work.run.run_id)
            if cancel is None:
                work.stop("it was given up for lost meanwhile", is_lost=True)
            elif cancel:
                work.stop(f"{CANCELLED}: {cancel}")

    def _beat(self, works: list[Work], now: float, _: float) -> None:
        """Give a sign of life for all runs under way, now and then."""
        if now - self._beaten < self._lease_us / 3_000_000:
            return
        ids = [work.run.run_id for work in works]
        at_us = self._shop.clock()

        def part(store: Store) -> None:
            beat(store, self._owner, ids, now_us=at_us, lease_us=self._lease_us)

        self._shop.write(part)
        self._beaten = now

    def _note(self, works: list[Work], now: float, _: float) -> None:
        """Write now and then what the runs have said so far."""
        if now - self._noted < _NOTE_SECONDS:
            return
        self._noted = now
        for work in works:
            work.note_output()

    def _snapshot(self) -> list[Work]:
        with self._lock:
            return list(self._works.values())

"""A scheduler: looks for what is due, takes up what waits, gives up what was abandoned.

Any number may work on one database, in one process or on several machines. Each pass is one
transaction where there is anything to do, and none where there is not.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import NamedTuple, Self

from oldhand.clock import Clock
from oldhand.cron.begins import Begins
from oldhand.cron.claims import LEASE_US, claim
from oldhand.cron.clock import clock_of
from oldhand.cron.crew import Crew
from oldhand.cron.fire import fire_due, reckon_anew
from oldhand.cron.guards.prepare import Prepared, prepare
from oldhand.cron.lost import Abandoned, Watcher, end_child, give_up, seize
from oldhand.cron.model import Claimed, Pass
from oldhand.cron.news import News
from oldhand.cron.owners import new_owner, place_of_owner
from oldhand.cron.runner.protocol import Control, Done, Runner, Task
from oldhand.cron.shop import Shop
from oldhand.errors import Conflict, OldhandError, StoreError, StoreReadOnly
from oldhand.store import Queries, Store
from oldhand.store.group_writer import GroupWriter

DEFAULT_PLACES = 4
"""So many runs at once: an agent is heavy, and its provider counts."""
CHANNEL = "oldhand_jobs"
"""On which PostgreSQL tells of new jobs and runs."""
_LONGEST_WAIT_SECONDS = 1.0
"""A wall clock that was set, or a machine that slept, is noticed after so long."""
_WATCHES_A_LEASE = 6
_KEEP_US = 86_400_000_000
_NEVER_US = 1 << 62
"""Later than any time: the first pass looks whether the clock was set back meanwhile."""
_SQL = Queries("oldhand.cron")

logger = logging.getLogger(__name__)


class _Step(NamedTuple):
    """What one transaction of a pass did: jobs that were due, and runs taken up."""

    fired: int = 0
    runs: tuple[Claimed, ...] = ()


class Scheduler:
    """Runs jobs when they are due, until it is stopped.

    Args:
        store: Where jobs are; it stays the caller's to close, afterwards.
        runners: By name; `command` runs commands.
        places: So many runs at once, at least 1.
        prepare: Makes the task of a run, or raises `Blocked`.
        is_held: Says whether a run waits for a person, by its session key.
        scripts: Runs a task's script first, as `runner.script.Scripts` does; None: none is
            run, and jobs that have one are blocked.
        clock: None: the database's.
        steady: Seconds that never go back, by which others are found silent.
        lease_seconds: A run whose scheduler gave no sign of life for so long is lost; the
            same for all schedulers of a database, at least 1.
        page_of: Returns the address of a run's page for messages about it, or "".

    Raises:
        StoreReadOnly: The database cannot be written.

    Example:
        >>> from oldhand.store import open_database
        >>> with Scheduler(open_database(":memory:"), {}) as scheduler:
        ...     scheduler.tick().fired
        0
    """

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        store: Store,
        runners: Mapping[str, Runner],
        *,
        places: int = DEFAULT_PLACES,
        prepare: Callable[..., Prepared] = prepare,
        is_held: Callable[[Store, str], bool] = lambda _store, _key: False,
        scripts: Callable[[Task, Control], Task | Done] | None = None,
        clock: Clock | None = None,
        steady: Callable[[], float] = time.monotonic,
        lease_seconds: float = LEASE_US / 1_000_000,
        page_of: Callable[[int], str] = lambda _run_id: "",
    ) -> None:
        """Make ready; nothing is due until `tick` or `run` looks."""
        if store.read_only_reason is not None:
            raise StoreReadOnly(
                f"{store.url}: cannot be written, so that nothing can be run: "
                f"{store.read_only_reason}"
            )
        self.owner = new_owner()
        self._store = store
        self._reading = store.another()
        self._clock = clock or clock_of(self._reading)
        self._steady = steady
        self._lease_us = int(lease_seconds * 1_000_000)
        self._writing = store.another()
        self._writer = GroupWriter(self._writing)
        self._watcher = Watcher(lease_us=self._lease_us, steady=steady)
        self._news = threading.Event()
        self._is_over = threading.Event()
        self._is_closed = False
        self._watched = float("-inf")
        self._noted = float("-inf")
        self._last_us = _NEVER_US
        shop = Shop(
            self._writer.write,
            self._clock,
            runners,
            lambda run: prepare(run, now_us=self._clock()),
            lambda seconds: not self._is_over.wait(seconds),
            scripts,
            page_of,
            Begins(self._writer, self.owner).write,
        )
        self._crew = Crew(
            self._reading,
            shop,
            owner=self.owner,
            places=places,
            is_held=is_held,
            done=self._news.set,
            lease_us=self._lease_us,
        )

    def tick(self, now_us: int | None = None) -> Pass:
        """Make one pass, and return what it started; the runs go on beside.

        Args:
            now_us: Instead of the clock, in microseconds since 1970-01-01 UTC.

        Raises:
            StoreError: The database refused; nothing is lost, the next pass does it.
        """
        now = self._clock() if now_us is None else now_us
        self._note(now)
        if now < self._last_us:
            self._writer.write(lambda store: reckon_anew(store, now_us=now))
        self._last_us = now
        fired, runs = 0, list[Claimed]()
        while True:
            made = self._step(now)
            runs += made.runs
            if not made.fired:
                break
            fired += made.fired
        return Pass(tuple(runs), fired, self._give_up_abandoned(now))

    def run(self) -> None:
        """Make pass after pass, in the caller's thread, until `stop`."""
        with News(self._store, CHANNEL) as news:
            while not self._is_over.is_set():
                wait = _LONGEST_WAIT_SECONDS
                try:
                    self.tick()
                    wait = self._seconds_to_wait()
                except StoreError as fault:
                    # Others can perhaps not write either: their silence says nothing.
                    self._watcher.forget()
                    logger.warning("jobs wait: %s", fault)
                except Exception:
                    logger.exception("jobs wait")
                news.rest(wait, self._news)

    def stop(self) -> None:
        """End `run`; may be called from any thread."""
        self._is_over.set()
        self._news.set()

    def join(self) -> None:
        """Wait until all runs that were started are over."""
        self._crew.join()

    def close(self) -> None:
        """Stop; runs under way are cancelled, and that is written. Twice is harmless."""
        if self._is_closed:
            return
        self._is_closed = True
        self.stop()
        self._crew.close("the scheduler was stopped")
        self._writer.close()
        try:
            self._reading.execute(_SQL["forget_scheduler"], (self.owner,))
        except StoreError as fault:
            logger.warning("the scheduler's row stays: %s", fault)
        for store in (self._reading, self._writing):
            if store is not self._store:
                store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _step(self, now: int) -> _Step:
        """Fire what is due and take up what waits, in one transaction, if there is any."""
        free = self._crew.free
        if not (
            self._is_due("next_due", now)
            or (free > 0 and self._is_due("next_ready", now))
        ):
            return _Step()

        def part(store: Store) -> _Step:
            fired = fire_due(store, now_us=now)
            if free <= 0:
                return _Step(fired)
            runs = claim(
                store, self.owner, limit=free, now_us=now, lease_us=self._lease_us
            )
            return _Step(fired, tuple(runs))

        try:
            made = self._writer.write(part)
        except Conflict as fault:  # another scheduler was first
            logger.debug("claims: %s", fault)
            return _Step()
        self._crew.take(made.runs)
        return made

    def _give_up_abandoned(self, now: int) -> tuple[Claimed, ...]:
        steady = self._steady()
        if steady - self._watched < self._lease_us / _WATCHES_A_LEASE / 1_000_000:
            return ()
        self._watched = steady
        given_up = (self._give_up(run, now) for run in self._watcher.look(self._store))
        return tuple(run for run in given_up if run is not None)

    def _give_up(self, run: Abandoned, now: int) -> Claimed | None:
        by = self.owner
        try:
            seized = self._writer.write(lambda store: seize(store, run, by=by))
            if seized is None:
                return None
            end_child(seized)
            return self._writer.write(
                lambda store: give_up(store, seized, by=by, now_us=now)
            )
        except OldhandError as fault:
            self._watcher.forget()
            logger.warning("run %s cannot be given up yet: %s", run.run_id, fault)
            return None

    def _is_due(self, query: str, now: int) -> bool:
        at = self._time_of(query)
        return at is not None and at <= now

    def _time_of(self, query: str) -> int | None:
        row = self._store.query_one(_SQL[query])
        return None if row is None else row[0]

    def _note(self, now: int) -> None:
        """Say now and then that this scheduler looks.

        In half of a lease, and so before anybody else is taken for silent: where it fails,
        as on a disk that is full, others cannot give a sign either.
        """
        steady = self._steady()
        if steady - self._noted < self._lease_us / 2_000_000:
            return
        row = {"owner": self.owner, "place": place_of_owner(), "now": now}

        def part(store: Store) -> None:
            store.execute(_SQL["note_pass"], row)
            store.execute(_SQL["forget_schedulers"], (now - _KEEP_US,))

        self._writer.write(part)
        self._noted = steady

    def _seconds_to_wait(self) -> float:
        times = [self._time_of("next_due")]
        if self._crew.free > 0:
            times.append(self._time_of("next_ready"))
        known = [at for at in times if at is not None]
        if not known:
            return _LONGEST_WAIT_SECONDS
        left = (min(known) - self._clock()) / 1_000_000
        return min(_LONGEST_WAIT_SECONDS, max(0.0, left))

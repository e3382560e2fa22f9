"""Runs the jobs that are due, in a thread beside the daemon."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import NamedTuple

from oldhand.cron.scheduler import Scheduler
from oldhand.settings import Settings
from oldhand.store import Store

logger = logging.getLogger(__name__)


PageOf = Callable[[int], str]
"""Returns the address of a run's page."""


class JobWork(NamedTuple):
    """What a daemon does for jobs.

    Attributes:
        settings: For jobs that are made here; None: the environment's.
        scheduler: Makes what runs them; None: another process does.
    """

    settings: Settings | None = None
    scheduler: Callable[[Store, PageOf], Scheduler] | None = None


class Clockwork:
    """A scheduler at work, until it is stopped."""

    def __init__(self, scheduler: Scheduler) -> None:
        """Start it."""
        self._scheduler = scheduler
        self._thread = threading.Thread(target=self._run, name="oldhand-scheduler")
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether it still looks for what is due."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stop it; runs under way are ended, and that is written."""
        self._scheduler.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._scheduler.run()
        except Exception:
            logger.exception("jobs are not run any more")

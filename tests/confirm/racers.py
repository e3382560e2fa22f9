"""Processes that race for one request at a time, and write down what they were answered.

All racers stop before each race, so that they start it together. Each looks at the request
once, then tries all that can be done with it, in an order of its own: what it saw is old
by then.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from functools import partial
from multiprocessing.context import SpawnContext
from typing import Any, NamedTuple

from oldhand.confirm.model import Request, Rules
from oldhand.confirm.principals import find_principal
from oldhand.confirm.requests.consume import consume, report_result
from oldhand.confirm.requests.decide import approve, deny
from oldhand.confirm.requests.expire import expire_due
from oldhand.confirm.requests.facts import check_draft
from oldhand.confirm.requests.read import list_requests
from oldhand.confirm.requests.states import WHEN_OVERDUE
from oldhand.confirm.requests.submit import submit
from oldhand.confirm.requests.withdraw import cancel, revoke
from oldhand.errors import Forbidden, NotFound, RequestConflict
from oldhand.store import Store, open_database

REFUSALS = (Forbidden, NotFound, RequestConflict)
THREADS = 2
_OPEN = tuple(WHEN_OVERDUE)
_RULES = Rules(per_hour=0, max_pending=0)


class Told(NamedTuple):
    """What one racer did to a request.

    Attributes:
        request_id: Which one.
        state: What it became; `ended` where the clock ended it.
        rev: Then; 0 where that was not said.
    """

    request_id: str
    state: str
    rev: int


class Racers:
    """The two processes of a race, on one database with the people of an `Office`."""

    def __init__(self, context: SpawnContext, url: str, *, races: int) -> None:
        """Start them."""
        self._barrier = context.Barrier(2 * THREADS)  # it is gone with its last owner
        self._said = context.SimpleQueue()
        self._processes = [
            context.Process(
                target=_race, args=(url, races, number, self._barrier, self._said)
            )
            for number in range(2)
        ]
        for process in self._processes:
            process.start()

    def finish(self) -> list[Told]:
        """Wait for both; return what was answered to any."""
        found = [self._said.get() for _ in range(2 * THREADS)]
        for process in self._processes:
            process.join()
        faults = [said for said in found if isinstance(said, str)]
        assert faults == []
        return [Told(*each) for said in found for each in said]


def _race(url: str, races: int, process: int, barrier: Any, said: Any) -> None:
    threads = [
        threading.Thread(
            target=_run, args=(url, races, process * THREADS + number, barrier, said)
        )
        for number in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _run(url: str, races: int, number: int, barrier: Any, said: Any) -> None:
    try:
        said.put([tuple(each) for each in _Racer(url, number, barrier).race(races)])
    except BaseException as fault:
        barrier.abort()
        said.put(f"racer {number}: {fault!r}")
        raise


class _Racer:
    """One thread with a connection of its own; number 0 also asks for what is raced for."""

    def __init__(self, url: str, number: int, barrier: Any) -> None:
        self._store: Store = open_database(url)
        self._leads = number == 0
        self._barrier = barrier
        self._random = random.Random(number)  # noqa: S311 - an order, and no secret
        self._ben = find_principal(self._store, "ben")
        self._bot = find_principal(self._store, "bot")

    def race(self, races: int) -> list[Told]:
        told: list[Told] = []
        for race in range(races):
            if self._leads:
                told += self._begin(race)
            self._barrier.wait(60)
            [shown] = list_requests(self._store, by=self._ben, states=_OPEN)
            self._barrier.wait(60)
            told += self._try_all(shown)
            self._barrier.wait(60)
            if self._leads:
                told += self._end(shown)
        self._store.close()
        return told

    def _begin(self, race: int) -> list[Told]:
        """Ask, and in every second race approve: then its use is what is raced for."""
        draft = check_draft({"action": "restart", "details": {}, "timeout_seconds": 30})
        asked = submit(
            self._store, draft, requester=self._bot, rules=_RULES, clock=_long_ago
        )
        told = [_told(asked)]
        if race % 2:
            told += self._try(partial(self._approve, asked))
        return told

    def _try_all(self, shown: Request) -> list[Told]:
        common: dict[str, Any] = {"clock": _long_ago}
        by_bot = common | {"by": self._bot}
        store, number = self._store, shown.id
        ways: list[Callable[[], Request | list[str]]] = [
            partial(self._approve, shown),
            partial(
                deny, store, number, by=self._ben, rev=shown.rev, digest=shown.digest,
                via="race", **common,
            ),
            partial(cancel, store, number, **by_bot),
            partial(self._consume, shown),
            partial(revoke, store, number, by=self._ben, **common),
            partial(report_result, store, number, is_success=True, **by_bot),
            partial(report_result, store, number, is_success=False, **by_bot),
            partial(expire_due, store, clock=lambda: shown.expires_at_us),
        ]  # fmt: skip
        self._random.shuffle(ways)
        return [told for way in ways for told in self._try(way)]

    def _end(self, shown: Request) -> list[Told]:
        """Let what is left end by the clock, a result that nobody reported too."""
        late = shown.created_at_us + 7200 * 1_000_000
        return self._try(partial(expire_due, self._store, clock=lambda: late))

    def _try(self, way: Callable[[], Request | list[str]]) -> list[Told]:
        try:
            found = way()
        except REFUSALS:
            return []
        if isinstance(found, Request):
            return [_told(found)]
        return [Told(number, "ended", 0) for number in found]

    def _approve(self, shown: Request) -> Request:
        return approve(
            self._store, shown.id, by=self._ben, rev=shown.rev, digest=shown.digest,
            via="race", clock=_long_ago,
        )  # fmt: skip

    def _consume(self, shown: Request) -> Request:
        return consume(
            self._store, shown.id, by=self._bot, action=shown.action,
            details=shown.details, clock=_long_ago, sign=lambda _: bytes(64),
        ).request  # fmt: skip


def _told(request: Request) -> Told:
    return Told(request.id, request.state, request.rev)


def _long_ago() -> int:
    """Tell a time before the log's newest row: then that row's counts."""
    return 0

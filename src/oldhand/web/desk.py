"""The desk at which all endpoints and pages work: one writer, readers, the time, the key.

Endpoints hand in plain functions of a store. What writes goes to the group writer, so that
requests that come together are committed together; the caller is told when it is durable.
Points are read on the event loop where the database is a file here: that takes some 20 µs,
and the way to a thread and back 100. Lists are read in a thread, by another connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from starlette.requests import Request

from oldhand.clock import Clock
from oldhand.confirm.audit.checkpoint import Checkpoint
from oldhand.confirm.keys import SigningKey
from oldhand.confirm.model import Draft, Principal, Rules
from oldhand.confirm.model import Request as HeldRequest
from oldhand.confirm.people import WebSession, authenticate_session
from oldhand.confirm.requests.check_code import check_code
from oldhand.confirm.requests.submit import submit
from oldhand.store import Store
from oldhand.store.group_writer import GroupWriter
from oldhand.store.open import is_postgres
from oldhand.web.address import Address
from oldhand.web.attempts import Attempts
from oldhand.web.clockwork import JobWork
from oldhand.web.counter import Counter
from oldhand.web.follower import Follower
from oldhand.web.refusals import Refusals
from oldhand.web.who import claim_of, principal_of, session_secret

T = TypeVar("T")
_READERS = 2
_PASSWORD_CHECKERS = 2  # each takes a processor and 16 MiB for 50 ms


class Told(NamedTuple):
    """What else a daemon is given to do with what happens, by `app.confirmation`.

    Attributes:
        held: Called within the transaction that writes a request that a person is to
            decide: puts a notice into the outbox.
        over: Called likewise where nobody needs to decide it any more.
    """

    held: Callable[[Store, HeldRequest, str], None] | None = None
    over: Callable[[Store, str], None] | None = None


_NOBODY = Told()
_NO_JOBS = JobWork()


class Desk:
    """What all endpoints and pages work at.

    Attributes:
        writer: Takes what writes.
        address: Where we are reached.
        rules: What holds for all requests.
        key: Signs grants and checkpoints.
        clock: Never goes back.
        follower: Tells those who wait.
        refusals: What was refused, to be written into the log together.
        attempts: To sign in.
        policy_fault: What is wrong with the policy's file; "" where nothing is.
        faults: What the daemon cannot do, by what it is; for `/health`.
        outside_checkpoints: Those that were written outside the database.
        has_policy_file: Says whether a file says which policy holds.
        settings: For jobs that are made here; None: the environment's.
        is_scheduling: Says whether the scheduler that it was to run still works.
    """

    def __init__(  # noqa: PLR0913 - all that a daemon is made of
        self,
        store: Store,
        writer: GroupWriter,
        *,
        address: Address,
        key: SigningKey,
        rules: Rules,
        clock: Clock,
        told: Told = _NOBODY,
        jobs: JobWork = _NO_JOBS,
        outside_checkpoints: Callable[[], list[Checkpoint]] = list,
        has_policy_file: Callable[[], bool] = bool,
    ) -> None:
        """Open the connections that read; to be made where an event loop runs."""
        self.writer = writer
        self.address = address
        self.rules = rules
        self.key = key
        self.clock = clock
        self.outside_checkpoints = outside_checkpoints
        self.has_policy_file = has_policy_file
        self.follower = Follower(self)
        self.refusals = Refusals()
        self.attempts = Attempts()
        self.policy_fault = ""
        self.faults: dict[str, str] = {}
        self.verifying = asyncio.Lock()
        self.settings = jobs.settings
        self.is_scheduling: Callable[[], bool] = lambda: True
        self._told = told
        self._counter = Counter(writer)
        self._store = store
        self._is_near = not is_postgres(store.url)
        self._near = store.another()
        self._far = store.another()
        self._readers = ThreadPoolExecutor(_READERS, "oldhand-reader")
        self._checkers = ThreadPoolExecutor(_PASSWORD_CHECKERS, "oldhand-passwords")

    async def write(self, part: Callable[[Store], T]) -> T:
        """Run a part in the next transaction; return its result when it is durable."""
        try:
            return await self._counter.hand_in(part)
        finally:
            self.follower.look()

    async def read(self, part: Callable[[Store], T]) -> T:
        """Run what reads much, in a thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, part, self._far)

    async def do(self, part: Callable[[Store], T]) -> T:
        """Run what reads, asks others and then writes by itself, in a thread."""
        return await self.read(part)

    async def glance(self, part: Callable[[Store], T]) -> T:
        """Run what reads a row or two, at once where the database is near."""
        if self._is_near:
            return part(self._near)
        return await self.read(part)

    async def check_slowly(self, part: Callable[[Store], T]) -> T:
        """Run what checks a password: at most two at once."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._checkers, part, self._far)

    async def act(self, request: Request, part: Callable[[Store, Principal], T]) -> T:
        """Write for whoever sends a request, who is looked up in the same transaction.

        Raises:
            Unauthenticated: It is nobody.
            Forbidden: A person's session, and another site may have sent it.
        """
        claim = claim_of(request, self.address)

        def whole(store: Store) -> T:
            by = principal_of(store, claim, now_us=self.clock())
            name_caller(request, by)
            return part(store, by)

        return await self.write(whole)

    async def look(self, request: Request, part: Callable[[Store, Principal], T]) -> T:
        """Read a list for whoever sends a request.

        Raises:
            As `act`.
        """
        by = await self.caller(request)
        return await self.read(lambda store: part(store, by))

    async def caller(self, request: Request) -> Principal:
        """Say who sends a request.

        Raises:
            As `act`.
        """
        claim = claim_of(request, self.address)
        by = await self.glance(
            lambda store: principal_of(store, claim, now_us=self.clock())
        )
        name_caller(request, by)
        return by

    async def session_of(self, request: Request) -> WebSession | None:
        """Say who is signed in; None where nobody is. A form is checked besides."""
        secret = session_secret(request, self.address)
        if secret is None:
            return None
        session = await self.glance(
            lambda store: authenticate_session(store, secret, now_us=self.clock())
        )
        if session is not None:
            name_caller(request, session.principal)
        return session

    def submit(self, store: Store, draft: Draft, by: Principal) -> HeldRequest:
        """Take a request and have people told of it, in one transaction.

        Raises:
            As `confirm.requests.submit`.
        """
        held = submit(store, draft, requester=by, rules=self.rules, clock=self.clock)
        if self._told.held is not None and held.state == "pending":
            self._told.held(store, held, self.url_of(held.id))
        return held

    def settle(self, store: Store, request_id: str) -> None:
        """Say, in the transaction that ends it, that nobody need decide a request."""
        if self._told.over is not None:
            self._told.over(store, request_id)

    def check_code(self, held: HeldRequest) -> str:
        """Return what a notice of a request says, for a page to say too."""
        return check_code(held.digest)

    def url_of(self, request_id: str) -> str:
        """Return the address of a request's page."""
        return f"{self.address.url}/inbox/{request_id}"

    def close(self) -> None:
        """Close what was opened here."""
        self._readers.shutdown(wait=True)
        self._checkers.shutdown(wait=True)
        for opened in (self._near, self._far):
            if opened is not self._store:
                opened.close()


def name_caller(request: Request, by: Principal) -> None:
    """Note who sends a request, for the log of what is refused."""
    request.scope["oldhand.caller"] = by.name

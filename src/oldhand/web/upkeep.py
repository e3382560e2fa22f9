"""What the daemon does by itself: let things expire, sign the log, read the policy's file.

Each is a loop of its own that outlives whatever goes wrong in it: that is logged, and told
by `/health` until it goes well again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from oldhand.confirm.audit.checkpoint import make_checkpoint
from oldhand.confirm.audit.clock_steps import write_steps
from oldhand.confirm.audit.read import newest_at_us, newest_seq
from oldhand.confirm.audit.refused import write_refused
from oldhand.confirm.moments import SteadyClock
from oldhand.confirm.requests.expire import expire_due
from oldhand.store import Store
from oldhand.web import refusals
from oldhand.web.desk import Desk
from oldhand.web.policy_file import PolicyFile

CHECKPOINT_SECONDS = 60
CHECKPOINT_ROWS = 1000

logger = logging.getLogger(__name__)


class Upkeep:
    """The loops of one daemon."""

    def __init__(
        self,
        desk: Desk,
        *,
        policy_file: PolicyFile,
        checkpoints_file: Path | None,
    ) -> None:
        """Take what is looked after."""
        self._desk = desk
        self._policy_file = policy_file
        self._checkpoints_file = checkpoints_file
        self._signed_seq = 0
        self._signed_at = float("-inf")

    def start(self) -> list[asyncio.Task[None]]:
        """Start the loops."""
        loops = (
            (1, "expiry", self.let_expire),
            (1, "policy", self._policy_file.look),
            (1, "checkpoints", self.sign_the_log),
            (refusals.SECONDS, "refusals", self.write_refusals),
        )
        run = asyncio.get_running_loop().create_task
        return [
            run(self._desk.follower.run()),
            *(run(self._each(seconds, name, step)) for seconds, name, step in loops),
        ]

    async def stop(self) -> None:
        """Do what is left to do."""
        await self._try("refusals", self.write_refusals)
        self._signed_at = float("-inf")
        await self._try("checkpoints", self.sign_the_log)

    async def let_expire(self) -> None:
        """End what is overdue, and tell the log where the clock was set."""
        desk = self._desk

        def part(store: Store) -> None:
            ended: list[str] = []
            if isinstance(desk.clock, SteadyClock):
                desk.clock.go_on_from(newest_at_us(store))
                desk.clock()  # so that it sees a step before anything is ended by it
                if steps := desk.clock.steps():
                    ended += write_steps(store, steps, clock=desk.clock)
            ended += expire_due(store, clock=desk.clock)
            for request_id in ended:
                desk.settle(store, request_id)

        await desk.write(part)

    async def sign_the_log(self) -> None:
        """Make a checkpoint each minute, or after a thousand rows."""
        desk = self._desk
        seq = await desk.glance(newest_seq)
        now = asyncio.get_running_loop().time()
        is_due = now - self._signed_at >= CHECKPOINT_SECONDS
        if seq == self._signed_seq:
            return
        if not is_due and seq - self._signed_seq < CHECKPOINT_ROWS:
            return
        # Not as a part of the writer's: the file must not name what may yet be undone.
        await desk.read(
            lambda store: make_checkpoint(
                store,
                key_id=desk.key.id,
                sign=desk.key.sign,
                file=self._checkpoints_file,
                clock=desk.clock,
            )
        )
        self._signed_seq, self._signed_at = seq, now

    async def write_refusals(self) -> None:
        """Write what was refused lately."""
        refused = self._desk.refusals.take()
        if not refused:
            return
        try:
            await self._desk.write(
                lambda store: write_refused(store, refused, clock=self._desk.clock)
            )
        except BaseException:
            self._desk.refusals.give_back(refused)
            raise

    async def _each(
        self, seconds: float, name: str, step: Callable[[], Awaitable[None]]
    ) -> None:
        while True:
            await self._try(name, step)
            await asyncio.sleep(seconds)

    async def _try(self, name: str, step: Callable[[], Awaitable[None]]) -> None:
        try:
            await step()
        except Exception as fault:
            if name not in self._desk.faults:  # once, and not each second
                logger.exception("%s: goes wrong for now", name)
            self._desk.faults[name] = str(fault)
        else:
            self._desk.faults.pop(name, None)

"""One run, from its claim to its end."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable

from oldhand.cron.claims import (
    Finish,
    LeaseLost,
    begin,
    finish,
    give_back,
    may_retry,
)
from oldhand.cron.deliver import put_result
from oldhand.cron.ending import end_of, over, words_of
from oldhand.cron.guards.blocked import Blocked
from oldhand.cron.guards.prepare import Prepared
from oldhand.cron.guards.windows import Asked, learn
from oldhand.cron.model import Claimed
from oldhand.cron.output import Output, put_output
from oldhand.cron.processes import Process
from oldhand.cron.runner.protocol import Done, Stopped, Task
from oldhand.cron.shop import COMMAND, Shop
from oldhand.errors import Conflict, InvalidInput, OldhandError, StoreError
from oldhand.store import Queries, Store

CANCELLED = "cancelled"
"""How the reason begins for which somebody ended a run."""
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 15
_NOTED_CHARS = 250_000
"""Of a run that goes on: it is written again and again."""
_SQL = Queries("oldhand.cron")

logger = logging.getLogger(__name__)


class Work:
    """A run under way; its runner's line to us."""

    def __init__(self, run: Claimed, shop: Shop) -> None:
        """Take it; `carry_out` does it."""
        self.run = run
        self.is_over = False
        self.output = Output()
        self.held_seconds = 0.0
        self.session_key = ""
        self._shop = shop
        self._limits = run.job.spec.limits
        self._stop_reason = ""
        self._is_lost = False
        self._asked = Asked()
        self._notes: tuple[str, ...] = ()
        self._gives_back = False
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._noted_chars = 0

    @property
    def stop_reason(self) -> str:
        """Why the run is to end, or ""."""
        return self._stop_reason

    @property
    def seconds(self) -> float:
        """How long it has been going on, without the time it waited for a person."""
        return time.monotonic() - self._began - self.held_seconds

    def stop(
        self, reason: str, *, is_lost: bool = False, gives_back: bool = False
    ) -> None:
        """Have it end; the first reason counts.

        Args:
            reason: Why.
            is_lost: It is not ours any more: nothing is written of it.
            gives_back: Where it has not begun it waits again, for somebody else.
        """
        with self._lock:
            self._gives_back = gives_back and not self._stop_reason
            self._stop_reason = self._stop_reason or reason
            self._is_lost = self._is_lost or is_lost

    def say(self, text: str) -> None:
        """Keep a piece of the run's output."""
        self.output.add(text)

    def note_output(self) -> None:
        """Write what was said so far, or a part of it: it is there should we be killed.

        Raises:
            StoreError: The database refused.
        """
        chars = self.output.chars
        if chars == self._noted_chars:
            return
        kept = self.output.kept(most_chars=_NOTED_CHARS)
        ours = {"run_id": self.run.run_id, "owner": self.run.owner}

        def part(store: Store) -> None:
            is_ours = store.query_one(_SQL["is_owned"], ours) is not None
            if is_ours:  # and not over meanwhile
                put_output(store, self.run.run_id, kept)

        self._shop.write(part)
        self._noted_chars = chars

    def used(
        self,
        *,
        turns: int | None = None,
        tokens: int | None = None,
        cost_usd: float | None = None,
    ) -> None:
        """Say how much the run has used in all so far."""
        if said := over(self._limits, turns=turns, tokens=tokens, cost_usd=cost_usd):
            self.stop(said)
            raise Stopped(said)

    def child_is(self, child: Process | None) -> None:
        """Say which process does the work."""
        row = {
            "run_id": self.run.run_id,
            "owner": self.run.owner,
            "child": child.to_json() if child else "",
        }

        def part(store: Store) -> None:
            if not store.execute(_SQL["set_child"], row):
                raise LeaseLost(f"run {self.run.run_id}: it is not ours any more")

        try:
            self._write(part)
        except LeaseLost as fault:
            self.stop(str(fault), is_lost=True)
            raise Stopped(str(fault)) from fault

    def carry_out(self) -> None:
        """Do all of it; whatever goes wrong is how the run went."""
        try:
            self._carry_out()
        except LeaseLost as fault:
            logger.warning("%s", fault)
        except OldhandError:
            # The row still names us, without signs of life: it is given up for lost.
            logger.exception("run %s: its end cannot be written", self.run.run_id)
        finally:
            self.is_over = True

    def _carry_out(self) -> None:
        try:
            prepared = self._shop.prepare(self.run)
        except Blocked as fault:
            self._end(Done(end_reason=str(fault), is_blocked=True))
            return
        except BaseException as fault:  # of other people's code: it stops no other run
            logger.exception("run %s cannot be prepared", self.run.run_id)
            self._end(Done(end_reason=words_of(fault), success=False))
            return
        if self._stop_reason:
            self._leave()
            return
        try:
            self._begin(prepared)
        except InvalidInput as fault:
            self._end(Done(end_reason=words_of(fault), success=False))
            return
        self._began = time.monotonic()
        task = prepared.task
        self.session_key = task.session_key
        self._notes = prepared.notes
        self._asked = Asked(task.model, task.provider, task.base_url)
        self._end(self._done(prepared.task))

    def _begin(self, prepared: Prepared) -> None:
        """Write that it starts now, before its runner is called."""
        begun, notes = prepared.begun, prepared.notes
        begin_together = self._shop.begin
        if begun.skills or begin_together is None:
            self._write(lambda store: begin(store, self.run, begun, notes=notes))
        else:
            self._keep_trying(lambda: begin_together(self.run, begun, notes))

    def _leave(self) -> None:
        """End what was told to end before it began."""
        if not self._gives_back:
            self._end(Done(success=False, end_reason=self._stop_reason))
            return
        now = self._shop.clock()
        self._write(lambda store: give_back(store, self.run, now_us=now))

    def _write(self, part: Callable[[Store], None]) -> None:
        self._keep_trying(lambda: self._shop.write(part))

    def _keep_trying(self, write: Callable[[], None]) -> None:
        """Write, and go on trying while the database refuses."""
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                write()
            except StoreError as fault:
                logger.warning("run %s: not written yet: %s", self.run.run_id, fault)
                if not self._shop.wait(pause):
                    raise
                pause = min(_LONGEST_PAUSE_SECONDS, pause * 2)
            else:
                return

    def _done(self, task: Task) -> Done:
        try:
            told = self._told_by_script(task)
            if isinstance(told, Done):
                return told
            self._note(told.notes)
            return self._run(told)
        except Stopped as fault:
            why = self._stop_reason or str(fault)
            return fault.done._replace(success=False, end_reason=why, is_blocked=False)
        except BaseException as fault:  # of other people's code: it stops no other run
            logger.exception("run %s: its runner failed", self.run.run_id)
            return Done(success=False, end_reason=words_of(fault))

    def _note(self, notes: tuple[str, ...]) -> None:
        """Add to the run's notes what came up since it began."""
        if not notes:
            return
        row = {
            "run_id": self.run.run_id,
            "owner": self.run.owner,
            "notes": json.dumps([*self._notes, *notes]),
        }

        def part(store: Store) -> None:
            store.execute(_SQL["begin_job_run"], row)

        self._write(part)

    def _told_by_script(self, task: Task) -> Task | Done:
        if task.script is None:
            return task
        if self._shop.run_script is None:
            return Done(end_reason="no scripts are run here", is_blocked=True)
        return self._shop.run_script(task, self)

    def _run(self, task: Task) -> Done:
        runners = self._shop.runners
        name = task.command[0] if len(task.command) == 1 else COMMAND
        runner = runners.get(name) or runners.get(COMMAND)
        if runner is None:
            said = f"there is no runner called {name}"
            return Done(end_reason=said, is_blocked=True)
        return runner.run(task, self)

    def _end(self, done: Done) -> None:
        if self._is_lost:
            raise LeaseLost(f"run {self.run.run_id}: {self._stop_reason}")
        try:
            self._write_end(done)
        except (InvalidInput, Conflict) as fault:
            if isinstance(fault, LeaseLost):
                raise
            said = f"what its runner said of it cannot be kept: {fault}"
            self._write_end(Done(answer=done.answer, success=False, end_reason=said))

    def _write_end(self, done: Done) -> None:
        """Write how it went."""
        end = end_of(done, is_cancelled=self._stop_reason.startswith(CANCELLED))
        kept = self.output.kept()
        is_failed = end.state == "failed"
        is_retried = is_failed and may_retry(self.run)
        now = self._shop.clock()
        link = self._shop.page_of(self.run.run_id)

        def part(store: Store) -> None:
            delivery = "none"
            if is_failed:
                said = f"{done.end_reason or ''}\n{done.answer}"
                learn(store, self._asked, said, now_us=now)
            if not is_retried:
                delivery = put_result(
                    store, self.run, end, done.answer, now_us=now, link=link
                )
            finish(store, self.run, Finish(end, delivery, is_retried), now_us=now)
            if kept.chars:
                put_output(store, self.run.run_id, kept)

        self._write(part)

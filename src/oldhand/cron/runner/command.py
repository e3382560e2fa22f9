"""Runs an agent as a command of the user's choice, and keeps its limits while it goes on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from oldhand.clock import Clock, system_clock
from oldhand.cron.runner.agents import CannotRun, Line, Used, judged, line_of
from oldhand.cron.runner.child import Call, run_child
from oldhand.cron.runner.environment import agent_environment
from oldhand.cron.runner.protocol import Control, Done, Stopped, Task
from oldhand.ledger.prices import PriceOf

_MAX_LAST_WORDS = 2_000
_MICRO = 1_000_000
_LIMITS = ("turns", "tokens", "cost_usd")
CostOf = Callable[[Used, Task], float | None]


class CommandRunner:
    """Runs commands.

    Args:
        environment: The user's own.
        default: The words of the command where a job names none.
        price_of: Says what tokens cost, where an agent does not; None: nothing is known.
        clock: Says now: prices have dates.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        *,
        default: tuple[str, ...] = (),
        price_of: PriceOf | None = None,
        clock: Clock = system_clock,
    ) -> None:
        """Make ready; nothing is started."""
        self._environment = environment
        self._default = default
        self._price_of = price_of
        self._clock = clock

    def run(self, task: Task, control: Control) -> Done:
        """Run a task's command to its end.

        Raises:
            Stopped: The run was to end; its child has.
        """
        task = task._replace(command=task.command or self._default)
        if not task.command:
            return _blocked("no command is known that runs an agent")
        environment = agent_environment(self._environment, task)
        try:
            line = line_of(task)
        except CannotRun as fault:
            return _blocked(str(fault))
        for name in line.without:
            environment.pop(name, None)
        call = Call(
            line.words,
            task.workdir or environment.get("HOME", "/"),
            {**environment, **line.environment},
            line.stdin,
        )
        if why := _cannot_start(call):
            line.reader.done()
            return _blocked(why)
        return self._run(task, line, call, control)

    def _run(self, task: Task, line: Line, call: Call, control: Control) -> Done:
        heard = _Heard(task, line, control, self._cost)
        heard.warn()
        try:
            code = run_child(call, control, out=heard.out, err=heard.err)
        except Stopped as fault:
            raise Stopped(str(fault), self._costed(task, line)) from fault
        except OSError as fault:  # as when the words are too many
            line.reader.done()
            return _blocked(f"{call.words[0]} cannot be started: {fault.strerror}")
        done = judged(self._costed(task, line), code, heard.last_words)
        return heard.weighed(done)

    def _costed(self, task: Task, line: Line) -> Done:
        """Return how it went, with what it used, and what that cost."""
        done = line.reader.done()
        used = line.reader.used()
        total = used.total()
        return done._replace(
            turns=used.turns if done.turns is None else done.turns,
            input_tokens=total.input,
            output_tokens=total.output,
            cache_read_tokens=total.cache_read,
            cache_write_tokens=total.cache_write,
            cost_usd=self._cost(used, task),
        )

    def _cost(self, used: Used, task: Task) -> float | None:
        """Return what the agent says that it cost, or what its tokens do."""
        if used.cost_usd is not None:
            return used.cost_usd
        if self._price_of is None or not used.parts:
            return None
        total = 0
        for model, tokens in used.parts.items():
            cost = self._price_of(model or None, task.provider, tokens, self._clock())
            if cost is None:
                return None
            total += cost
        return total / _MICRO


class _Heard:
    """What a child says: kept, understood, and held against the limits."""

    def __init__(
        self, task: Task, line: Line, control: Control, cost_of: CostOf
    ) -> None:
        self.last_words = ""
        self._task = task
        self._line = line
        self._control = control
        self._cost_of = cost_of
        self._used = Used()

    def warn(self) -> None:
        """Say which limits are not kept while it runs."""
        limits = self._task.limits._asdict()
        unkept = [
            name
            for name in _LIMITS
            if limits[name] is not None and name not in self._line.limits
        ]
        if unkept:
            self._control.say(
                f"[oldhand: {self._task.command[0]} does not say what it uses while it "
                f"runs; its limit of {', '.join(unkept)} ends nothing]\n"
            )

    def out(self, text: str) -> None:
        """Take what it prints."""
        reader = self._line.reader
        kept = reader.hear(text)
        if kept:
            self._control.say(kept)
        used = reader.used()
        if (
            used != self._used and not reader.is_over
        ):  # when it is over nothing is saved
            self._used = used
            self._hold(used)

    def err(self, text: str) -> None:
        """Take what it prints to standard error."""
        self._control.say(text)
        lines = text[-_MAX_LAST_WORDS:].split("\n")
        self.last_words = next(
            (line.strip() for line in reversed(lines) if line.strip()), self.last_words
        )

    def weighed(self, done: Done) -> Done:
        """Return how it went, with the limit that it is found to have passed at its end."""
        try:
            self._hold(self._line.reader.used())
        except Stopped as fault:
            return done._replace(end_reason=done.end_reason or str(fault))
        return done

    def _hold(self, used: Used) -> None:
        is_limited = self._task.limits.cost_usd is not None
        self._control.used(
            turns=used.turns,
            tokens=used.tokens,
            cost_usd=self._cost_of(used, self._task) if is_limited else None,
        )


def _cannot_start(call: Call) -> str:
    """Say why a command cannot be started, or ""."""
    if not Path(call.workdir).is_dir():
        return f"{call.workdir}: no directory, where it is to run"
    program = call.words[0]
    if "/" in program:
        found = shutil.which(Path(call.workdir) / program)
    else:
        found = shutil.which(program, path=call.environment.get("PATH"))
    return "" if found else f"{program}: there is no such program"


def _blocked(why: str) -> Done:
    return Done(end_reason=why, is_blocked=True)

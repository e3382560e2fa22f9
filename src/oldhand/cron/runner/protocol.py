"""What a runner is given, what it may say on the way, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from oldhand.cron.model import Limits
from oldhand.cron.processes import Process


class Task(NamedTuple):
    """What a runner is to do.

    Attributes:
        run_id: The run's id.
        job: The job's name.
        prompt: The whole of it.
        model: Which one to ask; None: the agent's own default.
        provider: The same.
        base_url: Of the provider, without a slash at the end.
        command: The words of the command, for a runner of commands.
        script: A file in the scripts folder, whose output stands before the prompt.
        workdir: Where to run; "": the user's home.
        environment: Beside what every command is given.
        has_local_tools: False: it must run without a terminal and without files.
        session_key: By which requests for confirmation belong to this run.
        limits: For this run; a runner of commands keeps them, `Control.used` checks them.
        notes: What came up on the way to it, for the run's notes, each a sentence.
    """

    run_id: int
    job: str
    prompt: str
    model: str | None = None
    provider: str | None = None
    base_url: str | None = None
    command: tuple[str, ...] = ()
    script: str | None = None
    workdir: str = ""
    environment: Mapping[str, str] = MappingProxyType({})
    has_local_tools: bool = True
    session_key: str = ""
    limits: Limits = Limits()
    notes: tuple[str, ...] = ()


class Done(NamedTuple):
    """How it went; None is unknown, and never 0.

    Attributes:
        answer: What is delivered: the agent's last words.
        success: Whether it did what it was for.
        end_reason: In a few words, where it failed or is unknown.
        is_blocked: It could not even start, and nothing was done.
        session_uid: The agent's session, where it says.
        model: That really answered.
        provider: The same.
        turns: Answers of the model.
        input_tokens: Not read from a cache.
        output_tokens: Written by the model.
        cache_read_tokens: Read from a cache.
        cache_write_tokens: Put into a cache.
        cost_usd: US dollars.
        quality: 0 to 1.
    """

    answer: str = ""
    success: bool | None = None
    end_reason: str | None = None
    is_blocked: bool = False
    session_uid: str | None = None
    model: str | None = None
    provider: str | None = None
    turns: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    cost_usd: float | None = None
    quality: float | None = None


class Stopped(Exception):
    """The run is to end: it was cancelled, reached a limit, or is not ours any more.

    Attributes:
        done: What is known of it until then, as what it cost; how it went is not asked.
    """

    def __init__(self, reason: str = "", done: Done | None = None) -> None:
        """Stop for a reason."""
        super().__init__(reason)
        self.done = done or Done()


class Control(Protocol):
    """A run's line to its scheduler. All of it may be called from any thread."""

    @property
    def stop_reason(self) -> str:
        """Why the run is to end, or ""; to be looked at often."""

    def say(self, text: str) -> None:
        """Keep a piece of the run's output."""

    def used(
        self,
        *,
        turns: int | None = None,
        tokens: int | None = None,
        cost_usd: float | None = None,
    ) -> None:
        """Say how much the run has used in all so far.

        Raises:
            Stopped: That is more than it may.
        """

    def child_is(self, child: Process | None) -> None:
        """Say which process does the work, so that it is found should we be killed.

        Raises:
            Stopped: The run is not ours any more: the child is not to do anything.
        """


class Runner(Protocol):
    """Runs one agent to its end."""

    def run(self, task: Task, control: Control) -> Done:
        """Do a task, and return how it went.

        Raises:
            Stopped: It was told to end, and has.
            Exception: Anything else is a failure, whose words are the reason.
        """

"""What runs are carried out with, handed to each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from oldhand.clock import Clock
from oldhand.cron.guards.prepare import Prepared
from oldhand.cron.model import Claimed
from oldhand.cron.runner.protocol import Control, Done, Runner, Task
from oldhand.ledger.waiting import Begun
from oldhand.store import Store

COMMAND = "command"
"""The runner of jobs whose runner is a command."""


class Shop(NamedTuple):
    """What a run is carried out with.

    Attributes:
        write: Runs a part in a transaction, and returns when it is durable.
        clock: Says now.
        runners: By name; `COMMAND` runs commands.
        prepare: Makes the task of a run, or raises `Blocked`.
        wait: Waits so many seconds, and says whether to go on trying.
        run_script: Runs a task's script, and returns what the agent is to do, or how the
            run went; None: there are no scripts here.
        page_of: Returns the address of a run's page, or "".
        begin: Writes that a run without skills starts, together with others that do; None:
            each is written by itself.
    """

    write: Callable[[Callable[[Store], None]], None]
    clock: Clock
    runners: Mapping[str, Runner]
    prepare: Callable[[Claimed], Prepared]
    wait: Callable[[float], bool]
    run_script: Callable[[Task, Control], Task | Done] | None = None
    page_of: Callable[[int], str] = lambda _run_id: ""
    begin: Callable[[Claimed, Begun, Sequence[str]], None] | None = None

"""A process that dies, or goes on, at one step of a run: `python victim.py URL STEP`."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

from oldhand.clock import system_clock
from oldhand.cron.claims import begin, claim
from oldhand.cron.owners import new_owner
from oldhand.cron.processes import process_of
from oldhand.cron.runner import Control, Done, Stopped, Task
from oldhand.cron.scheduler import Scheduler
from oldhand.ledger.waiting import Begun
from oldhand.store import open_database

from .acting import Says

_DEAF = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
while True:
    signal.pause()
"""


class Stubborn:
    """Runs a child that ignores SIGTERM; asks it politely before it kills it."""

    def __init__(self) -> None:
        self.child: subprocess.Popen[bytes] | None = None
        self.begun = threading.Event()

    def run(self, task: Task, control: Control) -> Done:
        """Wait for a child that never ends."""
        del task
        with subprocess.Popen(
            [sys.executable, "-c", _DEAF],
            stdout=subprocess.PIPE,
            start_new_session=True,
        ) as child:
            self.child = child
            if child.stdout is not None:
                child.stdout.readline()
            control.child_is(process_of(child.pid))
            self.begun.set()
            while not control.stop_reason:
                threading.Event().wait(0.01)
            child.terminate()
            try:
                child.wait(0.5)
            except subprocess.TimeoutExpired:
                child.kill()
        raise Stopped(control.stop_reason)


def main() -> None:
    """Take the step, and die."""
    url, step = sys.argv[1:]
    store = open_database(url)
    if step == "stubborn":
        Scheduler(store, {"command": Stubborn()}).run()
    elif step == "finished":
        scheduler = Scheduler(store, {"command": Says()})
        scheduler.tick()
        scheduler.join()
    else:
        [run] = claim(store, new_owner(), limit=1, now_us=system_clock())
        if step == "begun":
            begin(store, run, Begun(system_clock()), notes=())
    signal.raise_signal(signal.SIGKILL)


if __name__ == "__main__":
    main()

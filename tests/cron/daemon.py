"""A scheduler as a process of its own, whose runs are real children that leave a mark.

Run as `python daemon.py URL MARKS SPEED LEASE PLACES`. MARKS is a file to which each child
appends its run's id: only after the run is on record with the child's name, so that a run
that was lost before leaves no mark. The clock goes SPEED times as fast as the world's, the
same in all processes. It says one line when it works, and works until its input closes.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time

from oldhand.cron.processes import process_of
from oldhand.cron.runner import Control, Done, Stopped, Task
from oldhand.cron.scheduler import Scheduler
from oldhand.store import open_database

# Waits for leave, leaves its mark, and goes on for as long as the prompt says.
CHILD = 'read -r leave && echo "$1" >>"$2" && exec sleep "$3"'
_EPOCH_SECONDS = 1_767_225_600


def fast_clock(speed: float) -> int:
    """Return the time of a world that goes so many times as fast as ours."""
    return int((_EPOCH_SECONDS + (time.time() - _EPOCH_SECONDS) * speed) * 1_000_000)


class Marks:
    """Starts a child that leaves a mark; ends it when it is told to."""

    def __init__(self, path: str) -> None:
        self._path = path

    def run(self, task: Task, control: Control) -> Done:
        """Do what the prompt says: seconds to go on, and how to end."""
        seconds, _, how = task.prompt.split("\n")[-1].partition(" ")
        with subprocess.Popen(
            ["/bin/sh", "-c", CHILD, "sh", str(task.run_id), self._path, seconds],
            stdin=subprocess.PIPE,
            start_new_session=True,
        ) as child:
            try:
                control.child_is(process_of(child.pid))
                self._follow(child, control)
            finally:
                child.kill()
        return Done(success=how != "fails", end_reason=how or None)

    def _follow(self, child: subprocess.Popen[bytes], control: Control) -> None:
        if child.stdin is None:
            raise RuntimeError("no pipe")
        child.stdin.write(b"\n")
        child.stdin.close()
        while child.poll() is None:
            if control.stop_reason:
                raise Stopped(control.stop_reason)
            threading.Event().wait(0.005)


def main() -> None:
    """Work until the input closes."""
    url, marks, speed, lease, places = sys.argv[1:]
    store = open_database(url)
    scheduler = Scheduler(
        store,
        {"command": Marks(marks)},
        places=int(places),
        clock=lambda: fast_clock(float(speed)),
        lease_seconds=float(lease),
    )
    thread = threading.Thread(target=scheduler.run)
    thread.start()
    sys.stdout.write("works\n")
    sys.stdout.flush()
    sys.stdin.read()
    scheduler.close()
    thread.join()
    store.close()


if __name__ == "__main__":
    main()

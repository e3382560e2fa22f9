"""Writers of one SQLite file wait in line, on a lock beside the file.

SQLite's own waiting polls, and whoever has waited longest asks least often: with eight
writers the worst wait was a second. The kernel's line for `flock` on a side file, joined
before `BEGIN IMMEDIATE`, brought it to some 20 ms. The lock is on a file of its own because
closing any descriptor of the database would drop SQLite's locks on it.

The line is a courtesy: what keeps two writers apart is SQLite. Where there can be no side
file, or the file system has no `flock`, writers do without it.
"""

from __future__ import annotations

import fcntl
import os
import threading
import weakref
from pathlib import Path

LIMIT_SECONDS = 10.0
_IDLE_SECONDS = 1.0


class WriterQueue:
    """The line of writers of one database file, over all processes of this machine.

    One thread at a time uses it. Two queues for one file exclude each other, also within
    one process. A forked child begins anew: what its parent holds is not the child's.
    """

    def __init__(self, database: Path, *, limit_seconds: float = LIMIT_SECONDS) -> None:
        """Name the side file; it is made when the first writer comes.

        Args:
            database: The file whose writers wait.
            limit_seconds: How long one of them waits, in seconds.
        """
        self._path = database.with_name(database.name + ".lock")
        self._limit_seconds = limit_seconds
        self._place: _Place | None = None
        self._is_without = False
        _QUEUES.add(self)

    def enter(self) -> None:
        """Wait for this writer's turn; an exception, as from Ctrl-C, ends the wait.

        Raises:
            TimeoutError: Another writer held the turn for the whole limit.
        """
        if self._is_without:
            return
        try:
            if self._place is None:
                self._place = _Place(_open(self._path))
            if self._place.take(self._limit_seconds):
                return
        except OSError:  # SQLite's own waiting has to do, and says what else is wrong
            self._is_without = True
            self.close()
            return
        raise TimeoutError(
            f"{self._path}: held for longer than {self._limit_seconds:g} s"
        )

    def leave(self) -> None:
        """Let the next writer in; harmless where this one was never let in."""
        if self._place is not None:
            self._place.free()

    def close(self) -> None:
        """Close the side file; it stays on disk."""
        if self._place is not None:
            self._place.close()
            self._place = None

    def forget_parent(self) -> None:
        """In a forked child: close the child's copy of the descriptor.

        Parent and child share one lock through it: the child could free what the parent
        holds, and would go on holding it when the parent is killed.
        """
        if self._place is not None:
            os.close(self._place.descriptor)
            self._place = None


class _Place:
    """One descriptor's place in the line.

    A blocking `flock` has no limit and no way to be called off but a signal, and asking
    again and again is unfair: measured, it doubled the worst wait at half the rate. So a
    thread of our own waits in the kernel's line where the lock is not free at once, and
    whoever wants the lock waits for the thread, with a limit. Given up on, the thread keeps
    its place for the next attempt, and passes the lock on if nobody wants it by then. It
    ends when it was idle for a second.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._state = threading.Lock()  # guards the four below
        self._is_running = False
        self._is_in_line = False
        self._is_wanted = False
        self._is_closed = False
        self._fault: OSError | None = None
        self._asked = _closed_gate()
        self._granted = _closed_gate()

    def take(self, limit_seconds: float) -> bool:
        # While the thread is in line it may be granted the lock at any moment, and would
        # free what was taken here: both use one descriptor.
        if not self._is_in_line and _take_if_free(self.descriptor):
            return True
        granted = False
        try:
            self._ask()
            granted = self._granted.acquire(timeout=limit_seconds)
        finally:
            if not granted:
                granted = self._give_up()
        if self._fault is not None:
            raise self._fault
        return granted

    def free(self) -> None:
        fcntl.flock(self.descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        with self._state:
            self._is_closed = True
            if (
                not self._is_in_line
            ):  # else the thread closes it: the number stays taken
                os.close(self.descriptor)

    def _ask(self) -> None:
        """Have the thread stand in line, unless it still does."""
        with self._state:
            self._is_wanted = True
            if self._is_in_line:
                return
            self._is_in_line = True
            self._asked.release()
            if not self._is_running:
                self._is_running = True
                threading.Thread(
                    target=self._serve, name="oldhand-writer-queue", daemon=True
                ).start()

    def _give_up(self) -> bool:
        """Stop wanting the lock; True where it was granted at the last moment."""
        with self._state:
            self._is_wanted = False
            return self._granted.acquire(blocking=False)

    def _serve(self) -> None:
        while self._is_asked():
            try:
                fcntl.flock(self.descriptor, fcntl.LOCK_EX)
            except OSError as fault:
                self._fault = fault
            with self._state:
                if not self._is_wanted:
                    self._pass_on()
                self._is_in_line = False
                if self._is_wanted:
                    self._granted.release()

    def _is_asked(self) -> bool:
        """Wait to be asked; False, and the thread's end, after a while without."""
        if self._asked.acquire(timeout=_IDLE_SECONDS):
            return True
        with self._state:
            self._is_running = self._asked.acquire(blocking=False)
            return self._is_running

    def _pass_on(self) -> None:
        self.free()
        if self._is_closed:
            os.close(self.descriptor)


def _closed_gate() -> threading.Lock:
    """Return a lock that is held: what opens it is a release, by any thread."""
    gate = threading.Lock()
    gate.acquire()
    return gate


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _take_if_free(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


_QUEUES: weakref.WeakSet[WriterQueue] = weakref.WeakSet()


def _forget_parents() -> None:
    for queue in list(_QUEUES):
        queue.forget_parent()


os.register_at_fork(after_in_child=_forget_parents)

"""The three pipes of a child: written and read as they allow, and never waited for.

One thread does all of it. At most a pipe's worth is held at a time, however much a child
prints; who reads it decides what is kept.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Callable
from types import TracebackType
from typing import IO, Self

from oldhand.cron.runner.protocol import Stopped
from oldhand.cron.runner.tidy import Tidy

_PIECE_BYTES = 65_536

Hear = Callable[[str], None]


class Pipes:
    """Serves the pipes of one child."""

    def __init__(
        self, popen: subprocess.Popen[bytes], stdin: bytes, out: Hear, err: Hear
    ) -> None:
        """Begin to serve; nothing is written before the first step.

        Args:
            popen: With three pipes.
            stdin: What it is to read.
            out: Takes what it prints.
            err: Takes what it prints to standard error.
        """
        self._is_over = False
        self._left = memoryview(stdin)
        self._selector = selectors.DefaultSelector()
        self._open: list[IO[bytes]] = []
        for pipe, hear in ((popen.stdout, out), (popen.stderr, err)):
            self._add(pipe, selectors.EVENT_READ, (hear, Tidy()))
        self._stdin = popen.stdin
        self._add(popen.stdin, selectors.EVENT_WRITE, None)

    def _add(
        self, pipe: IO[bytes] | None, event: int, heard: tuple[Hear, Tidy] | None
    ) -> None:
        if pipe is None:
            raise ValueError("a child without a pipe")
        os.set_blocking(pipe.fileno(), False)
        self._selector.register(pipe, event, heard)
        self._open.append(pipe)

    def step(self, seconds: float) -> bool:
        """Move what can be moved, waiting at most so long for it; say whether any could."""
        if not self._open:
            time.sleep(seconds)
            return False
        ready = self._selector.select(seconds)
        for key, _ in ready:
            pipe: IO[bytes] = key.fileobj  # type: ignore[assignment]
            if key.data is None:
                self._write(pipe)
            else:
                self._read(pipe, *key.data)
        return bool(ready)

    def drain(self, seconds: float) -> None:
        """Read what is left, to its end, or as long as that is to be waited for."""
        until = time.monotonic() + seconds
        while self._open and (left := until - time.monotonic()) > 0:
            self.step(left)
        for key in list(self._selector.get_map().values()):
            if key.data is not None:
                self._tell(key.data[0], key.data[1].rest())

    def say_no_more(self) -> None:
        """End its input: it is being ended, and what it still says stops nothing."""
        self._is_over = True
        if self._stdin in self._open:
            self._close(self._stdin)

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            count = os.write(pipe.fileno(), self._left[:_PIECE_BYTES])
        except BlockingIOError:
            return
        except BrokenPipeError:  # it does not want to read, as its right is
            self._close(pipe)
            return
        self._left = self._left[count:]
        if not self._left:
            self._close(pipe)

    def _read(self, pipe: IO[bytes], hear: Hear, tidy: Tidy) -> None:
        try:
            data = os.read(pipe.fileno(), _PIECE_BYTES)
        except BlockingIOError:
            return
        if data:
            self._tell(hear, tidy.take(data))
        else:
            self._close(pipe)
            self._tell(hear, tidy.rest())

    def _tell(self, hear: Hear, text: str) -> None:
        if not text:
            return
        try:
            hear(text)
        except Stopped:
            if not self._is_over:  # else it is being stopped already
                raise

    def _close(self, pipe: IO[bytes]) -> None:
        self._selector.unregister(pipe)
        self._open.remove(pipe)
        pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for pipe in list(self._open):
            self._close(pipe)
        self._selector.close()

"""The counter between the event loop and the writer's thread.

What the writer has done comes back by the group: `asyncio.wrap_future` would wake the loop
for each part of it, by a system call of its own.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from oldhand.store import Store
from oldhand.store.group_writer import GroupWriter

T = TypeVar("T")


class Counter:
    """Hands parts in for one event loop."""

    def __init__(self, writer: GroupWriter) -> None:
        """Stand before a writer; to be made where the event loop runs."""
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._done: deque[tuple[asyncio.Future[Any], object, BaseException | None]] = (
            deque()
        )
        self._is_called = False

    def hand_in(self, part: Callable[[Store], T]) -> asyncio.Future[T]:
        """Have a part written; the future is done when it is durable.

        Raises:
            StoreError: The writer has ended.
        """
        waiting: asyncio.Future[T] = self._loop.create_future()
        self._writer.hand_in(part, partial(self._put, waiting))
        return waiting

    def _put(
        self, waiting: asyncio.Future[Any], result: object, fault: BaseException | None
    ) -> None:
        """Lay down what is done, in the writer's thread, and call the loop once."""
        self._done.append((waiting, result, fault))
        if not self._is_called and not self._loop.is_closed():
            self._is_called = True
            self._loop.call_soon_threadsafe(self._give_out)

    def _give_out(self) -> None:
        self._is_called = False  # first: what is laid down from now on calls again
        while self._done:
            waiting, result, fault = self._done.popleft()
            if waiting.done():  # nobody waits any more
                continue
            if fault is None:
                waiting.set_result(result)
            else:
                waiting.set_exception(fault)

"""A connection is given up when its time is over, and not before, however often that moved."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from oldhand.web.patience import Patience


class Loop:
    """A loop whose time is told to it; it counts the timers that it was given."""

    def __init__(self) -> None:
        self._now = 0.0
        self.timers: list[asyncio.TimerHandle] = []

    def time(self) -> float:
        """Return the time."""
        return self._now

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, **_: Any
    ) -> asyncio.TimerHandle:
        """Keep a timer."""
        timer = asyncio.TimerHandle(when, callback, args, as_loop(self))
        self.timers.append(timer)
        return timer

    def _timer_handle_cancelled(self, _handle: asyncio.TimerHandle) -> None:
        pass

    def get_debug(self) -> bool:
        """Say no."""
        return False

    def go_to(self, now: float) -> None:
        """Let time pass, and run what is due."""
        self._now = now
        while due := [t for t in self.timers if not t.cancelled() and t.when() <= now]:
            timer = min(due, key=lambda each: each.when())
            self.timers.remove(timer)
            timer._run()


def as_loop(loop: Loop) -> asyncio.AbstractEventLoop:
    return cast("asyncio.AbstractEventLoop", loop)


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
def given_up() -> list[bool]:
    return []


@pytest.fixture
def patience(loop: Loop, given_up: list[bool]) -> Patience:
    return Patience(as_loop(loop), lambda: given_up.append(True))


def test_it_ends_when_the_time_is_over(
    loop: Loop, patience: Patience, given_up: list[bool]
) -> None:
    patience.begin(20)
    loop.go_to(19.9)
    assert not given_up
    loop.go_to(20)

    assert given_up == [True]


def test_what_is_begun_anew_has_all_of_its_time(
    loop: Loop, patience: Patience, given_up: list[bool]
) -> None:
    patience.begin(30)
    for now in range(1, 101):
        loop.go_to(now)
        patience.end()
        patience.begin(30)
    loop.go_to(129)
    assert not given_up
    loop.go_to(130)

    assert given_up == [True]


def test_a_shorter_time_is_kept_where_a_longer_one_was_begun(
    loop: Loop, patience: Patience, given_up: list[bool]
) -> None:
    patience.begin(30)
    patience.begin(20)
    loop.go_to(20)

    assert given_up == [True]


def test_nothing_is_given_up_while_nothing_is_waited_for(
    loop: Loop, patience: Patience, given_up: list[bool]
) -> None:
    patience.begin(20)
    patience.end()
    loop.go_to(1000)
    patience.begin(20)
    patience.close()
    loop.go_to(2000)

    assert not given_up


def test_many_requests_set_few_timers(loop: Loop, patience: Patience) -> None:
    for _ in range(1000):
        patience.begin(30)
        patience.end()

    assert len(loop.timers) == 1

"""Who is silent: by a steady clock, from look to look, and by whether the process is there."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from oldhand.cron.claims import beat, claim
from oldhand.cron.lost import Watcher, end_child
from oldhand.cron.owners import new_owner
from oldhand.cron.processes import process_of
from oldhand.store import Store
from oldhand.testing import FakeClock

from .acting import MINUTE, fire, made

LEASE = 30
LEASE_US = LEASE * 1_000_000


class Steady:
    """Seconds that go on when they are told to."""

    def __init__(self) -> None:
        self.at = 1_000.0

    def __call__(self) -> float:
        """Return them."""
        return self.at


@pytest.fixture
def steady() -> Steady:
    return Steady()


@pytest.fixture
def watcher(steady: Steady) -> Watcher:
    return Watcher(lease_us=LEASE_US, steady=steady)


def take_up(store: Store, clock: FakeClock, owner: str) -> int:
    made(store, clock)
    fire(store, clock() + MINUTE)
    [run] = claim(store, owner, limit=1, now_us=clock() + MINUTE)
    return run.run_id


def looks(watcher: Watcher, store: Store, steady: Steady, seconds: int) -> list[int]:
    """Look each 5 seconds for so long; return what was abandoned in the end."""
    found: list[int] = []
    for _ in range(seconds // 5):
        steady.at += 5
        found = [run.run_id for run in watcher.look(store)]
    return found


def test_a_run_without_signs_of_life_for_a_lease_is_abandoned(
    any_store: Store, clock: FakeClock, watcher: Watcher, steady: Steady
) -> None:
    run_id = take_up(any_store, clock, "somebody elsewhere")
    assert looks(watcher, any_store, steady, LEASE) == []

    assert looks(watcher, any_store, steady, 10) == [run_id]


def test_a_sign_of_life_begins_the_lease_anew(
    any_store: Store, clock: FakeClock, watcher: Watcher, steady: Steady
) -> None:
    run_id = take_up(any_store, clock, "somebody elsewhere")
    looks(watcher, any_store, steady, LEASE)
    beat(any_store, "somebody elsewhere", [run_id], now_us=clock())

    assert looks(watcher, any_store, steady, LEASE) == []


def test_a_sign_of_life_of_somebody_else_keeps_nothing(
    any_store: Store, clock: FakeClock, watcher: Watcher, steady: Steady
) -> None:
    run_id = take_up(any_store, clock, "somebody elsewhere")
    looks(watcher, any_store, steady, LEASE)
    beat(any_store, "another", [run_id], now_us=clock())

    assert looks(watcher, any_store, steady, 10) == [run_id]


def test_no_leap_of_the_wall_clock_makes_a_run_look_lost(
    any_store: Store, clock: FakeClock, watcher: Watcher, steady: Steady
) -> None:
    take_up(any_store, clock, "somebody elsewhere")
    assert looks(watcher, any_store, steady, 10) == []
    clock.advance(400 * 86_400_000_000)

    assert looks(watcher, any_store, steady, 10) == []


def test_a_stop_of_all_makes_no_run_look_lost(
    any_store: Store, clock: FakeClock, watcher: Watcher, steady: Steady
) -> None:
    run_id = take_up(any_store, clock, "somebody elsewhere")
    assert looks(watcher, any_store, steady, 10) == []
    steady.at += 3_600  # the watcher was stopped, and so perhaps was the other one

    assert watcher.look(any_store) == []
    beat(any_store, "somebody elsewhere", [run_id], now_us=clock())
    assert looks(watcher, any_store, steady, LEASE) == []


def test_silence_counts_anew_after_a_time_in_which_nobody_could_write(
    any_store: Store, clock: FakeClock, watcher: Watcher, steady: Steady
) -> None:
    take_up(any_store, clock, "somebody elsewhere")
    looks(watcher, any_store, steady, LEASE)

    watcher.forget()

    assert looks(watcher, any_store, steady, LEASE) == []


def test_a_run_of_a_process_that_has_ended_is_abandoned_at_once(
    any_store: Store, clock: FakeClock, watcher: Watcher
) -> None:
    ended = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    owner = f"gone {process_of(ended.pid).to_json()}"
    run_id = take_up(any_store, clock, owner)
    assert watcher.look(any_store) == []

    ended.communicate(b"\n")

    assert [run.run_id for run in watcher.look(any_store)] == [run_id]


def test_a_run_of_this_process_is_not_abandoned(
    any_store: Store, clock: FakeClock, watcher: Watcher
) -> None:
    take_up(any_store, clock, new_owner())

    assert watcher.look(any_store) == []


@pytest.mark.parametrize("owner", ["", "no JSON", "x [1]", 'x ["", 1, ""]', "x {}"])
def test_an_owner_that_names_no_process_is_only_watched(
    any_store: Store, clock: FakeClock, watcher: Watcher, steady: Steady, owner: str
) -> None:
    run_id = take_up(any_store, clock, owner)

    assert watcher.look(any_store) == []
    assert looks(watcher, any_store, steady, LEASE + 10) == [run_id]


def test_what_an_abandoned_run_left_behind_is_killed(
    any_store: Store, clock: FakeClock, watcher: Watcher, steady: Steady
) -> None:
    take_up(any_store, clock, "somebody elsewhere")
    child = subprocess.Popen(
        [sys.executable, "-c", "import signal; signal.pause()"], start_new_session=True
    )
    looks(watcher, any_store, steady, LEASE)
    steady.at += 10
    [run] = watcher.look(any_store)

    end_child(run._replace(child=process_of(child.pid).to_json()))

    assert child.wait(5) == -9


def test_a_process_that_took_the_number_of_a_child_is_left_alone(
    any_store: Store, clock: FakeClock, watcher: Watcher, steady: Steady
) -> None:
    take_up(any_store, clock, "somebody elsewhere")
    looks(watcher, any_store, steady, LEASE)
    steady.at += 10
    [run] = watcher.look(any_store)
    other = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
    )
    machine, pid, _ = process_of(other.pid)

    end_child(run._replace(child=json.dumps([machine, pid, "1"])))

    other.communicate(b"\n")
    assert other.returncode == 0

"""Killed at any moment: what was acknowledged is there, and nothing that nobody asked for.

The short forms always run; loops of minutes carry the mark `soak`.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from itertools import pairwise
from pathlib import Path

import pytest

from oldhand.confirm.audit.verify import verify_chain
from oldhand.store import Query, Store, open_database
from oldhand.store.group_writer import GroupWriter

from .dying import Fallen, fall_at_each_step
from .office import Office
from .worker import STEPS, acknowledged, wanted, work, work_until_killed

SPAWN = multiprocessing.get_context("spawn")
REQUESTS = Query(
    "requests", *["SELECT id, idempotency_key, state, rev FROM requests"] * 2
)
LOG = Query(
    "log",
    *["SELECT request_id, kind FROM audit WHERE request_id IS NOT NULL ORDER BY seq"]
    * 2,
)
CHECK = Query("check", "PRAGMA integrity_check", "SELECT 'ok'")


@pytest.fixture
def said(tmp_path: Path) -> Path:
    file = tmp_path / "said"
    file.touch()
    return file


def hire(url: str) -> str:
    """Make the people and agents of an office."""
    store = open_database(url)
    Office(store)
    store.close()
    return url


def kill_often(url: str, said: Path, *, kills: int, least: int) -> None:
    """Start a worker, let it be told at least so much, and kill it, again and again."""
    chance = random.Random(kills)  # noqa: S311 - a moment, and no secret
    for number in range(kills):
        so_far = len(said.read_bytes())
        enough = so_far + 60 * (
            least + chance.randrange(20)
        )  # bytes of an answer and more
        worker = SPAWN.Process(
            target=work_until_killed, args=(url, str(said), f"w{number}")
        )
        worker.start()
        while said.stat().st_size < enough:
            worker.join(0.001 * chance.randrange(1, 6))
            assert worker.exitcode is None
        os.kill(worker.pid or 0, signal.SIGKILL)
        worker.join()


def check(store: Store, said: Path) -> int:
    """Hold the database against what was said; return how much was acknowledged."""
    rows = store.query_all(REQUESTS)
    log: dict[str, list[str]] = {}
    for request_id, kind in store.query_all(LOG):
        log.setdefault(request_id, []).append("pending" if kind == "asked" else kind)
    told, asked_for = acknowledged(said), wanted(said)
    lost = [(each, state) for each, state in told if state not in log.get(each, [])]
    assert lost == []
    assert len(told) == len(set(told))
    assert log.keys() == {row[0] for row in rows}
    for request_id, key, state, rev in rows:
        assert (key, state) in asked_for
        assert log[request_id] == list(STEPS[:rev])
        assert state == STEPS[rev - 1]
    assert verify_chain(store).is_intact
    assert store.query_all(CHECK) == [("ok",)]
    return len(told)


def check_that_it_goes_on(url: str, said: Path) -> int:
    """Open it again, hold it against what was said, and work some more."""
    store = open_database(url)
    count = check(store, said)
    with GroupWriter(store) as writer:
        work(store, writer, str(said), ["afterwards"])
    assert check(store, said) == count + len(STEPS)
    store.close()
    return count


def test_what_was_acknowledged_is_there_after_kills(tmp_path: Path, said: Path) -> None:
    url = hire(str(tmp_path / "oldhand.db"))

    kill_often(url, said, kills=4, least=40)

    assert check_that_it_goes_on(url, said) > 100


@pytest.mark.postgres
def test_what_was_acknowledged_in_postgres_is_there_after_kills(
    postgres_url: str, said: Path
) -> None:
    url = hire(postgres_url)

    kill_often(url, said, kills=3, least=40)

    assert check_that_it_goes_on(url, said) > 75


def test_an_acknowledgement_that_is_not_kept_is_found(
    tmp_path: Path, said: Path
) -> None:
    url = hire(str(tmp_path / "oldhand.db"))
    kill_often(url, said, kills=1, least=20)
    with said.open("a") as file:
        file.write("nobody approved\n")
    store = open_database(url)

    with pytest.raises(AssertionError, match="nobody"):
        check(store, said)

    store.close()


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "engine", ["file", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def test_a_hundred_kills_lose_none_of_twenty_thousand_acknowledgements(
    tmp_path: Path, said: Path, engine: str, request: pytest.FixtureRequest
) -> None:
    path = str(tmp_path / "oldhand.db")
    url = hire(path if engine == "file" else request.getfixturevalue("postgres_url"))

    kill_often(url, said, kills=120, least=220)

    assert check_that_it_goes_on(url, said) >= 20_000


def check_falls(found: list[Fallen]) -> None:
    """Hold what was found after each kill against what may be."""
    assert len(found) > 15
    assert {each.is_intact for each in found} == {True}
    assert {each.is_done_by_halves for each in found} == {False}
    assert {each.is_done_when_tried_again for each in found} == {True}
    done = [each.is_done for each in found]
    assert (done[0], done[-1]) == (False, True)
    assert all(later >= earlier for earlier, later in pairwise(done))


@pytest.mark.parametrize(("what", "every"), [("policy", 7), ("checkpoint", 2)])
def test_killed_at_many_steps_it_is_done_or_not(
    tmp_path: Path, what: str, every: int
) -> None:
    check_falls(fall_at_each_step(tmp_path, what, every=every))


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("what", ["policy", "checkpoint"])
def test_killed_at_each_step_it_is_done_or_not(tmp_path: Path, what: str) -> None:
    check_falls(fall_at_each_step(tmp_path, what))


def test_a_change_by_halves_would_be_found(tmp_path: Path) -> None:
    found = fall_at_each_step(tmp_path, "naive policy", every=20)

    assert True in {each.is_done_by_halves for each in found}

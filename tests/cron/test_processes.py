"""Processes: known for what they are, and ended with what they started."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from oldhand.cron.processes import (
    Process,
    family_of,
    process_from,
    process_of,
    started_of,
)

STARTS_OTHERS = """
import subprocess, sys
sleep = ["sleep", "600"]
near = subprocess.Popen(sleep)
far = subprocess.Popen(sleep, start_new_session=True)
print(near.pid, far.pid, flush=True)
near.wait()
"""


@pytest.fixture
def family() -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    made = subprocess.Popen(
        [sys.executable, "-c", STARTS_OTHERS],
        stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    with made:
        assert made.stdout is not None
        yield made, [int(pid) for pid in made.stdout.readline().split()]
        made.kill()


def test_a_process_is_known_until_it_ends() -> None:
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as made:
        process = process_of(made.pid)
        assert process_from(process.to_json()) == process
        assert not process.is_gone
        assert process._replace(started="1").is_gone  # its number was given to another
        assert not process._replace(machine="elsewhere", started="1").is_gone
    assert process.is_gone


@pytest.mark.parametrize(
    "text", ["", "x", "[]", "[1, 2]", "5", '["m", "x", "1"]', "null"]
)
def test_what_names_no_process_is_none(text: str) -> None:
    assert process_from(text) is None


def test_a_process_is_killed_with_all_that_it_started(
    family: tuple[subprocess.Popen[str], list[int]],
) -> None:
    made, pids = family

    assert sorted(each.pid for each in family_of(made.pid)) == sorted(pids)
    assert process_of(made.pid).kill_group()

    made.wait()
    for pid in pids:
        while (found := started_of(pid)) is not None:
            assert found  # ended soon, by whoever adopts it
    assert not process_of(made.pid).kill_group()


def test_one_that_leads_no_group_is_left_alone() -> None:
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as made:
        assert not process_of(made.pid).kill_group()
        assert made.poll() is None


def test_this_process_is_nobodys_to_kill() -> None:
    me = process_of(os.getpid())

    assert not Process(me.machine, me.pid, "0").kill_group()

"""A scheduled run cannot schedule more, whatever its child does to its environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from oldhand.clock import system_clock
from oldhand.cron.claims import claim
from oldhand.cron.jobs import create_job, trigger_job
from oldhand.cron.model import JobSpec
from oldhand.cron.nesting import refuse_inside_run
from oldhand.cron.processes import process_of
from oldhand.errors import Forbidden
from oldhand.store import Queries, Store, open_database

_SQL = Queries("oldhand.cron")
_ASK = """
import os, sys
if os.getsid(0) != os.getpid():
    os.setpgrp()  # by its group it is not to be found
from oldhand.cron.nesting import refuse_inside_run
from oldhand.errors import Forbidden
from oldhand.store import open_database

try:
    refuse_inside_run(open_database(sys.argv[1]), "", doing="make a job")
except Forbidden as fault:
    print(fault)
"""


@pytest.fixture
def url(tmp_path: Path) -> str:
    return str(tmp_path / "oldhand.db")


def run_of_child(store: Store, pid: int) -> int:
    """Put a run on record that goes on, and whose child is a process."""
    job = create_job(store, JobSpec("Look", "daily 09:00", zone="UTC"))
    run_id = trigger_job(store, job.uid)
    claim(store, "somebody", limit=1, now_us=system_clock() + 1_000_000)
    child = {"run_id": run_id, "owner": "somebody", "child": process_of(pid).to_json()}
    assert store.execute(_SQL["set_child"], child)
    return run_id


def test_what_the_environment_says_is_believed(store: Store) -> None:
    with pytest.raises(Forbidden, match="scheduled run 7: a run may not make a job"):
        refuse_inside_run(store, "7", doing="make a job")


def test_who_is_in_no_run_may_schedule(store: Store) -> None:
    refuse_inside_run(store, "", doing="make a job")


def test_a_process_below_a_runs_child_is_found_without_the_variable(url: str) -> None:
    store = open_database(url)
    run_id = run_of_child(store, os.getpid())

    said = subprocess.run(
        [sys.executable, "-c", _ASK, url],
        capture_output=True,
        text=True,
        check=True,
        start_new_session=True,
    ).stdout

    store.close()
    assert said.startswith(f"this is scheduled run {run_id}:")


def test_who_was_adopted_is_found_by_its_session(url: str) -> None:
    """What asks was started by a shell that has ended, so that its parent is another."""
    store = open_database(url)
    script = 'read go; ( { sleep 0.3; exec "$@"; } & ); read stop'
    words = ["sh", "-c", script, "sh", sys.executable, "-c", _ASK, url]
    with subprocess.Popen(
        words, stdin=-1, stdout=-1, text=True, start_new_session=True
    ) as leader:
        assert leader.stdin is not None
        assert leader.stdout is not None
        run_id = run_of_child(store, leader.pid)
        leader.stdin.write("go\n")
        leader.stdin.flush()
        said = leader.stdout.readline()
        leader.stdin.write("stop\n")

    store.close()
    assert f"scheduled run {run_id}" in said


def test_a_run_elsewhere_forbids_nothing_here(store: Store) -> None:
    run_of_child(store, os.getpid())
    elsewhere = process_of(os.getpid())._replace(machine="another/boot")
    row = {"run_id": 1, "owner": "somebody", "child": elsewhere.to_json()}
    store.execute(_SQL["set_child"], row)

    refuse_inside_run(store, "", doing="make a job")

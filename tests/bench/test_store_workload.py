"""The workload is the same for every store, and every driver answers alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from bench.peer_drivers.contract import WARMING_MESSAGES, WARMING_SEED
from bench.peers import PEERS, ROOT, PeerMissing, install
from bench.store_runs import FLOOR, OURS, DriverFailed, Store, ask, write_together
from bench.store_table import Row, table
from bench.store_workload import MAX_MESSAGES, Workload, text_bytes

# Reading a peer's package takes seconds, and more where tests run side by side.
BUILT = [
    pytest.param(Store.of_peer(peer), marks=pytest.mark.timeout(90), id=peer.name)
    for peer in PEERS
    if peer.python.exists()
]
OWN = [pytest.param(store, id=store.name) for store in (FLOOR, OURS)]


def test_the_same_seed_draws_the_same_sessions_and_queries() -> None:
    first, second = Workload(5), Workload(5)

    assert list(first.sessions(5)) == list(second.sessions(5))
    assert first.queries(9) == second.queries(9)


def test_another_process_draws_the_same_sessions() -> None:
    program = (
        "import json; from bench.store_workload import Workload;"
        "print(json.dumps([session.messages for session in Workload(5).sessions(2)]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": os.defpath, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77"},
        capture_output=True,
        check=True,
    )

    here = [session.messages for session in Workload(5).sessions(2)]

    assert json.loads(run.stdout) == here


def test_two_seeds_share_no_session() -> None:
    uids = [s.uid for seed in (1, 2) for s in Workload(seed).sessions(3)]

    assert len(set(uids)) == 6


def test_sessions_have_the_lengths_that_are_promised() -> None:
    lengths = [len(session.messages) for session in Workload().sessions(150)]

    assert min(lengths) >= 2
    assert max(lengths) <= MAX_MESSAGES
    assert 70 <= sum(lengths) / len(lengths) <= 130


def test_every_result_follows_the_call_that_it_answers() -> None:
    messages = Workload().session(0, MAX_MESSAGES).messages

    pairs = [(a, b) for a, b in pairwise(messages) if b["role"] == "tool"]
    assert len(pairs) > 50
    for call, result in pairs:
        (made,) = call["tool_calls"]
        assert made["id"] == result["tool_call_id"]
        assert isinstance(json.loads(made["function"]["arguments"]), dict)


def test_what_was_said_is_the_text_and_the_arguments() -> None:
    call = {"id": "c", "function": {"name": "tool", "arguments": '{"a": 1}'}}
    message: dict[str, Any] = {"role": "assistant", "content": "né"}

    assert text_bytes(message) == 3
    assert text_bytes(message | {"tool_calls": [call]}) == 11


@pytest.mark.parametrize("store", [*OWN, *BUILT])
def test_a_driver_appends_every_message_and_tells_the_times(
    store: Store, tmp_path: Path
) -> None:
    answer = ask(store, "append", tmp_path / "sessions.db", seed=1, sessions=1)

    (session,) = Workload(1).sessions(1)
    assert answer["count"] == len(session.messages)
    warming = Workload(WARMING_SEED).session(0, WARMING_MESSAGES)
    stored = [*warming.messages, *session.messages]
    assert answer["stored"] == len(stored)
    assert answer["text_bytes"] == sum(map(text_bytes, stored))
    assert 0 < answer["p50_us"] <= answer["p95_us"] <= answer["p99_us"]
    assert answer["p99_us"] <= answer["max_us"]


@pytest.mark.parametrize("store", OWN)
def test_a_driver_loads_what_it_appended(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"

    answer = ask(store, "load", path, seed=1, messages=9, rounds=3)

    assert answer["count"] == 3


def test_writers_start_together_and_each_message_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"

    done = write_together(OURS, path, processes=2, messages=5)

    assert (done.acknowledged, done.errors) == (10, [])
    assert ask(OURS.library(), "count", path) == {"messages": 11}


def test_a_driver_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(DriverFailed, match="KeyError"):
        ask(OURS, "no such task", tmp_path / "sessions.db")


def test_a_peer_that_does_not_take_this_python_is_named_and_left_out() -> None:
    peer = PEERS[0]._replace(before_python=(3, 0))

    with pytest.raises(PeerMissing, match=r"a Python before 3\.0"):
        install(peer)


def test_pins_name_hashes_and_no_address() -> None:
    for peer in PEERS:
        text = peer.requirements.read_text()

        assert "--hash=sha256:" in text
        assert "://" not in text
        assert "--index" not in text


@pytest.mark.parametrize(
    ("row", "is_met"),
    [
        (Row(what="", unit="", ours=2, beside="x", theirs=20, at_least=10), True),
        (Row(what="", unit="", ours=2, beside="x", theirs=19, at_least=10), False),
        (
            Row(
                what="", unit="", ours=3, beside="x", theirs=2, says="part", at_most=1.5
            ),
            True,
        ),
        (Row(what="", unit="", ours=31, at_most=30), False),
        (Row(what="", unit="", ours=0, at_most=0), True),
        (Row(what="", unit="", beside="x", theirs=2, at_least=1), None),
        (Row(what="", unit="", ours=3, beside="x", theirs=2), None),
    ],
)
def test_an_aim_is_met_by_the_ratio_or_by_our_figure_alone(
    row: Row, is_met: bool | None
) -> None:
    assert row.is_met is is_met


def test_the_table_says_no_where_an_aim_is_missed() -> None:
    row = Row(what="load", unit="ms", ours=2, beside="x", theirs=4, at_least=10)

    (_, line) = table([row]).splitlines()

    assert line.split() == [
        "load",
        "2",
        "ms",
        "x",
        "4",
        "ms",
        "2",
        "x",
        ">=",
        "10",
        "NO",
    ]

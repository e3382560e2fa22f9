"""The confirmation daemon beside the first design: one run, one client, ratios.

Ours is durable, chained, authenticated and under the default policy, with its rate limit
off; the first design is durable and nothing else. Each server is a process of its own on
one core, the client another on the next; the two take turns, and the ratio is that of the
rounds of a pair, the median of them. `--quick` takes half a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.peers import DRIVERS, FIRST_DESIGN, ROOT, PeerMissing, install
from bench.store_sizes import database
from bench.store_table import Row, table
from oldhand.clock import system_clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.audit.verify import verify_chain
from oldhand.confirm.policy import Asked, decide, read_policy
from oldhand.store import open_database

Answer = dict[str, Any]
_TICKS = os.sysconf("SC_CLK_TCK")
_RULES = 1_000
_WAITERS = 1_000
_AIMS = {32: 2, 128: 3}
NOTES = """
A request is a submit, an approve or a status; two of three are durable. Both databases on
disk, WAL with synchronous=FULL. Processor time is the server's, all threads, for a request.
Waiters: long polls, each on a connection of its own; the time from sending a decision to its
waiter's answer. 1,000 rules: 800 by action, 100 by a glob, 100 by a shell pattern; one
decision, processor time. Verify: rows of the log a second of processor time, from disk."""


class Sizes(NamedTuple):
    """How much is done.

    Attributes:
        rounds: Pairs of one server and the other.
        seconds: Of each.
        decisions: While 1,000 wait.
        rows: Of the log that is verified.
    """

    rounds: int
    seconds: float
    decisions: int
    rows: int


FULL = Sizes(7, 3, 300, 100_000)
QUICK = Sizes(3, 1.5, 100, 20_000)


class Server(NamedTuple):
    """A program that serves a database."""

    title: str
    python: Path
    driver: Path


OURS = Server("oldhand", Path(sys.executable), DRIVERS / "confirmation.py")


def main() -> None:
    """Measure, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="half a minute")
    sizes = QUICK if parser.parse_args().quick else FULL
    print(
        f"{sizes.rounds} pairs of {sizes.seconds:g} s; {sizes.rows:,} rows verified\n"
    )
    parts: tuple[Callable[[Sizes], Iterator[Row]], ...]
    parts = (_flows, _waiters, _rules, _verifying)
    print(table([row for part in parts for row in part(sizes)]))
    print(NOTES)


def _flows(sizes: Sizes) -> Iterator[Row]:
    """Compare submit, approve, status at each number of connections."""
    try:
        install(FIRST_DESIGN)
    except PeerMissing as fault:
        yield Row(what="submit, approve, status", unit="", note=f"left out: {fault}")
        return
    theirs = Server(FIRST_DESIGN.title, FIRST_DESIGN.python, FIRST_DESIGN.driver)
    for connections, aim in _AIMS.items():
        pairs = [
            [_flow(each, connections, sizes.seconds) for each in (OURS, theirs)]
            for _ in range(sizes.rounds)
        ]
        yield from _flow_rows(connections, aim, pairs)


def _flow_rows(
    connections: int, aim: float, pairs: list[list[Answer]]
) -> Iterator[Row]:
    def middle(name: str, at: int) -> float:
        return float(statistics.median(pair[at][name] for pair in pairs))

    ratio = statistics.median(a["per_second"] / b["per_second"] for a, b in pairs)
    rates = [a["per_second"] / b["per_second"] for a, b in pairs]
    theirs = middle("per_second", 1)
    yield Row(
        what=f"{connections} connections, requests a second",
        unit="", ours=theirs * ratio, beside="first design", theirs=theirs, says="part",
        at_least=aim, note=f"pairs from {min(rates):.2f} to {max(rates):.2f} x",
    )  # fmt: skip
    for what, name, unit in (
        ("… 99th percentile", "p99_ms", "ms"),
        ("… processor time for a request", "cpu_us", "us"),
    ):
        yield Row(
            what=what, unit=unit, ours=middle(name, 0), beside="first design",
            theirs=middle(name, 1),
        )  # fmt: skip


def _flow(server: Server, connections: int, seconds: float) -> Answer:
    with _serving(server) as (said, process):
        _client("flow", said, connections=connections, seconds=0.3)  # warm
        before = _cpu_seconds(process.pid)
        answer = _client("flow", said, connections=connections, seconds=seconds)
        worked = _cpu_seconds(process.pid) - before
    return answer | {"cpu_us": worked / answer["requests"] * 1e6}


def _waiters(sizes: Sizes) -> Iterator[Row]:
    with _serving(OURS) as (said, _):
        answer = _client("wait", said, waiters=_WAITERS, decisions=sizes.decisions)
    what = f"decision to waiter, {_WAITERS:,} waiting"
    yield Row(what=f"{what}, median", unit="ms", ours=answer["p50_ms"])
    yield Row(
        what=f"{what}, 99th percentile", unit="ms", ours=answer["p99_ms"], at_most=10
    )


def _rules(_: Sizes) -> Iterator[Row]:
    policy = read_policy("version = 1\n" + "".join(map(_rule, range(_RULES))))
    asked = [
        Asked("action_790", {"env": "prod"}),
        Asked("Bash", {"command": "make test && git status -s | head"}),
        Asked("something_else", {"path": "/srv/data/a.txt"}),
    ]
    for each in asked:
        taken = _least_us(partial(decide, policy, each), 300)
        yield Row(
            what=f"a decision by {_RULES:,} rules, {each.action}", unit="us", ours=taken,
            at_most=100,
        )  # fmt: skip


def _rule(number: int) -> str:
    kind = number % 10
    match = f'action = "action_{number}"'
    if kind == 8:
        match = f'action = "*_{number}_*", details.env = "prod"'
    if kind == 9:
        match = (
            f'action = "Bash", details.command = {{ shell_any = ["tool{number} *"] }}'
        )
    effect = ("ask", "deny")[number % 2]
    return f'[[rule]]\nid = "r{number}"\neffect = "{effect}"\nmatch = {{ {match} }}\n'


def _verifying(sizes: Sizes) -> Iterator[Row]:
    with database(on_disk=True) as path:
        store = open_database(str(path))
        with store.transaction():
            chain = Chain(store, system_clock)
            for number in range(sizes.rows):
                chain.append(
                    "asked", principal="bot", request_id=f"{number:026}",
                    action="restart_worker", digest="0" * 64, rule="default", policy=1,
                )  # fmt: skip
        taken = _least_us(lambda: verify_chain(store), 3) / 1e6
        store.close()
    yield Row(
        what="verified rows a second", unit="", ours=sizes.rows / taken, at_least=50_000
    )


def _least_us(work: Callable[[], object], rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken) * 1e6


@contextmanager
def _serving(server: Server) -> Iterator[tuple[Answer, subprocess.Popen[str]]]:
    """Run a server on a database of its own, on the first core; give what it said."""
    with database(on_disk=True) as path:
        process = subprocess.Popen(
            [server.python, "-P", server.driver, path],
            env={"HOME": str(path.parent), "PATH": os.defpath, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        _pin(process.pid, 0)
        try:
            if process.stdout is None:
                raise RuntimeError("no pipe")
            yield json.loads(process.stdout.readline()), process
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()


def _client(task: str, said: Answer, **arguments: Any) -> Answer:  # noqa: ANN401 - JSON
    """Run the client on the last core; return what it measured."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.confirm_client", task, json.dumps(said),
         json.dumps(arguments)],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    _pin(process.pid, -1)
    out, _ = process.communicate(timeout=300)
    if process.returncode:
        raise RuntimeError(f"the client of {task} failed")
    found: Answer = json.loads(out)
    return found


def _pin(pid: int, core: int) -> None:
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(pid, {cores[core]})


def _cpu_seconds(pid: int) -> float:
    """Return the processor time of a process; 0 where the system does not say it so."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


if __name__ == "__main__":
    main()

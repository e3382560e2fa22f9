"""A process that asks, approves, uses and reports for ever, and says what is durable.

It writes to a file: `? KEY STATE` before it asks the daemon's writer for something, and
`ID STATE` when the writer has acknowledged it. One system call a line, so that a line is
there or not.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

from oldhand.clock import system_clock
from oldhand.confirm.model import Request, Rules
from oldhand.confirm.principals import find_principal
from oldhand.confirm.requests.consume import consume, report_result
from oldhand.confirm.requests.decide import approve
from oldhand.confirm.requests.facts import check_draft
from oldhand.confirm.requests.submit import submit
from oldhand.store import Store, open_database
from oldhand.store.group_writer import GroupWriter

THREADS = 4
STEPS = ("pending", "approved", "consumed", "succeeded")
_RULES = Rules(per_hour=0, max_pending=0)
_DETAILS = {"command": "systemctl restart worker", "count": 7}


def work_until_killed(url: str, said: str, name: str) -> None:
    """Work in several threads over one writer."""
    store = open_database(url)
    with GroupWriter(store) as writer:
        threads = [
            threading.Thread(
                target=work,
                args=(
                    store,
                    writer,
                    said,
                    map(f"{name}-{number}-{{}}".format, count()),
                ),
            )
            for number in range(THREADS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def work(store: Store, writer: GroupWriter, said: str, keys: Iterable[str]) -> None:
    """Take a request for each key through all of its states."""
    line = os.open(said, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for key in keys:
        for part, state in zip(_parts(key), STEPS, strict=True):
            os.write(line, f"? {key} {state}\n".encode())
            done = writer.write(part)
            os.write(line, f"{done.id} {done.state}\n".encode())
    os.close(line)


def _parts(key: str) -> Iterable[Callable[[Store], Request]]:
    seen: list[Request] = []

    def ask(store: Store) -> Request:
        bot = find_principal(store, "bot")
        draft = check_draft(
            {"action": "restart", "details": _DETAILS}, idempotency_key=key
        )
        seen.append(
            submit(store, draft, requester=bot, rules=_RULES, clock=system_clock)
        )
        return seen[-1]

    def say_yes(store: Store) -> Request:
        return approve(
            store, seen[-1].id, by=find_principal(store, "ben"), rev=seen[-1].rev,
            digest=seen[-1].digest, via="test", clock=system_clock,
        )  # fmt: skip

    def use(store: Store) -> Request:
        return consume(
            store, seen[-1].id, by=find_principal(store, "bot"), action="restart",
            details=_DETAILS, clock=system_clock, sign=lambda _: bytes(64),
        ).request  # fmt: skip

    def report(store: Store) -> Request:
        bot = find_principal(store, "bot")
        return report_result(
            store, seen[-1].id, by=bot, is_success=True, clock=system_clock
        )

    return (ask, say_yes, use, report)


def acknowledged(said: Path) -> list[tuple[str, str]]:
    """Return the ids and states that were acknowledged; a line cut short is none."""
    lines = (line.split() for line in _lines(said))
    return [(words[0], words[1]) for words in lines if words[0] != "?"]


def wanted(said: Path) -> set[tuple[str, str]]:
    """Return the keys and states that were asked for."""
    lines = (line.split() for line in _lines(said))
    return {(words[1], words[2]) for words in lines if words[0] == "?"}


def _lines(said: Path) -> list[str]:
    return said.read_text().split("\n")[:-1]

"""What the daemon does by itself."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from oldhand.confirm.audit.checkpoint import read_checkpoints
from oldhand.confirm.audit.clock_steps import write_steps
from oldhand.confirm.audit.read import read_audit
from oldhand.confirm.moments import SteadyClock
from oldhand.confirm.principals import find_principal
from oldhand.confirm.requests.read import find_request
from oldhand.store import Store
from oldhand.testing import FakeClock
from oldhand.web.refusals import MOST_KINDS, Refusals
from oldhand.web.server import Parts

from .daemon import Daemon, running

POLICY = 'version = 1\ndefault = "ask"\n[[rule]]\nid = "{id}"\n'
POLICY += 'match = {{ action = "read_file" }}\neffect = "allow"\n'


def until(is_so: Callable[[], bool]) -> None:
    """Wait for what the daemon does each second or so."""
    give_up_at = time.monotonic() + 15
    while not is_so():
        assert time.monotonic() < give_up_at, "it did not come"
        time.sleep(0.05)


def rows(store: Store, kind: str) -> list[dict[str, Any]]:
    return [dict(row.body) for row in read_audit(store, kind=kind)]


def health(daemon: Daemon) -> dict[str, Any]:
    found: dict[str, Any] = daemon.nobody.get("/health").json()
    return found


def test_the_policys_file_holds_and_so_does_its_change(
    file_store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(POLICY.format(id="first"))
    with running(file_store, parts=Parts(policy_file=file)) as daemon:
        bot, eve = daemon.agent(), daemon.person()
        body = {"action": "read_file", "details": {}}
        first = bot.post("/confirm", body).json()["rule"]
        file.write_text(POLICY.format(id="second"))
        until(lambda: eve.get("/policy").json()["version"] == 2)
        second = bot.post("/confirm", body).json()["rule"]
        put = eve.call("PUT", "/policy", body={"text": "version = 1"})

    assert (first, second) == ("first", "second")
    assert put.status == 409


def test_a_bad_file_keeps_the_policy_and_says_so(
    file_store: Store, tmp_path: Path, caplog: Any
) -> None:
    caplog.set_level("INFO", "oldhand")
    file = tmp_path / "policy.toml"
    file.write_text(POLICY.format(id="good"))
    with running(file_store, parts=Parts(policy_file=file)) as daemon:
        file.write_text("version = ")
        until(lambda: health(daemon)["status"] == "degraded")
        shown = health(daemon), daemon.person().get("/policy").json()
        body = {"action": "read_file", "details": {}}
        passed = daemon.agent().post("/confirm", body)
        file.write_text(POLICY.format(id="good-again"))
        until(lambda: health(daemon)["status"] == "ok")
        file.write_text("version = ")
        until(lambda: health(daemon)["status"] == "degraded")
        file.unlink()
        until(lambda: health(daemon)["status"] == "ok")

    assert shown[0]["faults"] == ["policy"]
    assert "policy.toml" in shown[1]["fault"]
    assert passed.json()["rule"] == "good"
    assert len(rows(file_store, "policy_refused")) == 2
    assert "the policy stays as it was" in caplog.text
    assert "holds, as version 2 of the policy" in caplog.text


def test_a_policy_that_everybody_may_change_does_not_hold(
    file_store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(POLICY.format(id="anybodys"))
    file.chmod(0o666)
    with running(file_store, parts=Parts(policy_file=file)) as daemon:
        body = {"action": "read_file", "details": {}}
        asked = daemon.agent().post("/confirm", body)
        faults = health(daemon)["faults"]
        file.chmod(0o664)
        until(lambda: health(daemon)["status"] == "ok")
        passed = daemon.agent().post("/confirm", body)

    assert (asked.status, faults) == (202, ["policy"])
    assert passed.status == 200


def test_a_pipe_for_a_policy_stops_nothing(file_store: Store, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "policy.toml")
    parts = Parts(policy_file=tmp_path / "policy.toml")
    with running(file_store, parts=parts) as daemon:
        assert health(daemon)["faults"] == ["policy"]


def test_refusals_are_counted_in_the_log(file_store: Store) -> None:
    with running(file_store) as daemon:
        for _ in range(7):
            daemon.agent().get("/audit")
        daemon.nobody.get("/confirm")
        daemon.nobody.get("/health", Host="evil.example")

    refused = read_audit(file_store, kind="refused")
    found = {(row.principal, row.body["code"]): row.body["times"] for row in refused}
    assert found == {
        ("bot", "forbidden"): 7,
        (None, "unauthenticated"): 1,
        (None, "wrong_host"): 1,
    }


def test_refusals_take_a_bounded_room() -> None:
    refusals = Refusals()
    for number in range(MOST_KINDS * 3):
        refusals.note("forbidden", f"agent-{number}")
    refusals.note("bad_field", "bot")

    taken = refusals.take()

    assert len(taken) <= MOST_KINDS + 1
    assert sum(each.times for each in taken) == MOST_KINDS * 3
    assert refusals.take() == []


def test_checkpoints_are_written_outside(file_store: Store, tmp_path: Path) -> None:
    file = tmp_path / "checkpoints.jsonl"
    with running(file_store, parts=Parts(checkpoints_file=file)) as daemon:
        daemon.ask()
        until(file.exists)
        verdict = daemon.person().get("/audit/verify").json()

    assert verdict["intact"] is True
    assert verdict["checkpoints"] >= 1
    assert read_checkpoints(file)[-1].seq >= 5  # the last is made on stopping


def test_a_log_cut_from_the_end_is_found_by_the_checkpoint_outside(
    file_store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "checkpoints.jsonl"
    with running(file_store, parts=Parts(checkpoints_file=file)) as daemon:
        until(file.exists)
        line = json.loads(file.read_text().splitlines()[0])
        forged = line | {"seq": line["seq"] + 100}
        file.write_text(json.dumps(forged) + "\n")
        verdict = daemon.person().get("/audit/verify").json()

    assert verdict["intact"] is False
    assert "was not signed by this key" in verdict["fault"]


def test_a_checkpoints_file_that_cannot_be_written_is_told(
    file_store: Store, tmp_path: Path
) -> None:
    with running(file_store, parts=Parts(checkpoints_file=tmp_path)) as daemon:
        until(lambda: "checkpoints" in health(daemon)["faults"])
        answered = daemon.agent().get("/confirm")

    assert answered.status == 200


def test_a_leap_of_the_clock_expires_what_waits(any_store: Store) -> None:
    clock = FakeClock()
    with running(any_store, clock=clock) as daemon:
        waiting = daemon.ask(timeout_seconds=3600)
        approved = daemon.ask()
        daemon.approve(approved)

    expired = write_steps(any_store, [-5_000_000, 400_000_000], clock=clock)

    bot = find_principal(any_store, "bot")
    found = find_request(any_store, waiting["id"], by=bot)
    assert expired == [waiting["id"]]
    assert (found.state, found.reason) == ("expired", "clock_jump")
    assert find_request(any_store, approved["id"], by=bot).state == "approved"
    assert rows(any_store, "clock_set_back") == [{"seconds": 5}]
    assert rows(any_store, "clock_leapt") == [{"seconds": 400}]


def test_a_clock_set_back_over_a_restart_lets_nothing_live_longer(
    any_store: Store,
) -> None:
    day_us = 86_400_000_000
    before, now, counter = FakeClock(), FakeClock(), FakeClock()
    before.advance(day_us)
    with running(any_store, clock=before) as daemon:
        waiting, approved = daemon.ask(), daemon.ask()
        daemon.approve(approved)

    clock = SteadyClock(now, counter=counter)  # it stands a day before that again
    with running(any_store, clock=clock) as daemon:
        bot = find_principal(any_store, "bot")

        def states() -> set[str]:
            ids = (waiting["id"], approved["id"])
            return {find_request(any_store, each, by=bot).state for each in ids}

        assert states() == {"pending", "approved"}
        until(lambda: clock() >= before())
        now.advance(301_000_000)
        counter.advance(301_000_000_000)
        until(lambda: states() == {"expired", "lapsed"})


def test_a_clock_set_back_while_a_request_waits_lets_nobody_decide_late(
    any_store: Store,
) -> None:
    wall, counter = FakeClock(), FakeClock()
    clock = SteadyClock(wall, counter=counter)
    with running(any_store, clock=clock) as daemon:
        waiting = daemon.ask(timeout_seconds=60)
        in_time = daemon.ask(timeout_seconds=60)
        eve = daemon.person()
        answers: list[str] = []
        path = f"/confirm/{waiting['id']}?wait=15"
        agent = daemon.agent()
        waiter = threading.Thread(
            target=lambda: answers.append(agent.get(path).json()["status"])
        )
        waiter.start()
        until(lambda: daemon.server.waiting_count == 1)

        counter.advance(50_000_000_000)
        wall.advance(-3_600_000_000)  # somebody sets it back an hour, at 50 seconds
        assert daemon.approve(in_time).status == 200
        counter.advance(11_000_000_000)
        wall.advance(11_000_000)
        late = daemon.approve(waiting)
        waiter.join(15)
        shown = eve.get(f"/confirm/{waiting['id']}").json()
        until(lambda: bool(rows(any_store, "clock_set_back")))

    assert (late.status, late.json()["why"]) == (409, "expired")
    assert answers == ["expired"]
    assert shown["status"] == "expired"
    assert shown["expires_epoch"] - shown["created_epoch"] == 60
    assert 3_500 < rows(any_store, "clock_set_back")[0]["seconds"] < 3_700

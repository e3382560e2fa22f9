"""`oldhand jobs`: what became of a result stands beside how the run went."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand.cli.jobs_page import delivery_of
from oldhand.clock import system_clock
from oldhand.cron.delivery import Delivery
from oldhand.store import Query, open_database

from .conftest import Run
from .fake_claude import path_with, put_claude

_GIVE_UP = Query(
    "give_up", *["UPDATE outbox SET state = 'given_up', finished_at_us = :now"] * 2
)


@pytest.fixture
def agent(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    put_claude(home / "bin")
    monkeypatch.setenv("PATH", path_with(home / "bin"))
    monkeypatch.delenv("OLDHAND_RUN", raising=False)
    return home


@pytest.mark.usefixtures("agent")
def test_a_result_that_arrived_is_not_sent_again(run: Run) -> None:
    run("jobs", "add", "Look", "--schedule", "@daily", "--deliver", "all")
    run("jobs", "trigger", "Look")
    ticked = run("jobs", "tick")

    again = run("jobs", "runs", "--redeliver", "1")

    assert "sent to log" in ticked.out
    assert again.code == 4
    assert "it was delivered to all" in again.err


@pytest.mark.usefixtures("agent")
def test_a_result_that_did_not_arrive_is_sent_again(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(
        "OLDHAND_DISCORD_WEBHOOK", "https://discord.invalid/api/webhooks/1/x"
    )
    added = run("jobs", "add", "Look", "--schedule", "@daily", "--deliver", "discord")
    run("jobs", "trigger", "Look")
    ticked = run("jobs", "tick")
    store = open_database(str(home / ".oldhand" / "oldhand.db"))
    store.execute(_GIVE_UP, (system_clock(),))
    store.close()

    failed = run("jobs", "runs")
    again = run("jobs", "runs", "--redeliver", "1")

    assert added.code == 0
    assert "failed, log has it: discord" in failed.out
    assert "succeeded" in ticked.out
    assert "waiting, log has it: discord" in ticked.out
    assert again.code == 0
    assert "run 1: waiting" in again.err
    assert run("jobs", "runs", "--json").rows[0]["state"] == "succeeded"


@pytest.mark.usefixtures("agent")
def test_a_job_that_delivers_nothing_has_nothing_to_send_again(run: Run) -> None:
    run("jobs", "add", "Look", "--schedule", "@daily")
    run("jobs", "trigger", "Look")
    run("jobs", "tick")

    said = run("jobs", "runs", "--redeliver", "1")

    assert said.code == 3
    assert "there is no message of it" in said.err


SAID = [
    (Delivery("none"), "\N{EN DASH}"),
    (Delivery("silent"), "silent"),
    (Delivery("sent", "", ("telegram",)), "sent to telegram"),
    (Delivery("failed", "telegram: 403", ()), "failed: telegram: 403"),
    (
        Delivery("waiting", "telegram: 403", ("log",)),
        "waiting, log has it: telegram: 403",
    ),
]


@pytest.mark.parametrize(("delivery", "said"), SAID)
def test_a_delivery_is_told_in_a_few_words(delivery: Delivery, said: str) -> None:
    assert delivery_of(delivery) == said

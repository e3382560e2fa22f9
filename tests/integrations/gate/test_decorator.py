"""`@requires_confirmation`: with what the function runs, and when it does not."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

import oldhand
from oldhand.errors import ConfirmationDenied, Forbidden, InvalidInput, Unreachable
from oldhand.integrations.gate.client import ConfirmationClient

from .conftest import impatient
from .daemon import Daemon


class Answering(ConfirmationClient):
    """A client at whose daemon a person decides as soon as something is asked."""

    daemon: Daemon
    decision: dict[str, Any]
    asked: list[str]

    def wait(self, request_id: str, *, seconds: float) -> Any:
        """Let a person decide, then wait."""
        self.asked.append(request_id)
        self.daemon.decide(request_id, **self.decision)
        return super().wait(request_id, seconds=seconds)


@pytest.fixture
def answering(daemon: Daemon) -> Answering:
    """Make such a client; by default the person says yes."""
    client = Answering(daemon.url, daemon.token)
    client.daemon, client.decision, client.asked = daemon, {}, []
    return client


def test_the_arguments_are_the_details(daemon: Daemon, answering: Answering) -> None:
    @oldhand.requires_confirmation(client=answering, target=lambda order, *_: order)
    def give_back(order: str, amount: int = 5, *notes: str) -> tuple[Any, ...]:
        return order, amount, notes

    assert give_back("a1") == ("a1", 5, ())

    request = daemon.find(answering.asked[0])
    assert (request.action, request.target) == ("give_back", "a1")
    assert request.details == {"order": "a1", "amount": 5, "notes": []}


def test_it_runs_with_what_a_person_wrote_instead(answering: Answering) -> None:
    @oldhand.requires_confirmation(action="deploy", client=answering)
    def deploy(env: str, *flags: str) -> tuple[str, tuple[str, ...]]:
        return env, flags

    answering.decision = {"details": {"env": "stage", "flags": ["-n"]}}

    assert deploy("prod") == ("stage", ("-n",))


def test_denied_it_does_not_run(answering: Answering) -> None:
    @oldhand.requires_confirmation(client=answering)
    def deploy() -> None:
        pytest.fail("it ran")

    answering.decision = {"is_yes": False, "reason": "No."}

    with pytest.raises(Forbidden) as fault:
        deploy()
    assert isinstance(fault.value, ConfirmationDenied)
    assert "No." in fault.value.message_for_model


def test_an_argument_that_a_person_cannot_be_shown_is_refused(
    answering: Answering,
) -> None:
    @oldhand.requires_confirmation(client=answering)
    def use(thing: object) -> None:
        pytest.fail("it ran")

    for thing in (object(), {1: 2}, float("nan"), [b"x"]):
        with pytest.raises(InvalidInput, match="thing is of type"):
            use(thing)
    assert answering.asked == []


def test_an_argument_that_changed_meanwhile_does_not_run_as_it_is_now(
    answering: Answering,
) -> None:
    names = ["a"]

    @oldhand.requires_confirmation(client=answering)
    def remove(names: list[str]) -> list[str]:
        return names

    @oldhand.requires_confirmation(
        client=answering, details=lambda names: {"names": names}
    )
    def remove_shown(names: list[str]) -> None:
        pytest.fail("it ran")

    wait = answering.wait

    def wait_and_grow(request_id: str, *, seconds: float) -> Any:
        held = wait(request_id, seconds=seconds)
        names.append("b")
        return held

    answering.wait = wait_and_grow  # type: ignore[method-assign]

    assert remove(names) == ["a"]
    with pytest.raises(InvalidInput, match="nothing ran"):
        remove_shown(names)


def test_an_edit_that_fits_no_arguments_runs_nothing(answering: Answering) -> None:
    @oldhand.requires_confirmation(client=answering)
    def deploy(env: str) -> None:
        pytest.fail("it ran")

    answering.decision = {"details": {"env": "stage", "force": True}}

    with pytest.raises(InvalidInput, match="nothing ran"):
        deploy("prod")


def test_an_async_function_is_held_and_runs_in_its_own_loop(
    answering: Answering,
) -> None:
    @oldhand.requires_confirmation(client=answering)
    async def deploy(env: str) -> tuple[str, object]:
        return env, asyncio.get_running_loop()

    answering.decision = {"details": {"env": "stage"}}

    async def main() -> bool:
        env, loop = await deploy("prod")
        return env == "stage" and loop is asyncio.get_running_loop()

    assert asyncio.run(main())


def test_an_async_call_that_was_cancelled_does_not_run_when_it_is_approved(
    daemon: Daemon, answering: Answering
) -> None:
    ran: list[str] = []
    is_waiting, may_decide = threading.Event(), threading.Event()
    wait = answering.wait

    def late(request_id: str, *, seconds: float) -> Any:
        is_waiting.set()
        may_decide.wait()
        return wait(request_id, seconds=seconds)

    answering.wait = late  # type: ignore[method-assign]

    @oldhand.requires_confirmation(client=answering)
    async def deploy() -> None:
        ran.append("it")

    async def main() -> None:
        task = asyncio.create_task(deploy())
        await asyncio.to_thread(is_waiting.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        may_decide.set()

    asyncio.run(main())

    assert ran == []
    assert daemon.find(answering.asked[0]).state == "failed"


def test_without_a_daemon_nothing_runs() -> None:
    gone = impatient("http://127.0.0.1:9", "oha_0123456789")

    @oldhand.requires_confirmation(client=gone)
    def deploy() -> None:
        pytest.fail("it ran")

    with pytest.raises(Unreachable):
        deploy()


def test_without_a_daemon_that_is_said_before_anybody_would_lose_patience(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OLDHAND_CONFIRM_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OLDHAND_CONFIRM_TOKEN", "oha_0123456789")

    @oldhand.requires_confirmation()
    def deploy() -> None:
        pytest.fail("it ran")

    with pytest.raises(Unreachable, match="`oldhand serve` starts"):
        deploy()  # with the patience of half a minute this test is ended before

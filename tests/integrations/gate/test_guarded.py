"""What is approved runs, once; whatever goes wrong, nothing does."""

from __future__ import annotations

from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from oldhand.errors import ConfirmationDenied, OldhandError, Unreachable
from oldhand.integrations.gate.client import ConfirmationClient
from oldhand.integrations.gate.guarded import run_confirmed

from .conftest import once_asked
from .daemon import Daemon, Fault, send


class Ran:
    """Remembers with what it ran."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.with_details: list[Mapping[str, Any]] = []

    def __call__(self, details: Mapping[str, Any]) -> str:
        """Run."""
        self.with_details.append(details)
        return "done"


@pytest.fixture
def ran() -> Ran:
    """Return what may run."""
    return Ran()


def test_what_a_person_approves_runs_and_its_result_is_reported(
    daemon: Daemon, client: ConfirmationClient, ran: Ran
) -> None:
    ids: list[str] = []

    def yes(request_id: str) -> None:
        ids.append(request_id)
        daemon.decide(request_id)

    result = run_confirmed(
        client, "deploy", {"env": "test"}, ran, target="web", on_asked=once_asked(yes)
    )

    assert (result, ran.with_details) == ("done", [{"env": "test"}])
    assert daemon.find(ids[0]).state == "succeeded"


def test_what_a_person_wrote_instead_runs(
    daemon: Daemon, client: ConfirmationClient, ran: Ran
) -> None:
    def edit(request_id: str) -> None:
        daemon.decide(request_id, details={"env": "stage"})

    run_confirmed(client, "deploy", {"env": "prod"}, ran, on_asked=once_asked(edit))

    assert ran.with_details == [{"env": "stage"}]


def test_what_is_denied_does_not_run_and_says_why(
    daemon: Daemon, client: ConfirmationClient, ran: Ran
) -> None:
    def no(request_id: str) -> None:
        daemon.decide(request_id, is_yes=False, reason="Not on a Friday.")

    with pytest.raises(ConfirmationDenied) as fault:
        run_confirmed(client, "deploy", {}, ran, on_asked=once_asked(no))

    assert ran.with_details == []
    assert "Not on a Friday." in fault.value.message_for_model
    assert fault.value.state == "denied"
    assert daemon.find(fault.value.request_id).state == "denied"


def test_what_a_rule_blocks_does_not_run(client: ConfirmationClient, ran: Ran) -> None:
    with pytest.raises(ConfirmationDenied, match="It is never done"):
        run_confirmed(client, "never", {}, ran)

    assert ran.with_details == []


def test_what_a_rule_lets_pass_runs(client: ConfirmationClient, ran: Ran) -> None:
    assert run_confirmed(client, "look", {"at": 1}, ran) == "done"
    assert ran.with_details == [{"at": 1}]


def test_a_failure_is_reported_and_goes_on(
    daemon: Daemon, client: ConfirmationClient
) -> None:
    ids: list[str] = []

    def fails(_: Mapping[str, Any]) -> None:
        raise ZeroDivisionError

    def yes(request_id: str) -> None:
        ids.append(request_id)
        daemon.decide(request_id)

    with pytest.raises(ZeroDivisionError):
        run_confirmed(client, "deploy", {}, fails, on_asked=once_asked(yes))

    request = daemon.find(ids[0])
    assert request.state == "failed"
    assert request.result == {"success": False, "summary": "ZeroDivisionError"}


def test_who_gives_up_takes_the_request_back(
    daemon: Daemon, client: ConfirmationClient, ran: Ran
) -> None:
    ids: list[str] = []

    class Impatient(ConfirmationClient):
        def wait(self, request_id: str, *, seconds: float) -> Any:
            raise KeyboardInterrupt

    hasty = Impatient(daemon.url, daemon.token)
    with pytest.raises(KeyboardInterrupt):
        run_confirmed(
            hasty, "deploy", {}, ran, on_asked=lambda held: ids.append(held.id)
        )

    assert ran.with_details == []
    assert daemon.find(ids[0]).state == "cancelled"


def _lies(path_end: str, status: int, value: dict[str, Any]) -> Fault:
    """Answer one kind of question with something else than the truth."""

    def fault(handler: BaseHTTPRequestHandler) -> bool:
        is_asked = handler.path.partition("?")[0].endswith(path_end)
        if is_asked:
            send(handler, status, value)
        return is_asked

    return fault


LIES = {
    "a submission that fails": _lies("/confirm", 500, {}),
    "a submission answered with yes and no id": _lies(
        "/confirm", 200, {"status": "auto_approved"}
    ),
    "a consumption that fails": _lies("/consume", 500, {}),
    "a consumption of something else": _lies(
        "/consume", 200, {"id": "x", "status": "consumed", "grant": "g", "details": {}}
    ),
    "a consumption without a grant": _lies(
        "/consume", 200, {"status": "consumed", "details": {"at": 1}}
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_nothing_runs_where_an_answer_is_not_understood(
    daemon: Daemon, client: ConfirmationClient, ran: Ran, name: str
) -> None:
    daemon.fault = LIES[name]

    with pytest.raises(OldhandError):
        run_confirmed(client, "look", {"at": 1}, ran)

    assert ran.with_details == []


@pytest.mark.parametrize(
    "lie",
    [{"details": {"at": 2}}, {"grant": ""}, {"status": "approved"}, {"id": "other"}],
    ids=str,
)
def test_nothing_runs_where_the_leave_is_not_just_what_was_shown(
    daemon: Daemon, client: ConfirmationClient, ran: Ran, lie: dict[str, Any]
) -> None:
    def lying(handler: BaseHTTPRequestHandler) -> bool:
        if not handler.path.endswith("/consume"):
            return False
        request_id = handler.path.split("/")[2]
        truth = {
            "id": request_id,
            "status": "consumed",
            "grant": "g",
            "details": {"at": 1},
        }
        send(handler, 200, truth | lie)
        return True

    daemon.fault = lying

    with pytest.raises(Unreachable):
        run_confirmed(client, "look", {"at": 1}, ran)
    assert ran.with_details == []


def test_a_result_that_cannot_be_reported_is_no_fault_of_what_ran(
    daemon: Daemon, client: ConfirmationClient, ran: Ran
) -> None:
    daemon.fault = _lies("/result", 500, {})

    assert run_confirmed(client, "look", {"at": 1}, ran) == "done"


def test_nothing_runs_after_the_time_and_the_request_is_taken_back(
    daemon: Daemon, ran: Ran
) -> None:
    class Short(ConfirmationClient):
        def wait(self, request_id: str, *, seconds: float) -> Any:
            assert seconds > 30
            return super().wait(request_id, seconds=1)

    ids: list[str] = []
    with pytest.raises(ConfirmationDenied) as fault:
        run_confirmed(
            Short(daemon.url, daemon.token), "deploy", {}, ran, timeout_seconds=30,
            on_asked=lambda held: ids.append(held.id),
        )  # fmt: skip

    assert fault.value.state == "pending"
    assert ran.with_details == []
    assert daemon.find(ids[0]).state == "cancelled"

"""The clients and the commands against the daemon as it is served."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

from oldhand.app.confirmation import begin, turn_solo
from oldhand.clock import system_clock
from oldhand.confirm.keys import SigningKey
from oldhand.confirm.people import redeem_link
from oldhand.errors import (
    ConfirmationDenied,
    Forbidden,
    NotFound,
    RequestConflict,
    Unauthenticated,
)
from oldhand.integrations.gate.access import client_of, read_token
from oldhand.integrations.gate.client import ConfirmationClient
from oldhand.integrations.gate.guarded import run_confirmed
from oldhand.integrations.gate.people import PersonClient
from oldhand.settings import load
from oldhand.store import Store, open_database
from oldhand.web.server import ConfirmationServer, Parts

from .conftest import once_asked

PASSWORD = "correct horse battery"  # noqa: S105 - a person's of this test

# A process that leads a session has the first terminal that it opens for its own.
AT_TERMINAL = """
import os, sys
os.open(sys.argv.pop(1), os.O_RDWR)
from oldhand.__main__ import main
main()
"""


class Place:
    """A home with a daemon in it: ada, who may decide what her agent asks."""

    def __init__(self, home: Path) -> None:
        """Set it up as a first start does."""
        self.home = home
        self.environment = {"HOME": str(home), "USER": "ada", "PATH": os.defpath}
        settings = load(environment=self.environment)
        settings.home.mkdir(mode=0o700)
        store = open_database(settings.database)
        made = begin(store, settings, clock=system_clock)
        assert made.link is not None
        redeem_link(store, made.link, password=PASSWORD, clock=system_clock)
        turn_solo(store, to=True, clock=system_clock)
        store.close()
        self.key = SigningKey.load(settings.home / "confirm.key")
        self.store: Store | None = None
        self.start(0)

    def start(self, port: int) -> None:
        """Serve."""
        self.store = open_database(str(self.home / ".oldhand" / "oldhand.db"))
        self.server = ConfirmationServer(
            self.store, port=port, parts=Parts(key=self.key)
        )
        self.server.start()
        self.url = self.server.url
        self.environment["OLDHAND_CONFIRM_URL"] = self.url

    def stop(self) -> None:
        """Stop serving."""
        self.server.stop_soon()
        self.server.wait()
        if self.store is not None:
            self.store.close()

    def agent(self) -> ConfirmationClient:
        """Return the agent's client."""
        return client_of(load(environment=self.environment))

    def ada(self) -> PersonClient:
        """Sign in."""
        return PersonClient.signed_in(self.url, "ada", PASSWORD)

    def approve(self, request_id: str, **more: object) -> None:
        """Decide as ada."""
        with self.ada() as ada:
            ada.decide("approve", ada.find(request_id), **more)  # type: ignore[arg-type]

    def typed(
        self, *words: str, answers: tuple[str, ...]
    ) -> subprocess.CompletedProcess[str]:
        """Run a command at a terminal into which a person types."""
        terminal, its_end = os.openpty()

        name = os.ttyname(its_end)
        process = subprocess.Popen(
            [sys.executable, "-c", AT_TERMINAL, name, "confirm", *words],
            env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        for answer in answers:
            shown = b""
            while not shown.endswith((b": ", b"] ")):
                shown += os.read(terminal, 1)
            os.write(terminal, f"{answer}\n".encode())
        out, err = process.communicate()
        os.close(its_end)
        os.close(terminal)
        return subprocess.CompletedProcess(words, process.returncode, out, err)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Start a daemon."""
    made = Place(tmp_path)
    yield made
    made.stop()


def test_what_a_person_edits_and_approves_runs_once(place: Place) -> None:
    ran: list[object] = []

    def edit(request_id: str) -> None:
        place.approve(request_id, details={"env": "stage"}, reason="Not prod.")

    run_confirmed(
        place.agent(), "ship", {"env": "prod"}, ran.append, target="web",
        description="now", session_key="s1", on_asked=once_asked(edit),
    )  # fmt: skip

    (row,) = place.agent().list_requests()
    assert ran == [{"env": "stage"}]
    assert row["status"] == "succeeded"
    with pytest.raises(RequestConflict) as fault:
        place.agent().consume(
            row["id"], action="ship", details={"env": "stage"}, target="web"
        )
    assert fault.value.why == "already_consumed"


def test_what_a_person_denies_does_not_run(place: Place) -> None:
    def no(request_id: str) -> None:
        with place.ada() as ada:
            ada.decide("deny", ada.find(request_id), reason="No.")

    with pytest.raises(ConfirmationDenied, match=r"No\."):
        run_confirmed(
            place.agent(), "ship", {}, lambda _: pytest.fail("it ran"),
            on_asked=once_asked(no),
        )  # fmt: skip


def test_a_restart_in_the_middle_of_a_wait_is_survived(place: Place) -> None:
    client = place.agent()
    held = client.submit("ship", {})
    found = []
    waiting = threading.Thread(
        target=lambda: found.append(client.wait(held.id, seconds=15))
    )
    waiting.start()
    port = int(place.url.rpartition(":")[2])

    place.stop()
    place.start(port)
    place.approve(held.id)
    waiting.join()

    assert found[0].status == "approved"


def test_what_the_policy_denies_is_blocked(place: Place) -> None:
    text = (
        'version = 1\n[[rule]]\nid = "no"\neffect = "deny"\nmatch = { action = "no" }\n'
    )
    with place.ada() as ada:
        ada.ask("PUT", "/policy", {"text": text})

    assert place.agent().submit("no", {}).status == "blocked"


def test_an_agents_token_approves_nothing(place: Place) -> None:
    client = place.agent()
    held = client.find(client.submit("ship", {}).id)

    assert client.try_to_approve(held.id, rev=held.rev, digest=held.digest) == 403
    assert client.try_to_approve("0" * 26, rev=1, digest="0" * 64) == 403
    assert client.find(held.id).status == "pending"


def test_a_person_is_refused_what_is_wrong(place: Place) -> None:
    with pytest.raises(Unauthenticated):
        PersonClient.signed_in(place.url, "ada", "wrong password")
    ada = place.ada()
    with ada, pytest.raises(NotFound):
        ada.find("0" * 26)
    with pytest.raises(Unauthenticated):
        ada.find("0" * 26)


def test_at_a_terminal_a_person_approves_what_was_shown(place: Place) -> None:
    held = place.agent().submit("ship", {"env": "prod"}, description="now")

    said = place.typed("approve", held.id, answers=(PASSWORD, "y"))

    assert said.returncode == 0, said.stderr
    assert '"env": "prod"' in said.stderr
    assert "  | now" in said.stderr
    assert PASSWORD not in said.stdout + said.stderr
    assert place.agent().find(held.id).status == "approved"


@pytest.mark.parametrize(
    ("answers", "code"), [(("wrong password",), 10), ((PASSWORD, "n"), 2)]
)
def test_at_a_terminal_nothing_is_decided_without_password_and_word(
    place: Place, answers: tuple[str, ...], code: int
) -> None:
    held = place.agent().submit("ship", {"env": "prod"})

    said = place.typed("approve", held.id, answers=answers)

    assert said.returncode == code
    assert place.agent().find(held.id).status == "pending"


def test_at_a_terminal_a_person_edits_remembers_and_denies(place: Place) -> None:
    first = place.agent().submit("ship", {"env": "prod"}, session_key="s")
    other = place.agent().submit("ship", {"env": "other"})
    edited = place.typed(
        "approve", first.id, "--details", '{"env": "stage"}', "--reason", "No prod.",
        answers=(PASSWORD, "y"),
    )  # fmt: skip
    denied = place.typed("deny", other.id, "--reason", "No.", answers=(PASSWORD, "yes"))

    assert (edited.returncode, denied.returncode) == (0, 0)
    assert place.agent().find(first.id).details == {"env": "stage"}
    assert "No." in place.agent().find(other.id).message_for_model


def test_at_a_terminal_a_person_looks_after_grants_agents_people_and_policy(
    place: Place,
) -> None:
    made = place.typed(
        "grants", "add", "look", "--details", '{"at": 1}', "--agent", "agent",
        "--for", "1h", "--uses", "2", answers=(PASSWORD,),
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert place.agent().submit("look", {"at": 1}).status == "auto_approved"
    assert place.agent().submit("look", {"at": 2}).status == "pending"
    revoked = place.typed("grants", "revoke", made.stdout.strip(), answers=(PASSWORD,))
    assert revoked.returncode == 0, revoked.stderr
    assert place.agent().submit("look", {"at": 1}).status == "pending"

    agent = place.typed("agents", "add", "bot", "--json", answers=(PASSWORD,))
    row = json.loads(agent.stdout)
    assert (row["owner"], row["token"][:4]) == ("ada", "oha_")
    wrong = place.typed("people", "disable", "bot", answers=(PASSWORD,))
    assert wrong.returncode == 2
    assert "oldhand confirm agents disable bot" in wrong.stderr
    person = place.typed("people", "add", "ben", answers=(PASSWORD,))
    assert "/welcome/ohl_" in person.stdout
    gone = place.typed("agents", "disable", "bot", answers=(PASSWORD,))
    assert gone.returncode == 0, gone.stderr
    with pytest.raises((Unauthenticated, Forbidden)):
        ConfirmationClient(place.url, row["token"]).submit("look", {})

    (place.home / "policy.toml").write_text('version = 1\ndefault = "deny"\n')
    put = place.typed("policy", "put", "policy.toml", answers=(PASSWORD,))
    assert put.returncode == 0, put.stderr
    assert place.agent().submit("look", {}).status == "blocked"


def test_at_a_terminal_a_person_stops_everything_and_lets_it_go_on(
    place: Place,
) -> None:
    asked = place.agent().submit("ship", {})
    place.approve(asked.id)

    stopped = place.typed("stop", answers=(PASSWORD,))
    with pytest.raises(RequestConflict) as kept:
        place.agent().consume(asked.id, action="ship", details={})
    resumed = place.typed("resume", "--json", answers=(PASSWORD,))

    assert (stopped.returncode, resumed.returncode) == (0, 0), stopped.stderr
    assert "nothing is approved or used" in stopped.stderr
    assert kept.value.why == "stopped"
    assert json.loads(resumed.stdout)["stopped"] is False
    used = place.agent().consume(asked.id, action="ship", details={})
    assert used.details == {}


def test_at_a_terminal_an_agents_token_is_saved_for_oneself_alone(place: Place) -> None:
    file = place.home / ".oldhand" / "agent.token"
    refused = place.typed("agents", "add", "bot", "--save", answers=())
    file.unlink()
    saved = place.typed("agents", "add", "bot", "--save", answers=(PASSWORD,))

    assert (refused.returncode, saved.returncode) == (4, 0)
    assert saved.stdout == ""
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_token(file, url=place.url).startswith("oha_")


def test_the_doctor_tries_the_agents_token(place: Place) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "oldhand", "confirm", "doctor", "--json"],
        env=place.environment, cwd=place.home, capture_output=True, text=True, check=True,
    )  # fmt: skip

    row = json.loads(run.stdout)
    held = {each["name"]: each["holds"] for each in row["findings"]}
    assert held["the agent's token"] is True
    assert held["people"] is True
    assert held["solo mode"] is False
    assert (row["level"], row["name"]) == (0, "guardrail")


def test_a_command_waits_for_a_person_and_runs(place: Place) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "oldhand", "confirm", "run", "--", "echo", "hello"],
        env=place.environment, cwd=place.home, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not (rows := place.agent().list_requests()):
        threading.Event().wait(0.05)
    place.approve(rows[0]["id"])
    out, _ = process.communicate()

    assert (process.returncode, out) == (0, "hello\n")
    assert place.agent().find(rows[0]["id"]).status == "succeeded"

"""A function that runs only when a person says so: with what they approved, once.

Here the daemon and the person live in this script; else it is `oldhand serve`, and the page.
"""

from __future__ import annotations

import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from oldhand import requires_confirmation
from oldhand.clock import system_clock
from oldhand.confirm.credentials import issue_token
from oldhand.confirm.model import AGENT, PERSON
from oldhand.confirm.people import make_link, redeem_link
from oldhand.confirm.principals import add_principal
from oldhand.integrations.gate.client import ConfirmationClient
from oldhand.integrations.gate.held import held_of
from oldhand.integrations.gate.people import PersonClient
from oldhand.store import Store, open_database
from oldhand.web.server import ConfirmationServer

PASSWORD = "a long password"  # noqa: S105 - of nobody


def settle_in(store: Store) -> str:
    """Make a person with a password, and an agent; return the agent's token."""
    ada = add_principal(store, "ada", kind=PERSON, by=None, clock=system_clock)
    link = make_link(store, ada, by=None, clock=system_clock)
    redeem_link(store, link, password=PASSWORD, clock=system_clock)
    agent = add_principal(store, "shop", kind=AGENT, by=None, clock=system_clock)
    return issue_token(store, agent, by=None, clock=system_clock)


def decide(url: str) -> None:
    """Be the person: look at what is asked, and let less than that be given back."""
    with PersonClient.signed_in(url, "ada", PASSWORD) as ada:
        while not (asked := ada.ask("GET", "/confirm?state=pending")["requests"]):
            threading.Event().wait(0.05)
        print("asked:", asked[0]["action"], asked[0]["details"])
        less = {"order": "A-17", "amount": 40}
        ada.decide("approve", held_of(asked[0]), details=less, reason="Shipping stays.")


with TemporaryDirectory() as directory:
    held = open_database(str(Path(directory) / "oldhand.db"))
    token = settle_in(held)
    with ConfirmationServer(held, port=0) as server:
        client = ConfirmationClient(server.url, token)

        @requires_confirmation(client=client)
        def give_back(order: str, amount: int) -> str:
            """Give money back."""
            return f"gave {amount} back for {order}"

        person = threading.Thread(target=decide, args=(server.url,))
        person.start()
        print(give_back("A-17", amount=50))
        person.join()
    held.close()

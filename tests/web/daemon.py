"""A daemon with agents and people, for tests that talk to it."""

# ruff: noqa: D102 - each is a word that says it
from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from oldhand.clock import Clock, system_clock
from oldhand.confirm.credentials import issue_token
from oldhand.confirm.people import csrf_of, make_link, open_session
from oldhand.confirm.principals import add_principal, find_principal
from oldhand.store import Store
from oldhand.web.server import ConfirmationServer, Parts

PASSWORD = "correct horse battery staple"  # noqa: S105 - of nobody


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Caller:
    """Somebody who talks to a daemon, always with the same headers."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self.url = url
        self.headers = dict(headers)

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, headers=headers)

    def post(self, path: str, body: object = None, **headers: str) -> Answer:
        return self.call("POST", path, body=body, headers=headers)

    def call(
        self,
        method: str,
        path: str,
        *,
        body: object = None,
        headers: Mapping[str, str] = {},
    ) -> Answer:
        """Send a request; header names are written with underscores, `None` bodies not at all."""
        sent = {**self.headers, **{k.replace("_", "-"): v for k, v in headers.items()}}
        data = None
        if isinstance(body, bytes):
            data = body
        elif body is not None:
            data = json.dumps(body).encode()
        if data is not None:
            sent.setdefault("Content-Type", "application/json")
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(
            str(parts.hostname), parts.port, timeout=15
        )
        try:
            connection.putrequest(
                method, path, skip_host="Host" in sent, skip_accept_encoding=True
            )
            if data is not None and "Transfer-Encoding" not in sent:
                sent.setdefault("Content-Length", str(len(data)))
            elif method == "POST" and data is None:
                sent.setdefault("Content-Length", "0")
            for name, value in sent.items():
                connection.putheader(name, value)
            connection.endheaders()
            if data is not None:
                connection.send(data)
            got = connection.getresponse()
            return Answer(got.status, dict(got.getheaders()), got.read())
        finally:
            connection.close()


class Daemon:
    """A daemon under test, and who is known to it.

    `bot` and `other` are agents of `ada`, a person; `eve` is another person.
    """

    def __init__(self, store: Store, server: ConfirmationServer, clock: Clock) -> None:
        self.store = store
        self.server = server
        self.clock = clock
        self.nobody = Caller(server.url, {})
        self._people: dict[str, Caller] = {}
        self._agents: dict[str, Caller] = {}

    @property
    def url(self) -> str:
        return self.server.url

    def agent(self, name: str = "bot") -> Caller:
        """Return an agent with its token."""
        if name not in self._agents:
            token = issue_token(
                self.store, find_principal(self.store, name), by=None, clock=self.clock
            )
            headers = {"Authorization": f"Bearer {token}"}
            self._agents[name] = Caller(self.url, headers)
        return self._agents[name]

    def person(self, name: str = "eve") -> Caller:
        """Return a person who is signed in, in a browser that shows a page of ours."""
        if name not in self._people:
            session = open_session(
                self.store, find_principal(self.store, name), via="test",
                clock=self.clock,
            )  # fmt: skip
            headers = {
                "Cookie": f"oldhand_session={session.token}",
                "X-CSRF-Token": csrf_of(session.token),
                "Origin": self.url,
            }
            self._people[name] = Caller(self.url, headers)
        return self._people[name]

    def browser(self) -> Caller:
        """Return somebody who is not signed in, at a page of ours."""
        return Caller(self.url, {"Origin": self.url})

    def link(self, name: str = "eve") -> str:
        """Make a one-time link's secret."""
        person = find_principal(self.store, name)
        return make_link(self.store, person, by=None, clock=self.clock)

    def ask(self, by: str = "bot", **fields: Any) -> dict[str, Any]:
        """Ask for something that a person has to decide; return the receipt."""
        body = {"action": "send_mail", "details": {"to": "a@b.example"}} | fields
        answer = self.agent(by).post("/confirm", body)
        assert answer.status == 202, answer.body
        receipt: dict[str, Any] = answer.json()
        return receipt

    def approve(self, receipt: Mapping[str, Any], **fields: Any) -> Answer:
        """Have eve approve just what was asked."""
        body = {"rev": receipt["rev"], "digest": receipt["digest"]} | fields
        return self.person().post(f"/confirm/{receipt['id']}/approve", body)


@contextmanager
def running(
    store: Store, *, clock: Clock | None = None, parts: Parts | None = None
) -> Iterator[Daemon]:
    """Run a daemon over a store with ada, eve, bot and other."""
    now = clock or system_clock
    if not _is_furnished(store):
        furnish(store, now)
    parts = (parts or Parts())._replace(clock=clock)
    with ConfirmationServer(store, port=0, parts=parts) as server:
        yield Daemon(store, server, now)


def furnish(store: Store, clock: Clock) -> None:
    """Add ada, her agents bot and other, and eve."""
    for name in ("ada", "eve"):
        add_principal(store, name, kind="person", by=None, clock=clock)
    for name in ("bot", "other"):
        add_principal(store, name, kind="agent", owner="ada", by=None, clock=clock)


def _is_furnished(store: Store) -> bool:
    try:
        find_principal(store, "eve")
    except LookupError:
        return False
    return True

"""A daemon with people and agents, and a browser without a screen: forms, links, cookies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from oldhand.clock import Clock, system_clock
from oldhand.confirm.model import Principal, Request, Rules
from oldhand.confirm.people import make_link, open_session, redeem_link
from oldhand.confirm.principals import add_principal
from oldhand.confirm.requests.facts import check_draft
from oldhand.confirm.requests.read import find_request
from oldhand.confirm.requests.submit import submit
from oldhand.store import Store

PASSWORD = "correct horse"  # noqa: S105 - of a test
_TAG = re.compile(r"<[^>]*>")


class Site:
    """Ann owns `bot`, Ben owns `other`; they ask and decide at a store that a daemon serves."""

    def __init__(self, store: Store, url: str, *, clock: Clock = system_clock) -> None:
        """Hire them."""
        self.store = store
        self.url = url
        self.clock = clock
        self.ann = self._add("ann", "person")
        self.ben = self._add("ben", "person")
        self.bot = self._add("bot", "agent", owner="ann")
        self.other = self._add("other", "agent", owner="ben")

    def ask(
        self,
        details: Mapping[str, Any],
        *,
        action: str = "restart_worker",
        by: Principal | None = None,
        **more: Any,
    ) -> Request:
        """Submit a request."""
        body = {"action": action, "details": details} | more
        return submit(
            self.store,
            check_draft(body),
            requester=by or self.bot,
            rules=Rules(per_hour=0),
            clock=self.clock,
        )

    def now(self, request: Request) -> Request:
        """Look at a request again."""
        return find_request(self.store, request.id, by=self.ann)

    def password(self, person: Principal) -> str:
        """Give somebody a password."""
        link = make_link(self.store, person, by=None, clock=self.clock)
        redeem_link(self.store, link, password=PASSWORD, clock=self.clock)
        return PASSWORD

    def browser(self, person: Principal | None = None) -> Browser:
        """Return a browser in which somebody is signed in, or nobody."""
        if person is None:
            return Browser(self.url)
        session = open_session(self.store, person, via="test", clock=self.clock)
        return Browser(self.url, f"oldhand_session={session.token}", session.csrf)

    def _add(self, name: str, kind: Any, owner: str | None = None) -> Principal:
        return add_principal(
            self.store, name, kind=kind, owner=owner, by=None, clock=self.clock
        )


class Answer(NamedTuple):
    """What came back."""

    status: int
    html: str
    headers: dict[str, str]

    @property
    def text(self) -> str:
        """What a person reads, each run of blanks as one."""
        return " ".join(unescape(_TAG.sub(" ", self.html)).split())


class Browser:
    """Sends what a browser sends; follows no redirect by itself."""

    def __init__(self, url: str, cookie: str = "", csrf: str = "") -> None:
        """Begin with a cookie, or without."""
        self.url = url
        self.cookie = cookie
        self.csrf = csrf

    def get(self, path: str) -> Answer:
        """Open a page."""
        return self._send("GET", path, None, {})

    def post(
        self, path: str, fields: Mapping[str, object] | None = None, **headers: str
    ) -> Answer:
        """Send a form from a page of the daemon's own, with the token that pages hold."""
        form = {"csrf": self.csrf} | dict(fields or {})
        return self._send("POST", path, urlencode(form), headers)

    def _send(
        self, method: str, path: str, body: str | None, more: Mapping[str, str]
    ) -> Answer:
        at = urlsplit(self.url)
        headers = {"Accept": "text/html", "Cookie": self.cookie}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Origin"] = self.url
        connection = HTTPConnection(at.hostname or "", at.port, timeout=10)
        try:
            connection.request(method, path, body, headers | dict(more))
            got: HTTPResponse = connection.getresponse()
            text = got.read().decode()
        finally:
            connection.close()
        given = {name.lower(): value for name, value in got.getheaders()}
        if "set-cookie" in given:
            self.cookie = given["set-cookie"].partition(";")[0]
        return Answer(got.status, text, given)


def shown(request: Request) -> dict[str, object]:
    """Return what a form says that was on the screen."""
    return {"rev": request.rev, "digest": request.digest}

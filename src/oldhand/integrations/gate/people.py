"""A person's client of the daemon: signs in by password, and decides.

The password comes from a terminal and is kept nowhere; the session lives as long as this
object, and `sign_out` ends it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from oldhand.errors import OldhandError, Unreachable
from oldhand.integrations.gate.held import Held, held_of
from oldhand.integrations.gate.patient_calls import PatientCalls
from oldhand.integrations.gate.transport import Reply, read_address

logger = logging.getLogger(__name__)
_OK = frozenset({200, 201, 202})
_COOKIES = ("oldhand_session", "__Host-oldhand_session")


class PersonClient:
    """Somebody who signed in; use `signed_in` to make one."""

    def __init__(
        self, calls: PatientCalls, *, name: str, cookie: str, csrf: str
    ) -> None:
        """Take what signing in gave."""
        self._calls = calls
        self.name = name
        self._read = {"Cookie": cookie}
        self._write = self._read | {
            "X-CSRF-Token": csrf,
            "Origin": calls.address.origin,
        }

    @classmethod
    def signed_in(
        cls, url: str, name: str, password: str, *, calls: PatientCalls | None = None
    ) -> Self:
        """Sign in.

        Raises:
            Unauthenticated: The name or the password is wrong.
            InvalidInput: The URL is none of a daemon.
            Unreachable: The daemon does not answer.
        """
        calls = calls or PatientCalls(read_address(url), patience_seconds=3.0)
        reply = calls.ask(
            "POST", "/sign-in", headers={"Origin": calls.address.origin},
            body={"name": name, "password": password},
        )  # fmt: skip
        value = calls.value_of(reply, known=_OK)
        csrf, cookie = value.get("csrf"), _cookie_in(reply)
        if not isinstance(csrf, str) or cookie is None or not csrf.isalnum():
            raise Unreachable("the daemon let nobody in, and did not say why")
        return cls(calls, name=name, cookie=cookie, csrf=csrf)

    def __enter__(self) -> Self:
        """Be signed in for a block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Sign out; where that fails, the session ends by itself in time."""
        try:
            self.ask("POST", "/sign-out", {})
        except OldhandError as closed:
            logger.info("not signed out, the session ends by itself: %s", closed)

    def find(self, request_id: str) -> Held:
        """Return a request.

        Raises:
            NotFound: There is none of that id.
        """
        path = f"/confirm/{quote(request_id, safe='')}"
        return held_of(self.ask("GET", path), request_id=request_id)

    def decide(
        self,
        decision: str,
        held: Held,
        *,
        reason: str = "",
        details: Mapping[str, Any] | None = None,
        remember: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Decide a request as it was shown.

        Args:
            decision: `approve` or `deny`.
            held: As it was shown: its `rev` and `digest` go along.
            reason: For the agent and the log.
            details: To run instead of what was asked.
            remember: As the API takes it.

        Raises:
            Forbidden: It is not this person's to decide.
            RequestConflict: It is decided, expired, or other than it was shown.
        """
        body: dict[str, Any] = {"rev": held.rev, "digest": held.digest}
        given = {"reason": reason or None, "details": details, "remember": remember}
        body |= {key: value for key, value in given.items() if value is not None}
        path = f"/confirm/{quote(held.id, safe='')}/{decision}"
        return self.ask("POST", path, body)

    def ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Ask the API anything as this person.

        Raises:
            OldhandError: The problem that the daemon tells of.
        """
        headers = self._read if method == "GET" else self._write
        reply = self._calls.ask(method, path, headers=headers, body=body)
        return self._calls.value_of(reply, known=_OK)


def _cookie_in(reply: Reply) -> str | None:
    """Return the session's cookie as a header of ours sends it."""
    for line in reply.cookies:
        try:
            found = SimpleCookie(line)
        except CookieError:
            continue
        for name in _COOKIES:
            if name in found:
                return f"{name}={found[name].coded_value}"
    return None

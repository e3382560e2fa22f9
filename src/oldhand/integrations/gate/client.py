"""An agent's client of the daemon: ask, wait, use what was approved, say how it went."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from oldhand.errors import InvalidInput, TooMany, Unreachable
from oldhand.integrations.gate.held import Held, Used, held_of, submitted_of, used_of
from oldhand.integrations.gate.patient_calls import PatientCalls
from oldhand.integrations.gate.transport import Reply, read_address

LONG_POLL_SECONDS = 55
_TOKEN = re.compile(r"[A-Za-z0-9_.~+/-]{8,500}=*")
_CANCEL_SECONDS = 3.0
_PAUSE_SECONDS = 0.1
_OK = frozenset({200})
_FORBIDDEN = 403
_STATUS_OF = {202: "pending", 200: "auto_approved"}


class ConfirmationClient:
    """Asks the daemon for leave, with an agent's token.

    Example:
        >>> client = ConfirmationClient("http://localhost:6060", "oha_example-token")
        >>> client
        ConfirmationClient('http://localhost:6060')
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        calls: PatientCalls | None = None,
        session_key: str = "",
    ) -> None:
        """Connect to nothing yet.

        Args:
            url: Of the daemon.
            token: The agent's.
            calls: How it is asked; by default with 30 seconds of patience, and none where
                nobody listens at first.
            session_key: Of requests that name none.

        Raises:
            InvalidInput: The URL or the token cannot be one.
        """
        if not _TOKEN.fullmatch(token):
            raise InvalidInput(
                "the token is none; `oldhand confirm agents add` makes one"
            )
        self._calls = calls or PatientCalls(read_address(url), waits_for_start=False)
        self._session_key = session_key
        self._headers = {"Authorization": f"Bearer {token}"}

    def __repr__(self) -> str:
        """Show where it asks, and no token."""
        return f"ConfirmationClient({self._calls.address.origin!r})"

    def submit(  # noqa: PLR0913 - what a request is made of
        self,
        action: str,
        details: Mapping[str, Any],
        *,
        description: str = "",
        target: str = "",
        session_key: str = "",
        timeout_seconds: int | None = None,
        risk: str | None = None,
        idempotency_key: str | None = None,
    ) -> Held:
        """Ask for leave; return the request as `pending`, `auto_approved` or `blocked`.

        Args:
            action: A name, as of a tool.
            details: What it would be done with; JSON values, all that is approved.
            description: In the agent's words, which are approved by nobody.
            target: What it would be done to.
            session_key: The agent's session; default: the client's.
            timeout_seconds: How long it waits for a person.
            risk: low, medium or high, as the agent sees it.
            idempotency_key: Makes it one request, however often it is said; by default
                a new one for each call of this method.

        Raises:
            InvalidInput: The daemon does not take it.
            TooMany: It was asked too often.
            Unreachable: The daemon does not answer.
        """
        body: dict[str, Any] = {"action": action, "details": dict(details)}
        given = {
            "description": description, "target": target,
            "session_key": session_key or self._session_key,
            "timeout_seconds": timeout_seconds, "risk": risk,
        }  # fmt: skip
        body |= {name: value for name, value in given.items() if value}
        key = idempotency_key or secrets.token_hex(16)
        reply = self._calls.ask(
            "POST", "/confirm", body=body,
            headers=self._headers | {"Idempotency-Key": key},
        )  # fmt: skip
        if is_blocked(reply):
            value = reply.value | {"status": "blocked"}
            return submitted_of(value, status="blocked")
        value = self._calls.value_of(reply, known=frozenset(_STATUS_OF))
        return submitted_of(value, status=_status_of(reply))

    def wait(self, request_id: str, *, seconds: float) -> Held:
        """Return a request when a person has decided, or as it is when the time is over.

        A daemon that is restarted meanwhile is waited for.

        Raises:
            NotFound: There is no such request of this agent's.
            Unreachable: The daemon is gone for all of the time that was left.
        """
        until = self._calls.counter() + seconds
        while True:
            left = until - self._calls.counter()
            try:
                held = self._get(
                    request_id, wait=min(LONG_POLL_SECONDS, int(left)), until=until
                )
            except TooMany as full:  # who waits: later it goes on
                if left <= 0:
                    raise
                self._calls.sleep(min(full.retry_after_seconds, left))
                continue
            if not held.is_pending or self._calls.counter() >= until or left < 1:
                return held
            # A daemon that is about to end answers at once, again and again.
            self._calls.sleep(_PAUSE_SECONDS)

    def find(self, request_id: str) -> Held:
        """Return a request as it is now.

        Raises:
            NotFound: There is no such request of this agent's.
        """
        return self._get(request_id)

    def list_requests(
        self, *, state: str | None = None, limit: int = 100
    ) -> list[dict[str, Any]]:
        """Return this agent's requests as JSON values."""

        def ask(path: str) -> dict[str, Any]:
            reply = self._calls.ask("GET", path, headers=self._headers)
            return self._calls.value_of(reply, known=_OK)

        return listed(ask, state=state, limit=limit)

    def consume(
        self,
        request_id: str,
        *,
        action: str,
        details: Mapping[str, Any],
        target: str = "",
    ) -> Used:
        """Use an approval, once: say again what will run, to the letter as approved.

        Raises:
            RequestConflict: It is not approved, was used, is too old, or is for something
                else; `why` says which.
        """
        body = {"action": action, "details": dict(details)}
        if target:
            body["target"] = target
        return used_of(self._post(request_id, "consume", body), request_id=request_id)

    def report_result(
        self, request_id: str, *, is_success: bool, summary: str = ""
    ) -> None:
        """Say how it went.

        Raises:
            RequestConflict: Its grant was not used, or its result is known already.
        """
        body: dict[str, Any] = {"success": is_success}
        if summary:
            body["summary"] = summary
        self._post(request_id, "result", body)

    def cancel(self, request_id: str) -> None:
        """Take back what nobody has decided yet; soon given up, as it ends by itself.

        Raises:
            RequestConflict: It is decided or over.
        """
        until = self._calls.counter() + _CANCEL_SECONDS
        self._post(request_id, "cancel", {}, until=until)

    def try_to_approve(self, request_id: str, *, rev: int, digest: str) -> int:
        """Try what an agent must not be able to do; return the HTTP status.

        For `oldhand confirm doctor`, which believes nothing that it has not tried.
        """
        reply = self._calls.ask(
            "POST", _path(request_id, "approve"), headers=self._headers,
            body={"rev": rev, "digest": digest},
        )  # fmt: skip
        return reply.status

    def _get(
        self,
        request_id: str,
        *,
        wait: int = 0,
        until: float | None = None,
    ) -> Held:
        reply = self._calls.ask(
            "GET", _path(request_id) + (f"?wait={wait}" if wait > 0 else ""),
            headers=self._headers, wait_seconds=max(0, wait), until=until,
        )  # fmt: skip
        value = self._calls.value_of(reply, known=_OK)
        return held_of(value, request_id=request_id)

    def _post(
        self,
        request_id: str,
        verb: str,
        body: Mapping[str, Any],
        *,
        until: float | None = None,
    ) -> dict[str, Any]:
        reply = self._calls.ask(
            "POST",
            _path(request_id, verb),
            headers=self._headers,
            body=body,
            until=until,
        )
        return self._calls.value_of(reply, known=_OK)


def is_blocked(reply: Reply) -> bool:
    """Whether a submission was answered that a rule blocks it."""
    is_said = reply.value.get("state") == "blocked"
    has_id = isinstance(reply.value.get("id"), str)
    return reply.status == _FORBIDDEN and is_said and has_id


def listed(
    ask: Callable[[str], dict[str, Any]], *, state: str | None, limit: int
) -> list[dict[str, Any]]:
    """Return requests as JSON values, over as many answers as they take.

    Args:
        ask: Returns what the daemon answers at a path.
        state: Only these, separated by commas; None: all.
        limit: At most so many.
    """
    rows: list[dict[str, Any]] = []
    further: dict[str, str] = {} if state is None else {"state": state}
    while len(rows) < limit:
        query = further | {"limit": str(limit - len(rows))}
        value = ask(f"/confirm?{urlencode(query)}")
        rows += rows_of(value)
        last = value.get("next")
        if not isinstance(last, str) or further.get("after") == last:
            break
        further["after"] = last
    return rows[:limit]


def rows_of(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the one list of objects that an answer holds.

    Raises:
        Unreachable: It holds none.
    """
    lists = [held for held in value.values() if isinstance(held, list)]
    if len(lists) != 1 or not all(isinstance(row, dict) for row in lists[0]):
        raise Unreachable("the daemon's answer holds no list")
    return list(lists[0])


def _status_of(reply: Reply) -> str:
    """Return the status that goes with an HTTP code; one asked again may be further on."""
    said = reply.value.get("status")
    return said if isinstance(said, str) else _STATUS_OF[reply.status]


def _path(request_id: str, verb: str = "") -> str:
    path = f"/confirm/{quote(request_id, safe='')}"
    return f"{path}/{verb}" if verb else path

"""A daemon for tests: the domain behind the plainest of HTTP, and faults on demand."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from oldhand.clock import system_clock
from oldhand.confirm import credentials, people, principals
from oldhand.confirm.model import Principal, Request, Rules
from oldhand.confirm.policies import put_policy
from oldhand.confirm.requests import consume, decide, facts
from oldhand.confirm.requests import submit as submitting
from oldhand.confirm.requests.differences import differences
from oldhand.confirm.requests.expire import expire_due
from oldhand.confirm.requests.read import find_request
from oldhand.confirm.requests.said import message_for_model
from oldhand.confirm.requests.states import FINAL
from oldhand.confirm.requests.withdraw import cancel
from oldhand.errors import OldhandError, RequestConflict
from oldhand.store import Store, open_database

Fault = Callable[[BaseHTTPRequestHandler], bool]
POLICY = """
version = 1
[[rule]]
id = "look"
effect = "allow"
match = { action = "look" }
[[rule]]
id = "never"
effect = "deny"
match = { action = "never" }
why = "It is never done."
"""


def no_fault(_: BaseHTTPRequestHandler) -> bool:
    """Let the request be answered as it should."""
    return False


class Daemon:
    """What agents see of `oldhand serve`, without it.

    Attributes:
        fault: Called before a request is answered; True where it has answered itself.
        asked: Method and path of each request, as they came.
    """

    def __init__(self, file: Path, *, port: int = 0) -> None:
        """Start on a port of its own."""
        self.file = file
        with_store = open_database(str(file))
        self.fault: Fault = no_fault
        self.asked: list[str] = []
        self.keys: list[str | None] = []
        self.person = self._principal(with_store, "ada", "person")
        self.agent = self._principal(with_store, "coder", "agent")
        self.token = credentials.issue_token(
            with_store, self.agent, by=None, clock=system_clock
        )
        put_policy(with_store, POLICY, by=None, clock=system_clock)
        with_store.close()
        self._serve(port)

    def _principal(self, store: Store, name: str, kind: Any) -> Principal:
        known = [
            each for each in principals.list_principals(store) if each.name == name
        ]
        if known:
            return known[0]
        return principals.add_principal(
            store, name, kind=kind, by=None, clock=system_clock
        )

    def _serve(self, port: int) -> None:
        daemon = self

        class Handler(BaseHTTPRequestHandler):
            def _any(self) -> None:
                daemon.asked.append(f"{self.command} {self.path}")
                daemon.keys.append(self.headers.get("Idempotency-Key"))
                if not daemon.fault(self):
                    answer(daemon, self)

            do_GET = do_POST = _any  # noqa: N815 - the names are the library's

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def stop(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def restart(self) -> None:
        """Answer again, on the same port."""
        self._serve(self.port)

    def speak_tls(self, certificate: Path) -> None:
        """Speak nothing but TLS from now on."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )

    def find(self, request_id: str) -> Request:
        """Return a request as a person sees it."""
        store = open_database(str(self.file))
        try:
            return find_request(store, request_id, by=self.person)
        finally:
            store.close()

    def decide(
        self,
        request_id: str,
        *,
        reason: str = "",
        details: dict[str, Any] | None = None,
        is_yes: bool = True,
    ) -> None:
        """Decide as a person."""
        store = open_database(str(self.file))
        request = find_request(store, request_id, by=self.person)
        given: Any = {
            "by": self.person, "rev": request.rev, "digest": request.digest,
            "reason": reason, "via": "test", "clock": system_clock,
        }  # fmt: skip
        if is_yes:
            decide.approve(store, request_id, details=details, **given)
        else:
            decide.deny(store, request_id, **given)
        store.close()


def answer(daemon: Daemon, handler: BaseHTTPRequestHandler) -> None:
    """Answer a request by the domain."""
    store = open_database(str(daemon.file))
    try:
        status, value = _answered(store, handler)
    except OldhandError as fault:
        status = fault.http_status
        value = {"title": fault.code, "status": status, "detail": str(fault)}
        if isinstance(fault, RequestConflict):
            value["why"] = fault.why
    finally:
        store.close()
    send(handler, status, value)


def send(
    handler: BaseHTTPRequestHandler, status: int, value: object, **headers: str
) -> None:
    """Send one answer; bytes as they are."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(data)))
    for name, held in headers.items():
        handler.send_header(name.replace("_", "-"), held)
    handler.end_headers()
    handler.wfile.write(data)


def _answered(  # noqa: PLR0911 - one for each question
    store: Store, handler: BaseHTTPRequestHandler
) -> tuple[int, dict[str, Any]]:
    parts = urlsplit(handler.path)
    _, _, request_id, verb = (*parts.path.split("/"), "", "")[:4]
    length = int(handler.headers.get("Content-Length") or 0)
    body: Any = facts.read_json(handler.rfile.read(length)) if length else {}
    token = handler.headers.get("Authorization", "").removeprefix("Bearer ")
    by = credentials.authenticate_token(store, token, now_us=system_clock())
    if by is None:
        return 401, {"detail": "no such token"}
    if handler.command == "GET":
        return 200, _shown(_polled(store, request_id, by, parse_qs(parts.query)))
    if not request_id:
        key = handler.headers.get("Idempotency-Key")
        draft = facts.check_draft(body, idempotency_key=key)
        made = submitting.submit(
            store, draft, requester=by, rules=Rules(), clock=system_clock
        )
        if made.state == "blocked":
            problem = {"status": 403, "state": "blocked", "code": "blocked"}
            return 403, _shown(made) | problem
        return (202 if made.state == "pending" else 200), _shown(made)
    if verb == "consume":
        used = consume.consume(
            store, request_id, by=by, action=body["action"], details=body["details"],
            target=body.get("target", ""), clock=system_clock, sign=lambda _: b"\0" * 64,
        )  # fmt: skip
        return 200, _shown(used.request) | {"grant": used.grant}
    if verb == "result":
        done = consume.report_result(
            store, request_id, by=by, is_success=body["success"],
            summary=body.get("summary", ""), clock=system_clock,
        )  # fmt: skip
        return 200, _shown(done)
    if verb == "cancel":
        return 200, _shown(cancel(store, request_id, by=by, clock=system_clock))
    return 403, {"detail": "only people may do this"}


def _polled(
    store: Store, request_id: str, by: Principal, query: dict[str, list[str]]
) -> Request:
    polls = 40 * int(query.get("wait", ["0"])[0])
    for _ in range(polls):
        expire_due(store, clock=system_clock)
        found = find_request(store, request_id, by=by)
        if found.state != "pending" or found.state in FINAL:
            return found
        threading.Event().wait(0.025)
    return find_request(store, request_id, by=by)


def _shown(request: Request) -> dict[str, Any]:
    shown = {
        "id": request.id, "status": request.state, "rev": request.rev,
        "action": request.action, "details": request.details, "target": request.target,
        "digest": request.digest, "timeout_seconds": request.timeout_seconds,
        "url": f"http://localhost:6060/inbox/{request.id}",
        "message_for_model": message_for_model(request),
    }  # fmt: skip
    if request.original_details is not None:
        shown["edits"] = differences(request.original_details, request.details)
    return shown


def with_password(daemon: Daemon, password: str) -> None:
    """Give the person a password."""
    store = open_database(str(daemon.file))
    link = people.make_link(store, daemon.person, by=None, clock=system_clock)
    people.redeem_link(store, link, password=password, clock=system_clock)
    store.close()

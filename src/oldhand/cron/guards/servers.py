"""What a server on one's own machine or network says of the windows that it serves.

Asked are vLLM and others that speak OpenAI's protocol (`/v1/models`), llama.cpp (`/props`),
Ollama (`/api/ps`, `/api/show`) and LM Studio (`/api/v0/models`); two seconds for all. What a
model could hold and what a server gives it differ: what it gives goes first. Nothing is
asked of a server in the cloud, no redirect is followed, and nothing is sent to an address
that turns out not to be one's own.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http import HTTPStatus
from socket import SHUT_RDWR
from typing import Any
from urllib.parse import quote, urlsplit

from oldhand.cron.guards.local import is_own, is_own_address

LIMIT_SECONDS = 2.0
REMEMBER_SECONDS = 3_600.0
MAX_BYTES = 4_000_000
_MOST_TOKENS = 10**9
_SUFFIX = re.compile(r"/(?:api/)?(?:v\d+|api)/?$|/$")
_NUM_CTX = re.compile(r"^\s*num_ctx\s+(\d+)", re.MULTILINE)
_OF_MODELS = ("max_model_len", "context_length", "context_window", "max_context_length")


class Servers:
    """Asks servers, and remembers for an hour what they said.

    Args:
        counter: Seconds since some moment; nobody sets it.
        limit_seconds: For all that is asked of one server about one model.
    """

    def __init__(
        self,
        *,
        counter: Callable[[], float] = time.monotonic,
        limit_seconds: float = LIMIT_SECONDS,
    ) -> None:
        """Begin with nothing known."""
        self._counter = counter
        self._limit_seconds = limit_seconds
        self._known: dict[tuple[str, str], tuple[float, int]] = {}

    def window(self, base_url: str, model: str) -> int | None:
        """Return how many tokens a server gives a model; None where it does not say.

        Args:
            base_url: Of the server, with or without `/v1`.
            model: As the server calls it.
        """
        if not (base_url.startswith("http") and is_own_address(base_url)):
            return None
        known = self._known.get((base_url, model))
        if known is not None and self._counter() - known[0] < REMEMBER_SECONDS:
            return known[1]
        tokens = _Asking(base_url, model, self._limit_seconds).answer()
        if tokens is not None:
            self._known[base_url, model] = (self._counter(), tokens)
        return tokens


class _Asking:
    """One server, asked about one model, in a thread: to find a name may take long."""

    def __init__(self, base_url: str, model: str, limit_seconds: float) -> None:
        self._url = urlsplit(_SUFFIX.sub("", base_url))
        self._model = model
        self._until = time.monotonic() + limit_seconds
        self._tokens: int | None = None
        self._connection: http.client.HTTPConnection | None = None
        self._thread = threading.Thread(
            target=self._ask, name="oldhand-window", daemon=True
        )

    def answer(self) -> int | None:
        self._thread.start()
        self._thread.join(self._left())
        connection = self._connection
        if self._thread.is_alive() and connection is not None and connection.sock:
            with suppress(OSError):  # closed already
                connection.sock.shutdown(SHUT_RDWR)
        return self._tokens

    def _left(self) -> float:
        return max(0.0, self._until - time.monotonic())

    def _ask(self) -> None:
        for tokens in self._answers():
            if tokens is not None and 0 < tokens <= _MOST_TOKENS:
                self._tokens = tokens
                return

    def _answers(self) -> Iterator[int | None]:
        yield self._of_list(self._json("GET", "/v1/models"), "data", _OF_MODELS)
        # Without `autoload` to ask may load a model into a full machine's memory.
        props = f"/props?model={quote(self._model, safe='')}&autoload=false"
        served = self._json("GET", props)
        yield _number(served, "default_generation_settings", "n_ctx")
        yield self._of_list(self._json("GET", "/api/ps"), "models", ("context_length",))
        yield _of_ollama(self._json("POST", "/api/show", {"model": self._model}))
        lm_studio = self._json("GET", "/api/v0/models")
        fields = ("loaded_context_length", "max_context_length")
        yield self._of_list(lm_studio, "data", fields)

    def _of_list(self, answer: Any, key: str, fields: tuple[str, ...]) -> int | None:  # noqa: ANN401 - any JSON
        listed = answer.get(key) if isinstance(answer, dict) else None
        for each in listed if isinstance(listed, list) else ():
            if isinstance(each, dict) and self._model in (
                each.get("id"), each.get("name"), each.get("model"), each.get("root")
            ):  # fmt: skip
                found = (_number(each, field) for field in fields)
                return next((tokens for tokens in found if tokens is not None), None)
        return None

    def _json(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - any JSON
        """Return what a server answers; None where it is no success, or no JSON."""
        if self._left() <= 0:
            return None
        sent = None if body is None else json.dumps(body)
        headers = {"Content-Type": "application/json", "User-Agent": "oldhand"}
        try:
            with closing(self._open()) as connection:
                if not _is_own_peer(connection):
                    return None
                connection.request(method, self._url.path + path, sent, headers)
                with connection.getresponse() as answer:
                    data = answer.read(MAX_BYTES + 1)
                    is_whole = len(data) <= MAX_BYTES
                    is_right = answer.status == HTTPStatus.OK and is_whole
                    return json.loads(data) if is_right else None
        except (OSError, http.client.HTTPException, ValueError, RecursionError):
            return None

    def _open(self) -> http.client.HTTPConnection:
        is_plain = self._url.scheme == "http"
        kind = http.client.HTTPConnection if is_plain else http.client.HTTPSConnection
        host, port = self._url.hostname or "", self._url.port
        made = kind(host, port, timeout=max(0.01, self._left()))
        self._connection = made
        made.connect()
        return made


def _is_own_peer(connection: http.client.HTTPConnection) -> bool:
    """Say whether a name led to a machine of one's own."""
    host = str(connection.sock.getpeername()[0])
    return is_own(ipaddress.ip_address(host.partition("%")[0]))


def _of_ollama(answer: Any) -> int | None:  # noqa: ANN401 - any JSON
    """Read what a model is set to, else what it could hold at most."""
    if not isinstance(answer, dict):
        return None
    said = _NUM_CTX.search(str(answer.get("parameters") or ""))
    if said:
        return int(said[1])
    info = answer.get("model_info")
    for key, value in info.items() if isinstance(info, dict) else ():
        if str(key).endswith(".context_length") and type(value) is int:
            return value
    return None


def _number(answer: Any, *keys: str) -> int | None:  # noqa: ANN401 - any JSON
    for key in keys:
        answer = answer.get(key) if isinstance(answer, dict) else None
    return answer if type(answer) is int else None

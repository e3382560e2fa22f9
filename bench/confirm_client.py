"""The client of both daemons, a process of its own: so many connections, no more work than needed.

    python -m bench.confirm_client TASK SERVER-AS-JSON ARGUMENTS-AS-JSON

Task `flow`: on each connection submit, approve, status, again and again for some seconds.
Task `wait`: so many long polls at once; then decide some, one after the other.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

_BODY = json.dumps(
    {
        "action": "restart_worker",
        "details": {"env": "prod", "version": 7, "command": "systemctl restart worker"},
        "description": "The worker hangs; restart it.",
    }
).encode()
_COLUMNS = b"content-length: "
Answer = dict[str, Any]


class Connection(asyncio.Protocol):
    """One connection that is kept open, with one request under way at most."""

    def __init__(self) -> None:
        """Begin without any data."""
        self._data = b""
        self._answer: asyncio.Future[bytes] | None = None
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Give an answer out when it is whole."""
        self._data += data
        head, mark, body = self._data.partition(b"\r\n\r\n")
        if not mark or self._answer is None:
            return
        at = head.lower().find(_COLUMNS)
        if at < 0:
            self._answer.set_exception(ValueError(head))
            return
        length = int(head[at + len(_COLUMNS) :].split(b"\r\n", 1)[0])
        if len(body) >= length:
            answer, self._answer, self._data = self._answer, None, b""
            if head[9:10] == b"2":
                answer.set_result(body)
            else:
                answer.set_exception(ValueError(head + b"\n" + body))

    def connection_lost(self, fault: Exception | None) -> None:
        """Tell who waits."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(fault or ConnectionError("closed"))

    async def send(self, data: bytes) -> Any:  # noqa: ANN401 - JSON
        """Send a request; return its answer's body."""
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(data)
        return json.loads(await self._answer)


class Requests:
    """Requests as bytes, for a server that said who is signed in, or for one without."""

    def __init__(self, server: Answer) -> None:
        """Make the heads."""
        host = server.get("url", f"http://127.0.0.1:{server['port']}").removeprefix(
            "http://"
        )
        common = f"Host: {host}\r\nContent-Type: application/json\r\n"
        agent = person = common
        if "token" in server:
            agent += f"Authorization: Bearer {server['token']}\r\n"
            person += (
                f"Cookie: oldhand_session={server['session']}\r\n"
                f"X-CSRF-Token: {server['csrf']}\r\nOrigin: {server['url']}\r\n"
            )
        self._agent, self._person = agent, person
        self._submit = _post("/confirm", agent, _BODY)

    def submit(self) -> bytes:
        """Ask."""
        return self._submit

    def approve(self, asked: Answer) -> bytes:
        """Say yes to what was answered."""
        shown = {
            "rev": asked.get("rev", 1),
            "digest": asked.get("digest"),
            "approver": "ben",
        }
        if "digest" in asked:
            del shown["approver"]
        body = json.dumps(shown).encode()
        return _post(f"/confirm/{asked['id']}/approve", self._person, body)

    def status(self, asked: Answer, *, wait: int = 0) -> bytes:
        """Ask what became of it."""
        query = f"?wait={wait}" if wait else ""
        return (
            f"GET /confirm/{asked['id']}{query} HTTP/1.1\r\n{self._agent}\r\n".encode()
        )


def _post(path: str, head: str, body: bytes) -> bytes:
    lines = f"POST {path} HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n"
    return lines.encode() + body


async def _connect(server: Answer) -> Connection:
    loop = asyncio.get_running_loop()
    _, made = await loop.create_connection(Connection, "127.0.0.1", server["port"])
    return made


async def flow(server: Answer, *, connections: int, seconds: float) -> Answer:
    """Submit, approve and look, on each connection, until the time is over."""
    requests = Requests(server)
    opened = [await _connect(server) for _ in range(connections)]
    taken: list[float] = []
    clock = time.perf_counter
    until = clock() + seconds

    async def run(connection: Connection) -> None:
        while clock() < until:
            began = clock()
            asked = await connection.send(requests.submit())
            submitted = clock()
            await connection.send(requests.approve(asked))
            approved = clock()
            found = await connection.send(requests.status(asked))
            if found["status"] != "approved":
                raise ValueError(found)
            taken.extend((submitted - began, approved - submitted, clock() - approved))

    began = clock()
    worked = time.process_time()
    await asyncio.gather(*map(run, opened))
    elapsed = clock() - began
    return {
        "per_second": len(taken) / elapsed,
        "requests": len(taken),
        "client_share": (time.process_time() - worked) / elapsed,
        **_percentiles(taken),
    }


async def wait(server: Answer, *, waiters: int, decisions: int) -> Answer:
    """Have many wait, decide some; the time is from sending a decision to its waiter."""
    requests = Requests(server)
    desk = await _connect(server)
    asked = [await desk.send(requests.submit()) for _ in range(waiters)]
    heard: dict[str, float] = {}

    async def hear(each: Answer) -> None:
        connection = await _connect(server)
        found = await connection.send(requests.status(each, wait=55))
        if found["status"] == "approved":
            heard[each["id"]] = time.perf_counter()

    waiting = [asyncio.create_task(hear(each)) for each in asked]
    await asyncio.sleep(3)
    taken = []
    step = waiters // decisions
    for at in range(0, step * decisions, step):
        sent = time.perf_counter()
        await desk.send(requests.approve(asked[at]))
        await waiting[at]
        taken.append(heard[asked[at]["id"]] - sent)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    return _percentiles(taken)


def _percentiles(taken: list[float]) -> Answer:
    cuts = statistics.quantiles(taken, n=100)
    return {"p50_ms": cuts[49] * 1e3, "p99_ms": cuts[98] * 1e3}


def main() -> None:
    """Do one task and print what came of it."""
    task: Callable[..., Coroutine[Any, Any, Answer]]
    task = flow if sys.argv[1] == "flow" else wait
    server, arguments = json.loads(sys.argv[2]), json.loads(sys.argv[3])
    print(json.dumps(asyncio.run(task(server, **arguments))))


if __name__ == "__main__":
    main()

"""The daemon: sockets, an event loop in a thread, and what runs beside it."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import uvicorn

from oldhand.clock import Clock
from oldhand.confirm.audit.checkpoint import Checkpoint, read_checkpoints
from oldhand.confirm.keys import SigningKey
from oldhand.confirm.model import Rules
from oldhand.confirm.moments import SteadyClock
from oldhand.errors import StoreReadOnly
from oldhand.notices import Channels
from oldhand.store import Store
from oldhand.store.group_writer import GroupWriter
from oldhand.web.address import Address
from oldhand.web.app import make_app
from oldhand.web.clockwork import Clockwork, JobWork
from oldhand.web.courier import Courier
from oldhand.web.desk import Desk, Told
from oldhand.web.exposure import Exposure, address_at, check_exposure, listen
from oldhand.web.heads import BoundedHeads
from oldhand.web.policy_file import PolicyFile
from oldhand.web.upkeep import Upkeep

STOP_SECONDS = 3
"""For answers that are under way when the daemon is told to stop."""
_KEEP_ALIVE_SECONDS = 30
_SIGNAL_SECONDS = 0.25
"""A signal that comes just before the main thread begins to wait is heard when that ends."""


class Parts(NamedTuple):
    """What a daemon works with beside its database.

    Attributes:
        key: Signs grants and checkpoints; None: one for this run alone.
        rules: What holds for all requests.
        policy_file: Says which policy holds; None: what the database holds.
        checkpoints_file: Where checkpoints are written outside the database.
        channels: By which people are told; None: by none.
        told: What is done when a request is held, and when it is over.
        clock: None: the system's, held so that it never goes back.
        jobs: What it does for jobs.
    """

    key: SigningKey | None = None
    rules: Rules = Rules()
    policy_file: Path | None = None
    checkpoints_file: Path | None = None
    channels: Channels | None = None
    told: Told = Told()
    clock: Clock | None = None
    jobs: JobWork = JobWork()


_USUAL = Parts()


class ConfirmationServer:
    """A daemon that holds actions for people, for as long as a block lasts.

    Entering returns when it answers; leaving stops it: who waits is answered, what was
    handed in is written.

    Example:
        >>> from oldhand.store import open_database
        >>> with ConfirmationServer(open_database(":memory:"), port=0) as server:
        ...     server.url.startswith("http://localhost:")
        True
    """

    def __init__(
        self,
        store: Store,
        *,
        host: str = "127.0.0.1",
        port: int = 6060,
        exposure: Exposure | None = None,
        parts: Parts = _USUAL,
    ) -> None:
        """Say what is to be served; nothing is opened yet.

        Args:
            store: Where the requests are; it stays the caller's to close, afterwards.
            host: Where to listen.
            port: Likewise; 0: one that is free.
            exposure: Instead of host and port, with TLS and the like.
            parts: What it works with.

        Raises:
            InvalidInput: No browser would open it, or others could listen in.
            StoreReadOnly: The database cannot be written.
        """
        self._exposure = exposure or Exposure(host=host, port=port)
        check_exposure(self._exposure)
        if store.read_only_reason is not None:
            raise StoreReadOnly(
                f"{store.url}: cannot be written: {store.read_only_reason}"
            )
        self._store = store
        self._parts = parts
        self._address: Address | None = None
        self._server: _Server | None = None
        self._is_ready = threading.Event()
        self._is_to_stop = False
        self._fault: BaseException | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """How it is reached, without a slash at the end; once it listens."""
        if self._address is None:
            raise RuntimeError("it does not listen yet")
        return self._address.url

    @property
    def waiting_count(self) -> int:
        """How many wait for a request right now."""
        return 0 if self._server is None else self._server.desk.follower.waiting_count

    def start(self, *, before: Callable[[], None] = lambda: None) -> None:
        """Listen, and return when it answers.

        Args:
            before: Called when the port is ours and `url` says it, and nobody is answered
                yet.

        Raises:
            InvalidInput: It cannot listen there.
        """
        sockets = listen(self._exposure)
        port = sockets[0].getsockname()[1]
        self._address = address_at(self._exposure, port=port)
        try:
            before()
        except BaseException:
            for each in sockets:
                each.close()
            raise
        self._thread = threading.Thread(
            target=self._run, args=(sockets, self._address), name="oldhand-server"
        )
        self._thread.start()
        while not self._is_ready.wait(_SIGNAL_SECONDS):
            pass
        if self._fault is not None:
            self._thread.join()
            raise self._fault

    def stop_soon(self) -> None:
        """Begin to stop; also from a signal's handler, and before it answers."""
        self._is_to_stop = True
        if self._server is not None:
            self._server.should_exit = True

    def wait(self) -> None:
        """Return when it has stopped.

        Raises:
            BaseException: What made it stop by itself.
        """
        if self._thread is not None:
            while self._thread.is_alive():
                self._thread.join(_SIGNAL_SECONDS)
        if self._fault is not None:
            raise self._fault

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop_soon()
        self.wait()

    def _run(self, sockets: list[socket.socket], address: Address) -> None:
        try:
            asyncio.run(self._serve(sockets, address))
        except BaseException as fault:  # noqa: BLE001 - raised again by start or wait
            self._fault = fault
        finally:
            for each in sockets:
                each.close()
            self._is_ready.set()

    async def _serve(self, sockets: list[socket.socket], address: Address) -> None:
        parts = self._parts
        with GroupWriter(self._store) as writer:
            desk = Desk(
                self._store,
                writer,
                address=address,
                key=parts.key or SigningKey(os.urandom(32)),
                rules=parts.rules,
                clock=parts.clock or SteadyClock(),
                told=parts.told,
                jobs=parts.jobs,
                outside_checkpoints=_reader_of(parts.checkpoints_file),
                has_policy_file=lambda: bool(
                    parts.policy_file and parts.policy_file.exists()
                ),
            )
            try:
                await self._serve_desk(desk, sockets)
            finally:
                desk.close()

    async def _serve_desk(self, desk: Desk, sockets: list[socket.socket]) -> None:
        policy_file = PolicyFile(desk, self._parts.policy_file)
        await policy_file.begin()
        upkeep = Upkeep(
            desk,
            policy_file=policy_file,
            checkpoints_file=self._parts.checkpoints_file,
        )
        tasks = upkeep.start()
        courier_store = self._store.another()
        courier = Courier(
            courier_store, self._parts.channels or Channels(), clock=desk.clock,
            faults=desk.faults,
        )  # fmt: skip
        clockwork = self._clockwork(desk)
        self._server = _Server(self._config(desk), desk=desk, is_ready=self._is_ready)
        self._server.should_exit = self._is_to_stop
        try:
            await self._server.serve(sockets=sockets)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await upkeep.stop()
            if clockwork is not None:
                await asyncio.to_thread(clockwork.stop)
            is_over = courier.stop(wait_seconds=1)
            if is_over and courier_store is not self._store:
                courier_store.close()

    def _clockwork(self, desk: Desk) -> Clockwork | None:
        make = self._parts.jobs.scheduler
        if make is None:
            return None
        address = desk.address.url
        made = Clockwork(make(self._store, lambda run_id: f"{address}/runs/{run_id}"))
        desk.is_scheduling = lambda: made.is_alive
        return made

    def _config(self, desk: Desk) -> uvicorn.Config:
        return uvicorn.Config(
            make_app(desk),
            http=BoundedHeads,
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
            ssl_certfile=self._exposure.tls_cert,
            ssl_keyfile=self._exposure.tls_key,
        )


class _Server(uvicorn.Server):
    """Says when it answers, and has those who wait answered when it stops."""

    def __init__(
        self, config: uvicorn.Config, *, desk: Desk, is_ready: threading.Event
    ) -> None:
        super().__init__(config)
        self.desk = desk
        self._is_ready = is_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._is_ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.desk.follower.close()
        await super().shutdown(sockets=sockets)


def _reader_of(file: Path | None) -> Callable[[], list[Checkpoint]]:
    return lambda: read_checkpoints(file) if file and file.exists() else []

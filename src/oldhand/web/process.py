"""The daemon as a process of its own: its signals and its limits."""

from __future__ import annotations

import logging
import resource
import signal
from collections.abc import Callable

from oldhand.web.server import ConfirmationServer

logger = logging.getLogger(__name__)


def serve(
    server: ConfirmationServer,
    *,
    before: Callable[[], None],
    ready: Callable[[], None],
) -> None:
    """Serve until SIGTERM or SIGINT, in the main thread of a process.

    Args:
        server: Not started yet.
        before: Called when the port is its own, and nobody is answered yet.
        ready: Called when it answers.

    Raises:
        InvalidInput: It cannot listen there.
    """
    _allow_many_files()
    handlers = {
        number: signal.signal(number, lambda *_: server.stop_soon())
        for number in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        server.start(before=before)
        try:
            ready()
            server.wait()
        finally:
            server.stop_soon()
            server.wait()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _allow_many_files() -> None:
    """Let ten thousand wait: each has a connection, and the usual limit is 1,024."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    except (ValueError, OSError) as fault:  # as on macOS, where the limit is elsewhere
        logger.info("the limit of open files stays as it is: %s", fault)

"""Ask the daemon until it answers: a restart in the middle is nobody's fault."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from oldhand.errors import Unreachable
from oldhand.integrations.gate.problems import error_of
from oldhand.integrations.gate.transport import Address, Reply, exchange

ANSWER_SECONDS = 20.0
"""So long one answer may take; a long poll takes what it asks for beside it."""
_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 2.0
_BUSY = 503

Sleep = Callable[[float], None]
Counter = Callable[[], float]


class PatientCalls:
    """The way to one daemon.

    A call is asked again when nobody answers, or the answer is 503, until its time is over.
    What changes something must therefore be harmless when it is said twice: a request
    carries an idempotency key, and all else is refused the second time.
    """

    def __init__(
        self,
        address: Address,
        *,
        patience_seconds: float = 30.0,
        waits_for_start: bool = True,
        sleep: Sleep = time.sleep,
        counter: Counter = time.monotonic,
    ) -> None:
        """Connect to nothing yet.

        Args:
            address: Where it is.
            patience_seconds: So long a call is asked again.
            waits_for_start: Also where nobody listens and nobody ever has; else that is
                told at once.
            sleep: Waits.
            counter: Tells seconds since some moment.
        """
        self.address = address
        self._patience = patience_seconds
        self._waits_for_nobody = waits_for_start
        self.sleep = sleep
        self.counter = counter

    def ask(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str],
        body: Mapping[str, Any] | None = None,
        wait_seconds: float = 0.0,
        until: float | None = None,
    ) -> Reply:
        """Return the answer, also where it is a problem.

        Args:
            method: As `POST`.
            path: With the query.
            headers: Of this call.
            body: A JSON object.
            wait_seconds: So long the daemon was asked to hold the answer back.
            until: By the counter, when to give up; None: after the patience.

        Raises:
            Unreachable: Nobody answered in time, or what did is not the daemon.
        """
        if until is None:
            until = self.counter() + self._patience
        pause = _FIRST_PAUSE_SECONDS
        while True:
            fault: OSError | None = None
            try:
                reply = exchange(
                    self.address, method, path, headers=headers, body=body,
                    timeout_seconds=ANSWER_SECONDS + wait_seconds,
                )  # fmt: skip
            except OSError as broken:
                fault = broken
            else:
                self._waits_for_nobody = True
                if reply.status != _BUSY:
                    return reply
            left = until - self.counter()
            is_nobody = isinstance(fault, ConnectionRefusedError)
            if left <= 0 or (is_nobody and not self._waits_for_nobody):
                raise self._gone(fault) from fault
            self.sleep(min(pause, left))
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)

    def value_of(self, reply: Reply, *, known: frozenset[int]) -> dict[str, Any]:
        """Return what a reply says, where its status is one of those known.

        Raises:
            OldhandError: The problem that it tells of.
            Unreachable: Its status is none that the daemon gives.
        """
        if reply.status in known:
            return reply.value
        raise error_of(reply)

    def _gone(self, fault: OSError | None) -> Unreachable:
        said = (
            "is busy"
            if fault is None
            else (fault.strerror or str(fault) or "no answer")
        )
        if isinstance(fault, ConnectionRefusedError):
            return Unreachable(
                f"{self.address.origin}: nobody listens there; `oldhand serve` starts the "
                "daemon, OLDHAND_CONFIRM_URL names one elsewhere"
            )
        return Unreachable(
            f"{self.address.origin}: {said}",
            advice="is the daemon running? `oldhand serve` starts it",
        )

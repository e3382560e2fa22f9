"""What was refused, in the log: some rows for many refusals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.store import Store

_MOST_FAULT = 500


class Refused(NamedTuple):
    """So often somebody was refused something.

    Attributes:
        code: Of the error, as `forbidden`.
        principal: By name; None: nobody that is known.
        times: How often since the last row of the kind.
    """

    code: str
    principal: str | None
    times: int


def write_refused(store: Store, refused: Iterable[Refused], *, clock: Clock) -> None:
    """Write each kind of refusal as one row of the log, `refused`."""
    with store.transaction():
        chain = Chain(store, clock)
        for code, principal, times in refused:
            chain.append("refused", principal=principal, code=code, times=times)


def write_policy_fault(store: Store, fault: str, *, clock: Clock) -> None:
    """Tell the log that a policy's file was none, so that the one before goes on."""
    with store.transaction():
        chain = Chain(store, clock)
        chain.append("policy_refused", principal=None, fault=fault[:_MOST_FAULT])

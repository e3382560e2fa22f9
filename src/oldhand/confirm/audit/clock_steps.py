"""What is done when somebody sets the wall clock.

Set back, nothing lives longer: the daemon's clock never goes back. Leapt forward, as after
a night asleep, nobody can say how long a request really waited: what waits expires.
"""

from __future__ import annotations

from collections.abc import Iterable

from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
REASON = "clock_jump"


def write_steps(store: Store, steps: Iterable[int], *, clock: Clock) -> list[str]:
    """Tell the log of steps of the wall clock, and expire what waits after one forward.

    Args:
        store: Where the requests are.
        steps: As `moments.SteadyClock.steps` returns them, in microseconds.
        clock: Tells the time.

    Returns:
        The ids of the requests that expired.
    """
    expired: list[str] = []
    with store.transaction():
        chain = Chain(store, clock)
        for step_us in steps:
            kind = "clock_set_back" if step_us < 0 else "clock_leapt"
            chain.append(kind, principal=None, seconds=abs(step_us) // 1_000_000)
            if step_us > 0:
                expired += _expire_all(store, chain)
    return expired


def _expire_all(store: Store, chain: Chain) -> list[str]:
    ids = [number for (number,) in store.query_all(_SQL["pending_ids"])]
    for number in ids:
        values = {"id": number, "reason": REASON, "now_us": chain.now_us}
        store.execute(_SQL["expire_for_leap"], values)
        chain.append("expired", principal=None, request_id=number, reason=REASON)
    return ids

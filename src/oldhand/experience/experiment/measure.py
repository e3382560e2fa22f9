"""What came of each assigned session, read off the calls on record.

A session is *settled* when it has made its first calls (the experiment's horizon) and all
of them are answered, when it has ended, or when it was silent for a day; also when it is
not on record a day after it was assigned, as one that was closed at once. What a settled
session did later, or an import that comes late, changes what it is counted with.
"""

from __future__ import annotations

from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.experience.experiment.model import Arm, Experiment
from oldhand.sessions.known_tools import is_idle
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)
SILENT_US = 86_400_000_000
"""A session that was silent for so long is taken to have ended."""


class Measured(NamedTuple):
    """One assigned session.

    Attributes:
        session: Its uid.
        arm: What it drew, whatever happened after.
        is_held_out: It is cold for good.
        stratum: Its principal and agent, as known when it was assigned.
        assigned_at_us: Microseconds since 1970-01-01 UTC.
        given_tokens: How long what it was given was; 0 for nothing.
        is_recorded: It is on record.
        is_settled: What is looked at is there.
        first_calls: Its first working calls, 0 to the horizon.
        bad_calls: How many of them were bad, outcome `error`.
        calls: All its calls.
        refused_calls: Those that a person or a policy refused.
        tokens: All that it used; None where unknown.
        cost_usd: US dollars; None where unknown.
    """

    session: str
    arm: Arm
    is_held_out: bool
    stratum: str
    assigned_at_us: int
    given_tokens: int
    is_recorded: bool
    is_settled: bool
    first_calls: int
    bad_calls: int
    calls: int
    refused_calls: int
    tokens: int | None
    cost_usd: float | None

    @property
    def is_bad(self) -> bool:
        """Whether any of its first working calls was bad: the primary measure."""
        return self.bad_calls > 0

    @property
    def bad_call_rate(self) -> float | None:
        """The share of bad calls among the first; None where there was no call."""
        return self.bad_calls / self.first_calls if self.first_calls else None


def measure(
    store: Store, experiment: Experiment, *, clock: Clock = system_clock
) -> list[Measured]:
    """Read what came of each session of an experiment, in the order of the draw."""
    rows = store.query_all(
        _SQL["measured_sessions"],
        {
            "experiment_id": experiment.id,
            "horizon": experiment.horizon,
            "idle_tools": _idle_tools(store),
        },
    )
    now_us = clock()
    return [_measured(row, experiment.horizon, now_us) for row in rows]


def _idle_tools(store: Store) -> str:
    """Return the keys of tools that do no work, each between commas."""
    rows = store.query_all(_SQL["tool_names"])
    keys = ",".join(str(key) for key, name in rows if is_idle(name))
    return f",{keys},"


def _measured(row: Row, horizon: int, now_us: int) -> Measured:
    session, arm, is_held_out, principal, agent, assigned_at_us, given, *rest = row
    ended_at_us, updated_at_us, calls, *spent, cost, refused, first, bad, pending = rest
    known = [tokens for tokens in spent if tokens is not None]
    is_whole = first >= horizon and not pending
    last_us = max(updated_at_us or 0, assigned_at_us)
    has_ended = ended_at_us is not None and ended_at_us >= assigned_at_us
    return Measured(
        session=session,
        arm=arm,
        is_held_out=bool(is_held_out),
        stratum=f"{principal or ''}\n{agent or ''}",
        assigned_at_us=assigned_at_us,
        given_tokens=given or 0,
        is_recorded=updated_at_us is not None,
        is_settled=is_whole or has_ended or now_us - last_us >= SILENT_US,
        first_calls=first,
        bad_calls=bad,
        calls=calls or 0,
        refused_calls=refused,
        tokens=sum(known) if known else None,
        cost_usd=None if cost is None else cost / 1_000_000,
    )

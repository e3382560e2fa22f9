"""Which arm a session is in, and exactly what it was given: written before its first call.

The first asking draws; every later one is answered from the row, with the same bytes, so
that a resumed session goes on as it began.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import Conflict, InvalidInput, NothingToLearn
from oldhand.experience.example import Example
from oldhand.experience.experiment.draw import Draw, draw
from oldhand.experience.experiment.model import COLD, Arm, Experiment
from oldhand.experience.experiment.placebo import placebo_for
from oldhand.experience.harmless import IsRisky
from oldhand.experience.warm import WarmRequest, WarmStart, log_use, prepare
from oldhand.risk import is_risky as _is_risky
from oldhand.sessions.zstd import compress, decompress
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)


class Assignment(NamedTuple):
    """The arm of a session and what it is given.

    Attributes:
        experiment: The experiment's name.
        session: The session's uid.
        arm: What it drew.
        is_held_out: It is cold for good.
        is_new: It was drawn now, and not before.
        start: What it is given; without examples where that is nothing.
        note: Why it is given nothing, or what its placebo is made of; "" else.
    """

    experiment: str
    session: str
    arm: Arm
    is_held_out: bool
    is_new: bool
    start: WarmStart
    note: str

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it: a warm start with the arm."""
        return self.start.as_json() | {
            "experiment": self.experiment,
            "arm": self.arm,
            "is_held_out": self.is_held_out,
        }


def assign(
    store: Store,
    experiment: Experiment,
    request: WarmRequest,
    *,
    agent: str | None = None,
    is_risky: IsRisky = _is_risky,
    clock: Clock = system_clock,
) -> Assignment:
    """Draw the arm of a session and give it what belongs to it; or give the same again.

    When an experiment has been stopped, sessions that are new are held out or warm.

    Args:
        store: Where the experiment is.
        experiment: As it is stored.
        request: What a warm start is wanted for; its session must be named.
        agent: The program that the session runs in, where known.
        is_risky: Which calls are never shown.
        clock: Gives the time of the assignment.

    Raises:
        InvalidInput: No session is named, or the request cannot be met for any session.
        Conflict: The session has made calls before it was assigned, or was given its
            warm start for another target.
        NotFound: There is no such template.
    """
    session = request.session
    if not session:
        raise InvalidInput(
            "an experiment assigns sessions, and none is named",
            advice="name one with --session",
        )
    known = _known(store, experiment, request, session)
    if known is not None:
        return known
    before = store.query_one(_SQL["calls_before"], {"session": session})
    if before is not None and before[0]:
        raise Conflict(
            f"session {session!r} made {before[0]} calls before it was assigned; it can "
            f"take no part in experiment {experiment.name!r}"
        )
    drawn = draw(experiment, session)
    if experiment.stopped_at_us is not None and not drawn.is_held_out:
        drawn = Draw("warm", is_held_out=False)
    # Every arm does what the warm one does, so that what fails, fails in all of them.
    start, note = _prepared(store, request, drawn.arm, is_risky=is_risky)
    made = Assignment(experiment.name, session, *drawn, True, start, note)
    if _put(store, experiment, request, made, agent=agent, clock=clock):
        return made
    # Another process was quicker to assign it.
    return _known(store, experiment, request, session) or made


def _prepared(
    store: Store, request: WarmRequest, arm: Arm, *, is_risky: IsRisky
) -> tuple[WarmStart, str]:
    try:
        warm = prepare(store, request, is_risky=is_risky)
    except NothingToLearn as fault:
        return _nothing(request), str(fault)
    if arm == COLD:
        return _nothing(request), ""
    if arm == "warm":
        return warm, ""
    return placebo_for(store, request, warm, is_risky=is_risky)


def _nothing(request: WarmRequest) -> WarmStart:
    is_text = request.target == "text"
    return WarmStart(
        template=None,
        target=request.target,
        tokens=0,
        coverage=None,
        sessions=0,
        newest_us=None,
        examples=(),
        text="" if is_text else None,
        messages=None if is_text else [],
    )


def _known(
    store: Store, experiment: Experiment, request: WarmRequest, session: str
) -> Assignment | None:
    row = store.query_one(
        _SQL["assignment_of"], {"experiment_id": experiment.id, "session": session}
    )
    if row is None:
        return None
    arm, is_held_out, target, given, note = row
    if target != request.target:
        raise Conflict(
            f"session {session!r} was assigned for the target {target!r}; ask for that"
        )
    start = _nothing(request) if given is None else _start_from(given)
    return Assignment(
        experiment.name, session, arm, bool(is_held_out), False, start, note
    )


def _put(
    store: Store,
    experiment: Experiment,
    request: WarmRequest,
    made: Assignment,
    *,
    agent: str | None,
    clock: Clock,
) -> bool:
    """Write an assignment with what is given; say whether there was none before."""
    with store.transaction():
        row = store.query_one(
            _SQL["put_assignment"],
            {
                "experiment_id": experiment.id,
                "session": made.session,
                "arm": made.arm,
                "is_held_out": int(made.is_held_out),
                "principal": request.principal,
                "agent": agent,
                "target": request.target,
                "given": _start_to_bytes(made.start) if made.start.examples else None,
                "note": made.note,
                "assigned_at_us": clock(),
            },
        )
        if row is not None and made.start.examples:
            use_id = log_use(store, request, made.start, clock=clock)
            store.execute(_SQL["note_warm_use"], {"warm_use_id": use_id, "id": row[0]})
    return row is not None


def _start_to_bytes(start: WarmStart) -> bytes:
    return compress(json.dumps(start._asdict(), ensure_ascii=False).encode())


def _start_from(body: bytes) -> WarmStart:
    values: Row = json.loads(decompress(body))
    start = WarmStart(**values)  # type: ignore[arg-type]
    return start._replace(examples=tuple(Example(*each) for each in start.examples))

"""Give hints for a call that has just failed: what to look for, in which order.

The best repair comes first, as it says what to change. A call of the same shape that worked
comes where that repair shows none, then what came before such calls and is missing here.
What fits nothing of these is left out: a hint that does not help costs the room of one that
does. For the same reason there is no second repair: tried on real sessions, it said the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from oldhand.counted import counted
from oldhand.errors import NotFound
from oldhand.experience.example import Example
from oldhand.experience.fetch import fetch_example
from oldhand.experience.harmless import IsRisky, is_harmless
from oldhand.experience.hint.failure import Failure, asked_by
from oldhand.experience.hint.own import OwnCalls, own_calls
from oldhand.experience.hint.steps import may_name, step_name, steps_between
from oldhand.experience.render.neutral import neutral_json, neutral_line, neutral_text
from oldhand.experience.repair.change import changes
from oldhand.experience.repair.known import known_repairs, known_shape
from oldhand.experience.repair.mined import newest_unmined
from oldhand.experience.repair.model import (
    Asked,
    KnownRepair,
    KnownShape,
    KnownSuccess,
    Origin,
)
from oldhand.experience.repair.precondition import Precondition, preconditions
from oldhand.experience.shown import ShownCalls
from oldhand.named_tuple import NamedTuple
from oldhand.risk import is_risky as _is_risky
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.experience.repair")
MOST_HINTS = 3
_TRIED = 4  # of each kind, before it is given up: each is fetched and weighed
_RESULT_CHARS = 200
_WORD_CHARS = 100
_SHAPE_CHARS = 200


_Peer = tuple[int, Origin]
"""The key of a call like another, and where it is from."""


class Hint(NamedTuple):
    """One thing that may help, redacted and harmless to show.

    Attributes:
        kind: `repair`, `success` or `precondition`.
        tool: Of the call that is shown; of a precondition what came before.
        arguments: The call's, JSON text with sorted keys, an object; None of a
            precondition.
        result: The beginning of what it brought back; "" where it is not shown, None of a
            precondition.
        why: Why it is shown, and of a repair what changed: one line each.
        shape: What the call looks like without its particulars.
        session: The uid of the session that it is from; None of a precondition.
        call_id: As the agent named the call there; None of a precondition.
    """

    kind: str
    tool: str
    arguments: str | None
    result: str | None
    why: str
    shape: str
    session: str | None
    call_id: str | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it, with the documented keys."""
        return self._asdict()


def hints_for(
    store: Store, failure: Failure, *, is_risky: IsRisky = _is_risky
) -> list[Hint]:
    """Return what may help after a call has failed, best first: at most three.

    Args:
        store: Where the sessions are.
        failure: What failed.
        is_risky: Which calls are never shown.

    Returns:
        Nothing where it was no mistake, as a red test, and where nothing fits.
    """
    asked = asked_by(store, failure)
    if asked is None:
        return []
    unmined = newest_unmined(store, without=asked.session_id)
    if unmined:  # seldom, and a hook has few milliseconds
        from oldhand.experience.repair.keep import mine_some  # noqa: PLC0415

        mine_some(store, unmined)
    shown = ShownCalls(store, is_used=is_risky is _is_risky)
    giver = _Giver(store, asked, is_risky=is_risky, shown=shown)
    hints = list(giver.give(own_calls(store, failure, asked)))
    shown.keep()
    return hints[:MOST_HINTS]


class _Giver:
    """Looks for hints, and looks at what it finds before it is given."""

    def __init__(
        self, store: Store, asked: Asked, *, is_risky: IsRisky, shown: ShownCalls
    ) -> None:
        self._store = store
        self._asked = asked
        self._is_risky = is_risky
        self._shown = shown

    def give(self, own: OwnCalls) -> Iterator[Hint]:
        """Yield hints, best first."""
        repairs = known_repairs(self._store, self._asked, own=own.repairs)
        shape = known_shape(self._store, self._asked, own=own.successes)
        tried = (self._repair(repair, repairs) for repair in repairs[:_TRIED])
        repair = next(filter(None, tried), None)
        if repair is not None:
            yield repair.hint
        if repair is None or not repair.has_shape:
            found = (self._success(success, shape) for success in shape.successes)
            yield from islice(filter(None, islice(found, _TRIED)), 1)
        yield from self._missing_step(shape, own)

    def _repair(
        self, repair: KnownRepair, like_it: Sequence[KnownRepair]
    ) -> _Repair | None:
        same = [r for r in like_it if r.worked_shape == repair.worked_shape]
        failed = self._example(
            repair.failed_call, repair, [(r.failed_call, r.origin) for r in same]
        )
        worked = self._example(
            repair.worked_call, repair, [(r.worked_call, r.origin) for r in same]
        )
        if failed is None or worked is None:
            return None
        tool = neutral_line(worked.tool, _WORD_CHARS)
        kind = neutral_line(self._asked.error_kind, _WORD_CHARS)
        what = changes(
            worked.tool, json.loads(failed.arguments), json.loads(worked.arguments)
        )
        # What somebody else did besides is known from one session alone.
        between = [] if repair.origin.is_other else self._between(repair)
        why = [
            f"{tool} failed like this ({kind}) and then worked, in {counted(repair.support, 'session')}"
            f"{_where(repair.origin)}; what changed:",
            *(what or ["nothing in the call"]),
            *([f"called between: {', '.join(between)}"] if between else ()),
        ]
        hint = self._hint("repair", worked, "\n".join(why))
        return _Repair(hint, has_shape=repair.worked_shape == self._asked.shape)

    def _between(self, repair: KnownRepair) -> list[str]:
        """Return what was called between a call that failed and the one that worked."""
        names = steps_between(
            self._store,
            repair.failed_call,
            repair.worked_call,
            may_show=self._may_show,
        )
        return [neutral_line(name, _WORD_CHARS) for name in names]

    def _may_show(self, call: int) -> bool:
        return is_harmless(
            self._store, call, is_risky=self._is_risky, shown=self._shown
        )

    def _success(self, success: KnownSuccess, shape: KnownShape) -> Hint | None:
        peers = [(other.call, other.origin) for other in shape.successes]
        worked = self._example(success.call, success, peers)
        if worked is None:
            return None
        why = f"a call of this shape that worked, in {counted(success.support, 'session')}"
        return self._hint("success", worked, f"{why}{_where(success.origin)}")

    def _missing_step(self, shape: KnownShape, own: OwnCalls) -> Iterator[Hint]:
        for found in preconditions(shape.sessions):
            row = self._store.query_one(
                _SQL["step"], {"tool": found.step, "shape": -found.step}
            )
            if row is None or (own.steps is not None and step_name(*row) in own.steps):
                continue
            tool, step_shape = row
            if not may_name(self._store, tool, step_shape, may_show=self._may_show):
                continue
            name = neutral_line(step_name(tool, step_shape), _SHAPE_CHARS)
            yield Hint(
                kind="precondition",
                tool=neutral_line(tool, _WORD_CHARS),
                arguments=None,
                result=None,
                why=_why_needed(name, found, is_known=own.steps is not None),
                shape=neutral_line(self._asked.shape, _SHAPE_CHARS),
                session=None,
                call_id=None,
            )
            return

    def _example(
        self, call: int, known: KnownRepair | KnownSuccess, peers: Sequence[_Peer]
    ) -> Example | None:
        """Fetch a call, redacted; None where it must not be shown, or is gone.

        Args:
            call: Its key.
            known: What it is part of.
            peers: Calls like it, by which it is known what others say too.
        """
        if not self._may_show(call):
            return None
        try:
            example = fetch_example(
                self._store,
                call,
                support=known.support,
                result_chars=_RESULT_CHARS,
                shown=self._shown,
            )
        except NotFound:  # erased in between
            return None
        if example.at_us is not None and example.at_us >= self._asked.before_us:
            return None
        if not known.origin.is_other:
            return example
        # Where all are one's own, nothing of it is needed.
        from oldhand.experience.shared import for_others, known_literals  # noqa: PLC0415

        owners = {
            origin.session_id: origin.principal or ""
            for _, origin in peers
            if origin.is_other
        }
        calls = [peer for peer, _ in peers]
        is_said = known_literals(self._store, calls, owners).__contains__
        return for_others(example, is_said)

    def _hint(self, kind: str, example: Example, why: str) -> Hint:
        result = neutral_text(example.result).rstrip()
        if result and example.result_chars > len(example.result):
            result = f"{result} … ({example.result_chars} characters)"
        return Hint(
            kind=kind,
            tool=neutral_line(example.tool, _WORD_CHARS),
            arguments=neutral_json(example.arguments),
            result=result,
            why=neutral_text(why),
            shape=neutral_line(example.shape, _SHAPE_CHARS),
            session=neutral_line(example.session, _SHAPE_CHARS),
            call_id=neutral_line(example.call_id, _SHAPE_CHARS),
        )


class _Repair(NamedTuple):
    """A hint that is a repair; has_shape: it shows a call of the shape that failed."""

    hint: Hint
    has_shape: bool


def _where(origin: Origin) -> str:
    if not origin.is_apart:
        return ", here in this session"
    return "" if origin.is_elsewhere else ", here in this project"


def _why_needed(name: str, found: Precondition, *, is_known: bool) -> str:
    missing = "not done here before: " if is_known else ""
    return (
        f"{missing}{name} about the same thing, within ten calls before; so in "
        f"{found.worked_with} of {found.worked} sessions where calls of this shape worked, "
        f"and in {found.failed_with} of {found.failed} where they failed"
    )

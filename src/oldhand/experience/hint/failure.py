"""A call that has just failed, as a hint is asked for, and what it is like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oldhand.experience.repair.model import Asked
from oldhand.experience.repair.pairs import error_words
from oldhand.experience.repair.past_calls import FAILED
from oldhand.named_tuple import NamedTuple
from oldhand.sessions.call_view import CallView
from oldhand.sessions.model import Evidence
from oldhand.sessions.outcome.judge import judge_view
from oldhand.sessions.shape import shape_of_view
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.experience.repair")
_END_OF_TIME = (1 << 63) - 1
_IS_ERROR = Evidence(is_error=True)


class RecentCall(NamedTuple):
    """A call that the session made before, as the agent wrote it."""

    tool: str
    arguments: Mapping[str, Any]


class Failure(NamedTuple):
    """A call that has just failed.

    Attributes:
        tool: Its tool.
        arguments: What it was called with.
        error: What came back.
        session: The uid of its session; None where unknown.
        project: Where the session works.
        principal: Whose it is.
        before_us: Only what was there then counts, in microseconds since 1970-01-01 UTC.
        recent: The calls before it that worked, where the session is not on record; None
            where nobody knows.
    """

    tool: str
    arguments: Mapping[str, Any]
    error: str
    session: str | None = None
    project: str | None = None
    principal: str | None = None
    before_us: int = _END_OF_TIME
    recent: Sequence[RecentCall] | None = None


def asked_by(store: Store, failure: Failure) -> Asked | None:
    """Say what a call that failed is like; None where it was no mistake.

    A red test is none: the call was good, and what it says is the help.
    """
    view = CallView(failure.tool, failure.arguments)
    judgement = judge_view(view, failure.error, _IS_ERROR)
    if judgement.outcome != FAILED:
        return None
    shape = shape_of_view(view)
    asked = Asked(
        tool=failure.tool,
        shape=shape.shape,
        flags=shape.flags,
        error_kind=judgement.error_kind or "unknown",
        error_words=error_words(failure.error),
        project=failure.project,
        principal=failure.principal,
        before_us=failure.before_us,
    )
    if failure.session is None:
        return asked
    row = store.query_one(_SQL["session_that_asks"], {"uid": failure.session})
    if row is None:
        return asked
    session_id, project, principal = row
    return asked._replace(
        session_id=session_id,
        project=project or asked.project,
        principal=principal or asked.principal,
    )

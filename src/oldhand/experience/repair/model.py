"""What is asked of calls like one that has failed, and what is known of them."""

from __future__ import annotations

from oldhand.experience.repair.precondition import InSession
from oldhand.named_tuple import NamedTuple

_END_OF_TIME = (1 << 63) - 1


class Asked(NamedTuple):
    """What a call that failed is like, and who asks.

    Attributes:
        tool: Its tool.
        shape: Of the call, at the third level.
        flags: At the finest.
        error_kind: What kind of mistake it was.
        error_words: The checksum of how the error begins.
        session_id: The key of the session that asks; None where it is not on record.
        project: Where it works.
        principal: Whose it is.
        before_us: Only what was there then counts, in microseconds since 1970-01-01 UTC.
    """

    tool: str
    shape: str
    flags: str
    error_kind: str
    error_words: int
    session_id: int | None = None
    project: str | None = None
    principal: str | None = None
    before_us: int = _END_OF_TIME


class Origin(NamedTuple):
    """Which session something is known from; one that is nearer to who asks is less.

    This session comes first, then this project, then all else, as a project's calls share
    its programs and paths, whoever made them; within each of these one's own calls come
    before another principal's, and then what is newer.

    Attributes:
        is_apart: It is not the session that asks.
        is_elsewhere: It is of another project.
        is_other: It is of another principal.
        age: Less for a session that began later.
        session_id: Its key.
        principal: Whose it is.
    """

    is_apart: bool
    is_elsewhere: bool
    is_other: bool
    age: int
    session_id: int
    principal: str | None


class KnownRepair(NamedTuple):
    """A repair of a call like the one that failed.

    Attributes:
        failed_call: The key of the call that failed then.
        worked_call: Of the one that worked.
        failed_shape: The shape of the call that failed.
        worked_shape: Of the one that worked.
        has_words: The error began with the same words.
        shape_ids: The keys of the shapes of both calls, at the finest level.
        origin: Where it is from.
        support: In how many sessions a call of `worked_shape` put such a call right.
    """

    failed_call: int
    worked_call: int
    failed_shape: str
    worked_shape: str
    has_words: bool
    shape_ids: tuple[int, ...]
    origin: Origin
    support: int = 1


class KnownSuccess(NamedTuple):
    """A call of the same tool and shape that worked.

    Attributes:
        call: Its key.
        has_flags: It has the same options as well.
        shape_ids: The key of its shape, at the finest level.
        origin: Where it is from.
        support: In how many sessions a call of the shape worked.
    """

    call: int
    has_flags: bool
    shape_ids: tuple[int, ...]
    origin: Origin
    support: int = 1


class KnownShape(NamedTuple):
    """What is known of the shape of a call.

    Attributes:
        successes: The best of each session, nearest first.
        sessions: How its calls went, in each session that was silent by then; none where
            no call of the shape ever failed. Of what came before them only such steps as
            may be named.
    """

    successes: list[KnownSuccess]
    sessions: list[InSession]

"""What the choice of examples works on: flat data that a pool fills from the database.

A shape is known by a small integer, as in the table `shapes`. Sessions count shapes and
candidates offer them; the four levels of each shape say which of them resemble another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oldhand.errors import InvalidInput
from oldhand.named_tuple import NamedTuple

Levels = tuple[int | str, int | str, int | str, int | str]
"""The keys of a shape from coarse to fine: tool, argument keys, shape, flags."""


class PastSession(NamedTuple):
    """One earlier session, as far as the choice looks at it.

    Attributes:
        uid: Decides between sessions that started at the same time.
        started_at_us: Microseconds since 1970-01-01 UTC; 0 where unknown.
        principal: Whose session it was.
        project: The root of the checkout it worked in.
        words: Its task, by `relevance.words_of`.
        counts: How many of its working calls had each shape, by shape id, from 1; calls
            that failed count too, calls that were refused do not.
    """

    uid: str
    started_at_us: int
    principal: str | None
    project: str | None
    words: Sequence[str]
    counts: Mapping[int, int]


class Candidate(NamedTuple):
    """A call that could be shown: the cheapest success of its shape.

    Attributes:
        shape_id: One candidate per id.
        cost_tokens: Of the rendered example, from 1.
    """

    shape_id: int
    cost_tokens: int


class Pool(NamedTuple):
    """Everything that was learned and may be shown to one session.

    Attributes:
        sessions: In any order.
        candidates: In any order.
        levels: Of every shape id that a session counts or a candidate offers; a shape
            without levels is passed over.
    """

    sessions: Sequence[PastSession]
    candidates: Sequence[Candidate]
    levels: Mapping[int, Levels]


class Task(NamedTuple):
    """What is known of a session before its first call.

    Attributes:
        words: What it is asked to do, by `relevance.words_of`; empty where unknown.
        principal: Who starts it.
        project: Where it works.
    """

    words: Sequence[str] = ()
    principal: str | None = None
    project: str | None = None


class Budget:
    """What a selection may cost at most; None is no limit.

    It is no dataclass: to make one takes 1.3 ms on import, and a hook has few.

    Attributes:
        tokens: Sum over the chosen examples.
        examples: How many.

    Raises:
        InvalidInput: A limit is below 0, or there is none at all.
    """

    __slots__ = ("examples", "tokens")

    def __init__(
        self, *, tokens: int | None = None, examples: int | None = None
    ) -> None:
        """Keep the limits."""
        limits = [limit for limit in (tokens, examples) if limit is not None]
        if not limits:
            raise InvalidInput(
                "a budget without any limit; give tokens, examples or both"
            )
        if min(limits) < 0:
            raise InvalidInput(
                f"a budget of {tokens} tokens and {examples} examples;"
                " expected 0 or more"
            )
        self.tokens = tokens
        self.examples = examples


class Selection(NamedTuple):
    """The chosen examples.

    Attributes:
        chosen: The one that covers most for its cost first.
        tokens: What they cost together.
        coverage: Share of the past calls, weighted by how much their sessions matter
            here, whose shape is among the chosen: from 0 to 1.
    """

    chosen: tuple[Candidate, ...]
    tokens: int
    coverage: float

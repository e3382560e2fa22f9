"""What judges and shapes a call, imported with the first call.

It takes 25 ms, a quarter of the time to a recorder's first message.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from oldhand.sessions.call_view import CallView
    from oldhand.sessions.model import Evidence
    from oldhand.sessions.outcome import Judgement
    from oldhand.sessions.outcome.hindsight import PastCall, Reconsidered
    from oldhand.sessions.shape import Shape


class Judging(NamedTuple):
    """What judging and shaping takes."""

    view: type[CallView]
    judge: Callable[[CallView, str | None, Evidence], Judgement]
    judgement: type[Judgement]
    shape: Callable[[CallView], Shape]
    arguments_in: Callable[[str], Mapping[str, Any]]
    past: type[PastCall]
    is_correction: Callable[[str], bool]
    reconsider: Callable[[Sequence[PastCall], Collection[int]], dict[int, Reconsidered]]


@cache
def judging() -> Judging:
    """Import it, once: an import statement in each function took a tenth of an append."""
    from oldhand.sessions.arguments import arguments_in  # noqa: PLC0415
    from oldhand.sessions.call_view import CallView  # noqa: PLC0415
    from oldhand.sessions.outcome import Judgement, judge_view  # noqa: PLC0415
    from oldhand.sessions.outcome.hindsight import (  # noqa: PLC0415
        PastCall,
        is_correction,
        reconsider,
    )
    from oldhand.sessions.shape import shape_of_view  # noqa: PLC0415

    return Judging(
        CallView,
        judge_view,
        Judgement,
        shape_of_view,
        arguments_in,
        PastCall,
        is_correction,
        reconsider,
    )

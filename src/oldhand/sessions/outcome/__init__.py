"""How each call went: `ok`, `empty`, `negative`, `error`, `blocked` and the rest.

`judge` is a pure function of the call, its result and what the agent's record says.
"""

from __future__ import annotations

from oldhand.sessions.outcome.judge import Judgement, judge, judge_view

__all__ = ["Judgement", "judge", "judge_view"]

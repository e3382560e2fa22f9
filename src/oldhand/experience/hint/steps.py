"""Steps as hints name them: what was called between, and what is missing.

A name tempts as a call does: "not done here before: Bash:rm" says what to do next. So no
step is named that is risky in any form in which it worked: the name does not say which form
was meant.
"""

from __future__ import annotations

from collections.abc import Callable

from oldhand.sessions.known_tools import use_of
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.experience.repair")
_FORMS = 50  # of one step, the newest: each is weighed

MayShow = Callable[[int], bool]
"""Says of a call's key whether the call is there, and may be shown."""


def step_name(tool: str, shape: str) -> str:
    """Return what stands for a call that came before another: as `Names.step`, in words."""
    return shape if use_of(tool) == "shell" else tool


def steps_between(
    store: Store, failed: int, worked: int, *, may_show: MayShow
) -> list[str]:
    """Return what was called between two calls of one session, each once, in order."""
    rows = store.query_all(_SQL["calls_between"], {"failed": failed, "worked": worked})
    return list(
        dict.fromkeys(step_name(*step) for call, *step in rows if may_show(call))
    )


def may_name(store: Store, tool: str, shape: str, *, may_show: MayShow) -> bool:
    """Say whether a step may be named: whether all calls that stand for it may be shown.

    Args:
        store: Where they are.
        tool: The step's tool.
        shape: Of a shell the shape, without its options; else "".
        may_show: Weighs a call.
    """
    forms = store.query_all(
        _SQL["forms_of_step"], {"tool": tool, "shape": shape, "limit": _FORMS}
    )
    return bool(forms) and all(may_show(call) for (call,) in forms)

"""oldhand: let every agent session start as an old hand.

The public names are read when they are first used, so that importing the package costs
nothing but itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oldhand.app.hints import hint as hint
    from oldhand.app.imports import import_sessions as import_sessions
    from oldhand.app.starts import build_template as build_template
    from oldhand.app.starts import warm as warm
    from oldhand.app.stores import open_store as open_store
    from oldhand.app.templates import best_template as best_template
    from oldhand.errors import OldhandError as OldhandError
    from oldhand.experience.render import inject as inject
    from oldhand.experience.render.lint import lint as lint
    from oldhand.experience.render.mend import mend as mend
    from oldhand.experience.warm import WarmStart as WarmStart
    from oldhand.integrations.gate.decorator import (
        requires_confirmation as requires_confirmation,
    )
    from oldhand.integrations.warm_session import warm_session_tool as warm_session_tool
    from oldhand.ledger.ema import query_skill_ema as query_skill_ema
    from oldhand.ledger.invocations import (
        record_skill_invocation as record_skill_invocation,
    )
    from oldhand.sessions.live.recorder import Recorder as Recorder
    from oldhand.sessions.search.find import search_sessions as search_sessions

_HOMES = {
    "OldhandError": "oldhand.errors",
    "Recorder": "oldhand.sessions.live.recorder",
    "WarmStart": "oldhand.experience.warm",
    "best_template": "oldhand.app.templates",
    "build_template": "oldhand.app.starts",
    "hint": "oldhand.app.hints",
    "import_sessions": "oldhand.app.imports",
    "inject": "oldhand.experience.render",
    "lint": "oldhand.experience.render.lint",
    "mend": "oldhand.experience.render.mend",
    "open_store": "oldhand.app.stores",
    "query_skill_ema": "oldhand.ledger.ema",
    "record_skill_invocation": "oldhand.ledger.invocations",
    "requires_confirmation": "oldhand.integrations.gate.decorator",
    "search_sessions": "oldhand.sessions.search.find",
    "warm": "oldhand.app.starts",
    "warm_session_tool": "oldhand.integrations.warm_session",
}

__all__ = [
    "OldhandError",
    "Recorder",
    "WarmStart",
    "best_template",
    "build_template",
    "hint",
    "import_sessions",
    "inject",
    "lint",
    "mend",
    "open_store",
    "query_skill_ema",
    "record_skill_invocation",
    "requires_confirmation",
    "search_sessions",
    "warm",
    "warm_session_tool",
]


def __getattr__(name: str) -> object:
    """Read a public name's module when the name is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'oldhand' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return __all__

"""oldhand: let every agent session start as an old hand.

The public names are read when they are first used, so that importing the package costs
nothing but itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oldhand.app.imports import import_sessions as import_sessions
    from oldhand.app.starts import build_template as build_template
    from oldhand.app.starts import warm as warm
    from oldhand.app.stores import open_store as open_store
    from oldhand.errors import OldhandError as OldhandError
    from oldhand.experience.render import inject as inject
    from oldhand.experience.warm import WarmStart as WarmStart
    from oldhand.sessions.recorder import Recorder as Recorder
    from oldhand.sessions.search import search_sessions as search_sessions

_HOMES = {
    "OldhandError": "oldhand.errors",
    "Recorder": "oldhand.sessions.recorder",
    "WarmStart": "oldhand.experience.warm",
    "build_template": "oldhand.app.starts",
    "import_sessions": "oldhand.app.imports",
    "inject": "oldhand.experience.render",
    "open_store": "oldhand.app.stores",
    "search_sessions": "oldhand.sessions.search",
    "warm": "oldhand.app.starts",
}

__all__ = [
    "OldhandError",
    "Recorder",
    "WarmStart",
    "build_template",
    "import_sessions",
    "inject",
    "open_store",
    "search_sessions",
    "warm",
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

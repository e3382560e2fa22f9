"""Importers: other agents' sessions, read as they are and written as ours."""

from __future__ import annotations

from importlib import import_module

from oldhand.errors import InvalidInput
from oldhand.sessions.importers.run import (
    Belonging,
    ImportReport,
    Progress,
    import_units,
)
from oldhand.sessions.importers.source import ReadContext, Source
from oldhand.sessions.importers.tally import Malformed, Tally
from oldhand.sessions.importers.units import Unit, find_units

__all__ = [
    "Belonging",
    "ImportReport",
    "Malformed",
    "Progress",
    "ReadContext",
    "Source",
    "Tally",
    "Unit",
    "find_units",
    "import_units",
    "source_named",
    "source_names",
]

# Each module is read when its source is asked for: a command reads one agent's.
_MODULES = {
    "claude-code": "claude_code",
    "codex": "codex",
    "hermes": "hermes",
    "openai": "openai_chat",
    "oldhand": "oldhand_export",
}


def source_names() -> list[str]:
    """Return the names of all sources, in the order in which `auto` asks them."""
    return list(_MODULES)


def source_named(name: str) -> Source:
    """Return one source.

    Raises:
        InvalidInput: There is none of that name.
    """
    if name not in _MODULES:
        raise InvalidInput(
            f"{name!r} is no source; expected one of {', '.join(_MODULES)}, auto"
        )
    module = import_module(f"{__name__}.{_MODULES[name]}")
    source: Source = module.SOURCE
    return source

"""Count the skills that sessions loaded, and say what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from oldhand.cli.face import talk
from oldhand.cli.progress import waiting

if TYPE_CHECKING:
    from oldhand.settings import Settings
    from oldhand.store import Store


def count_skills_watched(
    store: Store,
    settings: Settings,
    *,
    places: Iterable[Path] = (),
    again: bool = False,
) -> None:
    """Count them, with a bar where a person watches; arguments as for `count_skills`."""
    from oldhand.app.skills import count_skills
    from oldhand.counted import counted

    with waiting("looking for skills") as advance:
        found = count_skills(
            store, settings, places=places, again=again, progress=advance
        )
    for fault in found.faults:
        talk(f"{fault}; runs of its jobs are counted without how they ended")
    if found.sessions:
        talk(
            f"skills were loaded in {counted(found.sessions, 'session')}; "
            "see: oldhand skills stats"
        )

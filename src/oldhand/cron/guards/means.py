"""What the guards may look at, handed in by who wires oldhand together."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from oldhand.cron.guards.windows import Windows
from oldhand.ledger.skills.find import Place
from oldhand.store import Store

Choose = Callable[[Sequence[str]], str]
"""Draws one of several, each as likely as the others."""


class Means(NamedTuple):
    """What a run's task is made with.

    Attributes:
        store: Where learnt windows are; None: nothing was learnt.
        windows: Who knows context windows; None: nobody, so none is known.
        min_context_tokens: That any job needs: `cron_min_context_tokens`; 0: no such need.
        skill_places: Returns where skills lie, for a working directory or none.
        scripts: The folder of scripts; None: none is looked at.
        choose: Draws the model of a run.
    """

    store: Store | None = None
    windows: Windows | None = None
    min_context_tokens: int = 0
    skill_places: Callable[[Path | None], list[Place]] = lambda _project: []
    scripts: Path | None = None
    choose: Choose = secrets.SystemRandom().choice


NO_MEANS = Means()
"""For who looks at nothing but the job itself."""

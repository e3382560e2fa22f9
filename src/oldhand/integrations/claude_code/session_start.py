"""The start of a session: past calls that worked, for the directory it works in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from oldhand.app import starts
from oldhand.experience.running import running_experiment
from oldhand.integrations.claude_code.answers import MAX_CONTEXT_CHARS
from oldhand.integrations.claude_code.database import open_existing
from oldhand.integrations.claude_code.events import SessionStarted
from oldhand.settings import Settings
from oldhand.store import Store

if TYPE_CHECKING:
    from oldhand.app.wishes import WarmWishes

AGENT = "claude-code"


def warm_text(event: SessionStarted, settings: Settings) -> str | None:
    """Return the text that a fresh session is given; None where it is given none.

    The use is logged before this returns, so that a text is never given without its log.

    Raises:
        NotFound: There is no database yet.
        NothingToLearn: No session of the project holds a call that may be shown.
        OldhandError: The database cannot be read or written.
    """
    _work_in(event.place.cwd)
    store = open_existing(settings)
    try:
        return _given(store, event, settings)
    finally:
        store.close()


def _given(store: Store, event: SessionStarted, settings: Settings) -> str | None:
    """Return what the session is given: in its arm, where an experiment runs."""
    session = event.place.session
    wishes: WarmWishes = {
        "project": event.place.cwd,
        "session": session,
        "max_chars": MAX_CONTEXT_CHARS,
        "settings": settings,
    }
    experiment = None if session is None else running_experiment(store)
    if experiment is None:
        return starts.warm(store, **wishes).text
    # 15 ms that only those pay who run one.
    from oldhand.app.experiments import warm_for_experiment  # noqa: PLC0415

    drawn = warm_for_experiment(store, experiment, agent=AGENT, **wishes)
    return drawn.start.text


def _work_in(cwd: str | None) -> None:
    """Go where the session works: whose it is, is read off the current directory."""
    if cwd is not None and Path(cwd).is_dir():
        os.chdir(cwd)

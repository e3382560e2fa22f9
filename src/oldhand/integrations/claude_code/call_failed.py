"""A call that failed: past calls that may help, told with the error."""

from __future__ import annotations

from oldhand.app.hints import hint
from oldhand.experience.hint import render_hints
from oldhand.integrations.claude_code.database import open_existing
from oldhand.integrations.claude_code.events import CallFailed
from oldhand.integrations.claude_code.recent_calls import recent_calls
from oldhand.settings import Settings


def hint_text(event: CallFailed, settings: Settings) -> str | None:
    """Return the text that the model is given with the error; None where nothing fits.

    Raises:
        NotFound: There is no database yet.
        OldhandError: The database cannot be read.
    """
    store = open_existing(settings)
    try:
        hints = hint(
            store,
            event.tool,
            event.arguments,
            event.error,
            session=event.place.session,
            project=event.place.cwd,
            recent=recent_calls(event.place.transcript, settings),
            settings=settings,
        )
        return render_hints(hints) or None
    finally:
        store.close()

"""Which agent runs a job that does not say: the one set, or the first that is there."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from oldhand.errors import InvalidInput
from oldhand.settings import Settings

AGENTS = {
    "claude": ("claude", "-p"),
    "codex": ("codex", "exec"),
    "hermes": ("hermes", "-z"),
}
"""The commands that run an agent once, without a terminal; in the order of the search."""

Find = Callable[[str], str | None]
"""Returns where a program is, or None."""


def default_runner(settings: Settings, *, find: Find = shutil.which) -> tuple[str, ...]:
    """Return the words of the command that runs jobs which name none.

    Args:
        settings: Whose `cron_runner` counts before anything that is found.
        find: Looks for a program.

    Raises:
        InvalidInput: None is set, and no agent is found.
    """
    if settings.cron_runner:
        return settings.cron_runner
    for name, words in AGENTS.items():
        if find(name) is not None:
            return words
    raise InvalidInput(
        f"no agent to run it with: none of {', '.join(AGENTS)} is on PATH, and no other "
        "command is named",
        advice="--runner 'COMMAND …', or cron_runner in oldhand.toml",
    )

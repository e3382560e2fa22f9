"""What programs that a job starts find in their environment.

An agent is the user's: it has all that it would have in a terminal, its provider's key as
well, and nothing of what oldhand alone needs to know. A script has a few plain variables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from oldhand.confirm.credentials import TOKEN_PREFIX
from oldhand.cron.runner.protocol import Task

_AGENT_TOKEN = "OLDHAND_CONFIRM_TOKEN"  # noqa: S105 - a variable's name
_OWN_SECRET = re.compile(r"OLDHAND_\w*(?:TOKEN|WEBHOOK|NOTIFY_URLS|SECRET|PASSWORD)\w*")
_PLAIN = re.compile(r"PATH|HOME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|OLDHAND_\w+")


def agent_environment(own: Mapping[str, str], task: Task) -> dict[str, str]:
    """Return what an agent finds.

    An agent's own token for confirmations stays, as the gate asks with it. The database's
    address stays too, since the hooks inside the agent write there.

    Args:
        own: The scheduler's own.
        task: Of the run.
    """
    kept = {name: value for name, value in own.items() if not _is_ours(name, value)}
    return kept | told(task)


def script_environment(own: Mapping[str, str], task: Task) -> dict[str, str]:
    """Return what a script finds: no key of any provider, and no token."""
    kept = {
        name: value
        for name, value in own.items()
        if _PLAIN.fullmatch(name) and not _OWN_SECRET.fullmatch(name)
    }
    return kept | told(task)


def told(task: Task) -> dict[str, str]:
    """Return what says which run it is: so it cannot schedule more, and can be held."""
    return {
        **task.environment,
        "OLDHAND_RUN": str(task.run_id),
        "OLDHAND_SESSION_KEY": task.session_key,
    }


def _is_ours(name: str, value: str) -> bool:
    if name == _AGENT_TOKEN:
        return not value.startswith(TOKEN_PREFIX)
    return _OWN_SECRET.fullmatch(name) is not None

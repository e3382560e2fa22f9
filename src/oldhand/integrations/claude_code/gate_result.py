"""Say what came of a call that the gate let pass, without keeping the agent waiting.

The words of a result are not sent: whether it worked is all that the log is told.
"""

from __future__ import annotations

import os

from oldhand.integrations.claude_code.background import leave_agent, note
from oldhand.integrations.claude_code.used_approvals import UsedApproval
from oldhand.integrations.hook_process import in_words
from oldhand.settings import Settings

_PATIENCE_SECONDS = 10.0
_LIMIT_SECONDS = 60


def report_later(used: UsedApproval, settings: Settings, *, is_success: bool) -> None:
    """Start the report, and return at once.

    Raises:
        OSError: No process can be started.
    """
    if os.fork() != 0:
        return
    status = 1
    try:
        leave_agent(limit_seconds=_LIMIT_SECONDS)
        _report(used, settings, is_success=is_success)
        status = 0
    except BaseException as fault:  # noqa: BLE001 - ends a process that nobody waits for
        note(settings.home, f"request {used.request_id}: {in_words(fault)}")
    finally:
        os._exit(status)


def _report(used: UsedApproval, settings: Settings, *, is_success: bool) -> None:
    from oldhand.integrations.gate.access import client_of  # noqa: PLC0415 - not before the agent is let go

    asked = settings._replace(confirm_url=used.url)
    client = client_of(asked, patience_seconds=_PATIENCE_SECONDS)
    client.report_result(used.request_id, is_success=is_success)

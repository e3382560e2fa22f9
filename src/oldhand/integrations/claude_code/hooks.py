"""Answer Claude Code's hooks: an event in, an answer out, each kind in a file of its own."""

from __future__ import annotations

from oldhand import settings as _settings
from oldhand.integrations.claude_code.answers import context_answer
from oldhand.integrations.claude_code.events import (
    CallEnded,
    CallFailed,
    SessionEnded,
    SessionStarted,
    read_event,
)
from oldhand.settings import Settings


def answer(name: str, data: bytes, *, database: str | None) -> str:
    """Answer one event.

    Args:
        name: Of the event.
        data: The event, as it came on stdin.
        database: What a flag said.

    Returns:
        The answer, one JSON object.

    Raises:
        InvalidInput: It is no event that is known; its message tells nothing of it.
        OldhandError: What it asks for cannot be done.
    """
    event = read_event(name, data)
    if isinstance(event, SessionStarted) and not event.is_fresh:
        return context_answer(name, None)
    settings = _settings.load(database=database)
    if isinstance(event, CallEnded | CallFailed) and event.call_id:
        is_success = isinstance(event, CallEnded) and event.is_success
        _report(event.call_id, settings, is_success=is_success)
    # Each kind of event imports only its own part: an agent waits for this process.
    if isinstance(event, SessionStarted):
        from oldhand.integrations.claude_code.session_start import warm_text  # noqa: PLC0415

        return context_answer(name, warm_text(event, settings))
    if isinstance(event, CallFailed):
        from oldhand.integrations.claude_code.call_failed import hint_text  # noqa: PLC0415

        return context_answer(name, hint_text(event, settings))
    if isinstance(event, SessionEnded):
        from oldhand.integrations.claude_code.session_end import import_later  # noqa: PLC0415

        import_later(event, settings)
    return context_answer(name, None)


def _report(call_id: str, settings: Settings, *, is_success: bool) -> None:
    """Tell the daemon what came of a call, where the gate let it pass."""
    from oldhand.integrations.claude_code.used_approvals import take  # noqa: PLC0415

    used = take(settings.home, call_id)
    if used is not None:
        from oldhand.integrations.claude_code.gate_result import report_later  # noqa: PLC0415

        report_later(used, settings, is_success=is_success)

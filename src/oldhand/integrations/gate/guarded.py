"""Run something only with leave: ask, wait, use the leave, run, say how it went.

Whatever goes wrong on the way, nothing runs: no daemon, an answer that is not understood,
a time that is over, a leave that somebody else used.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from oldhand.canonical_json import canonical_json
from oldhand.errors import ConfirmationDenied, OldhandError, Unreachable
from oldhand.integrations.gate.client import ConfirmationClient
from oldhand.integrations.gate.held import Held

logger = logging.getLogger(__name__)
R = TypeVar("R")
DEFAULT_TIMEOUT_SECONDS = 300
_SLACK_SECONDS = 5
"""The daemon ends a request by itself; the client waits a little longer to hear of it."""
_MAX_SUMMARY_CHARS = 500

OnAsked = Callable[[Held], None]


def run_confirmed(  # noqa: PLR0913 - what a request is made of, and what runs
    client: ConfirmationClient,
    action: str,
    details: Mapping[str, Any],
    run: Callable[[Mapping[str, Any]], R],
    *,
    description: str = "",
    target: str = "",
    session_key: str = "",
    timeout_seconds: int | None = None,
    risk: str | None = None,
    is_success: Callable[[R], bool] = lambda _: True,
    on_asked: OnAsked = lambda _: None,
) -> R:
    """Run something if a person, or a rule of theirs, says so.

    Args:
        client: Asks the daemon.
        action: A name, as of a tool.
        details: What it would be done with; JSON values.
        run: Does it, with the details as they were approved: a person may have edited them.
        description: In the agent's words.
        target: What it would be done to.
        session_key: The agent's session.
        timeout_seconds: How long a person has to decide; None: as the policy says.
        risk: low, medium or high.
        is_success: Whether what `run` returned is to be reported as a success.
        on_asked: Called with the request when it is held, to show where to decide.

    Returns:
        What `run` returned.

    Raises:
        ConfirmationDenied: It may not be done; nothing ran.
        Unreachable: The daemon does not answer as it must; nothing ran.
        OldhandError: It could not be asked or used; nothing ran.
    """
    held = client.submit(
        action, details, description=description, target=target, session_key=session_key,
        timeout_seconds=timeout_seconds, risk=risk,
    )  # fmt: skip
    used = use_when_approved(
        client, held, action=action, target=target, timeout_seconds=timeout_seconds,
        on_asked=on_asked,
    )  # fmt: skip
    try:
        result = run(used)
    except BaseException as fault:
        _report(client, held.id, is_success=False, summary=type(fault).__name__)
        raise
    _report(client, held.id, is_success=is_success(result))
    return result


def use_when_approved(
    client: ConfirmationClient,
    held: Held,
    *,
    action: str,
    target: str = "",
    timeout_seconds: float | None = None,
    on_asked: OnAsked = lambda _: None,
) -> Mapping[str, Any]:
    """Wait for a request that was submitted, use its leave, and return what may run.

    Raises:
        ConfirmationDenied: It may not be done.
        OldhandError: It could not be found out.
    """
    if held.is_pending:
        on_asked(held)
        held = _waited(client, held, timeout_seconds)
    if not held.is_usable:
        raise denied(held)
    if not held.rev:
        held = client.find(held.id)
    if not held.is_usable:
        raise denied(held)
    if (held.action, held.target) != (action, target):
        raise Unreachable("what was approved is another action than was asked for")
    used = client.consume(held.id, action=action, details=held.details, target=target)
    if canonical_json(used.details) != canonical_json(held.details):
        raise Unreachable("the daemon gave leave for something else than it had shown")
    return used.details


def denied(held: Held) -> ConfirmationDenied:
    """Return the error of a request that may not be done."""
    said = held.message_for_model or f"This may not be done: {held.status}."
    return ConfirmationDenied(
        f"{held.status}: {said}", request_id=held.id, state=held.status,
        message_for_model=said,
    )  # fmt: skip


def _waited(
    client: ConfirmationClient, held: Held, timeout_seconds: float | None
) -> Held:
    if timeout_seconds is None:
        timeout_seconds = _timeout_said(held)
    try:
        decided = client.wait(held.id, seconds=timeout_seconds + _SLACK_SECONDS)
    except BaseException:
        _cancel(client, held.id)
        raise
    if decided.is_pending:
        _cancel(client, held.id)
    return decided


def _timeout_said(held: Held) -> float:
    said = held.value.get("timeout_seconds")
    if isinstance(said, int) and not isinstance(said, bool):
        return said
    return DEFAULT_TIMEOUT_SECONDS


def _cancel(client: ConfirmationClient, request_id: str) -> None:
    """Take a request back that nobody waits for any more, where that is still possible."""
    try:
        client.cancel(request_id)
    except OldhandError as fault:
        logger.warning("request %s was not cancelled: %s", request_id, fault)


def _report(
    client: ConfirmationClient, request_id: str, *, is_success: bool, summary: str = ""
) -> None:
    """Say how it went; what ran has run, so that a fault here changes nothing of it."""
    try:
        client.report_result(
            request_id, is_success=is_success, summary=summary[:_MAX_SUMMARY_CHARS]
        )
    except OldhandError as fault:
        logger.warning("the result of %s could not be reported: %s", request_id, fault)

"""`oldhand confirm submit`, `wait`, `list`, `show` and `cancel`: what an agent may do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.confirm_facts import print_facts
from oldhand.cli.face import Face, common_options, talk
from oldhand.errors import (
    ConfirmationDenied,
    InvalidInput,
    NeedsAttention,
    RequestConflict,
)

if TYPE_CHECKING:
    from oldhand.integrations.gate.client import ConfirmationClient
    from oldhand.integrations.gate.held import Held

DEFAULT_WAIT_SECONDS = 300
_REFUSED = ("denied", "blocked")
_COLUMNS = {
    "id": "id",
    "status": "state",
    "action": "action",
    "requester": "agent",
    "created_at": "asked",
}


def details_of(text: str) -> dict[str, Any]:
    """Read details as somebody typed them.

    Raises:
        InvalidInput: They are no JSON object with one meaning.
    """
    from oldhand.confirm.requests.facts import BadField, check_details, read_json

    try:
        return check_details(read_json(text.encode("utf-8", "surrogateescape")))
    except BadField as fault:
        raise InvalidInput(
            f'--details: {fault}; expected a JSON object, as \'{{"env": "test"}}\''
        ) from fault


@click.command()
@click.argument("action")
@click.option("--details", default="{}", metavar="JSON", help="With what; an object.")
@click.option("--description", default="", metavar="TEXT", help="In the agent's words.")
@click.option("--target", default="", metavar="TEXT", help="To what it is done.")
@click.option("--session", default="", metavar="KEY", help="The agent's session.")
@click.option(
    "--risk", type=click.Choice(["low", "medium", "high"]), help="As the agent sees it."
)
@click.option(
    "--timeout", type=click.IntRange(1), metavar="SECONDS", help="How long it waits."
)
@click.option(
    "--key", metavar="KEY", help="Makes it one request, however often it is said."
)
@common_options
def submit(
    face: Face,
    action: str,
    details: str,
    description: str,
    target: str,
    session: str,
    risk: str | None,
    timeout: int | None,
    key: str | None,
) -> None:
    """Ask for leave to do ACTION, and print the request's id.

    Exit code 11: a rule blocks it.
    """
    held = client(face).submit(
        action, details_of(details), description=description, target=target,
        session_key=session, timeout_seconds=timeout, risk=risk, idempotency_key=key,
    )  # fmt: skip
    if face.as_json:
        face.emit(held.value)
    if held.status in _REFUSED:
        raise _denied(held)
    if face.as_json:
        return
    click.echo(held.id)
    talk(
        f"{held.status}; a person decides at {held.url}"
        if held.is_pending
        else held.status
    )


@click.command()
@click.argument("request_id", metavar="ID")
@click.option(
    "--timeout", type=click.IntRange(0), metavar="SECONDS",
    default=DEFAULT_WAIT_SECONDS, show_default=True, help="How long to wait.",
)  # fmt: skip
@common_options
def wait(face: Face, request_id: str, timeout: int) -> None:
    """Wait until a request is decided, and print its state.

    Exit code 0: approved; 11: denied or blocked; 4: expired, cancelled, taken back or used
    already; 9: nobody has decided yet.
    """
    held = client(face).wait(request_id, seconds=timeout)
    face.emit(held.value) if face.as_json else click.echo(held.status)
    if held.is_usable:
        return
    if held.status in _REFUSED:
        raise _denied(held)
    if held.is_pending:
        raise NeedsAttention(f"nobody has decided yet: {held.url}")
    raise RequestConflict(held.message_for_model, held.status)


@click.command("list")
@click.option("--state", metavar="STATE", help="As pending, approved or denied.")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True)
@click.option("--as", "person", metavar="NAME", help="As a person, who sees all.")
@common_options
def list_(face: Face, state: str | None, limit: int, person: str | None) -> None:
    """List the agent's requests; as a person, everybody's."""
    if person is None:
        rows = client(face).list_requests(state=state, limit=limit)
    else:
        from oldhand.cli.confirm_access import signed_in
        from oldhand.integrations.gate.client import listed

        with signed_in(face, person) as somebody:
            ask = partial(somebody.ask, "GET")
            rows = listed(ask, state=state, limit=limit)
    shown = ({**dict.fromkeys(_COLUMNS, ""), **row} for row in rows)
    face.emit_rows(shown, columns=_COLUMNS)


@click.command()
@click.argument("request_id", metavar="ID")
@click.option("--as", "person", metavar="NAME", help="As a person, who sees all.")
@common_options
def show(face: Face, request_id: str, person: str | None) -> None:
    """Show a request: the facts, and what became of it."""
    if person is None:
        held = client(face).find(request_id)
    else:
        from oldhand.cli.confirm_access import signed_in

        with signed_in(face, person) as somebody:
            held = somebody.find(request_id)
    if face.as_json:
        face.emit(held.value)
    else:
        print_facts(held)


@click.command()
@click.argument("request_id", metavar="ID")
@common_options
def cancel(face: Face, request_id: str) -> None:
    """Take a request back that nobody has decided yet."""
    client(face).cancel(request_id)
    if face.as_json:
        face.emit({"id": request_id, "status": "cancelled"})
    else:
        talk(f"{request_id}: cancelled")


def client(face: Face) -> ConfirmationClient:
    """Return a client with the agent's token."""
    from oldhand.integrations.gate.access import client_of

    return client_of(face.settings, patience_seconds=3.0)


def _denied(held: Held) -> ConfirmationDenied:
    from oldhand.integrations.gate.guarded import denied

    return denied(held)

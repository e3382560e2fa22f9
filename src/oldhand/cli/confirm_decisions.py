"""`oldhand confirm approve` and `deny`: a person decides at a terminal."""

from __future__ import annotations

from typing import Any

import click

from oldhand.cli.confirm_access import says_yes, signed_in
from oldhand.cli.confirm_facts import print_facts
from oldhand.cli.confirm_requests import details_of
from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.quantities import AGE
from oldhand.errors import InvalidInput, RequestConflict

_HOUR = "1h"
_SECOND_US = 1_000_000


@click.command()
@click.argument("request_id", metavar="ID")
@click.option(
    "--as", "person", metavar="NAME", help="Your name; default: your login's."
)
@click.option("--reason", default="", metavar="TEXT", help="For the agent and the log.")
@click.option("--details", metavar="JSON", help="Instead of what was asked.")
@click.option(
    "--remember", type=click.Choice(["session", "requester"]),
    help="Let the like pass later: of this session, or of this agent.",
)  # fmt: skip
@click.option(
    "--for", "age", type=AGE, default=_HOUR, show_default=True, metavar="TIME"
)
@click.option("--uses", type=click.IntRange(1), metavar="N", help="How often.")
@common_options
def approve(
    face: Face,
    request_id: str,
    person: str | None,
    reason: str,
    details: str | None,
    remember: str | None,
    age: int,
    uses: int | None,
) -> None:
    """Show a request and approve it.

    The password is typed into the terminal; without one, decide on the page.
    """
    edited = None if details is None else details_of(details)
    kept: dict[str, Any] | None = None
    if remember is not None:
        kept = {"scope": remember, "seconds": age // _SECOND_US}
        kept |= {} if uses is None else {"uses": uses}
    elif uses is not None:
        raise InvalidInput("--uses goes with --remember")
    _decide(face, "approve", request_id, person, reason, edited, kept)


@click.command()
@click.argument("request_id", metavar="ID")
@click.option(
    "--as", "person", metavar="NAME", help="Your name; default: your login's."
)
@click.option("--reason", default="", metavar="TEXT", help="For the agent and the log.")
@common_options
def deny(face: Face, request_id: str, person: str | None, reason: str) -> None:
    """Show a request and deny it; the reason goes to the agent."""
    _decide(face, "deny", request_id, person, reason, None, None)


def _decide(
    face: Face,
    decision: str,
    request_id: str,
    person: str | None,
    reason: str,
    details: dict[str, Any] | None,
    remember: dict[str, Any] | None,
) -> None:
    with signed_in(face, person) as somebody:
        held = somebody.find(request_id)
        print_facts(held, err=True)
        if not held.is_pending:
            raise RequestConflict(
                f"it is {held.status}; nothing is left to decide", held.status
            )
        if details is not None:
            from oldhand.cli.tables import plain_json

            talk(f"to run instead: {plain_json(details)}")
        if not says_yes(f"{decision.capitalize()} this?"):
            raise InvalidInput("not confirmed; nothing was decided")
        said = somebody.decide(
            decision, held, reason=reason, details=details, remember=remember
        )
    if face.as_json:
        face.emit(said)
    else:
        talk(f"{request_id}: {said.get('status', decision)}")

"""`oldhand confirm stop` and `resume`: a person turns the stop switch at a terminal."""

from __future__ import annotations

import click

from oldhand.cli.confirm_access import signed_in
from oldhand.cli.face import Face, common_options, talk

_AS = click.option(
    "--as", "person", metavar="NAME", help="Your name; default: your login's."
)


@click.command()
@_AS
@common_options
def stop(face: Face, person: str | None) -> None:
    """Let nothing be approved or used any more, until `oldhand confirm resume`.

    What was approved and not used yet waits, or lapses; agents can still ask, people can
    still deny, and what runs already is not stopped.
    """
    said = "stopped: nothing is approved or used until `oldhand confirm resume`"
    _turn(face, person, to=True, said=said)


@click.command()
@_AS
@common_options
def resume(face: Face, person: str | None) -> None:
    """Let approvals be given and used again, after `oldhand confirm stop`."""
    _turn(face, person, to=False, said="resumed: approvals are given and used again")


def _turn(face: Face, person: str | None, *, to: bool, said: str) -> None:
    with signed_in(face, person) as somebody:
        switches = somebody.ask("POST", "/stop", {"stopped": to})
    if face.as_json:
        face.emit(switches)
    else:
        talk(said)

"""`oldhand confirm doctor`: which level of assurance really holds, by trying."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from oldhand.cli.face import Face, common_options

if TYPE_CHECKING:
    from oldhand.confirm.doctor import TryToApprove
    from oldhand.settings import Settings
    from oldhand.store import Store

_COLUMNS = {"name": "what", "holds": "holds", "detail": "seen"}
_WORDS = {True: "yes", False: "no", None: "?"}


@click.command()
@click.option(
    "--checkpoints", type=click.Path(path_type=Path), metavar="FILE",
    help="Those written outside; default: the file in oldhand's home.",
)  # fmt: skip
@common_options
def doctor(face: Face, checkpoints: Path | None) -> None:
    """Try what an agent of this user could do, and say what that leaves of the gate.

    Run it as the user that your agents run as. It changes nothing.
    """
    from oldhand.app.confirm_places import places_of
    from oldhand.confirm.doctor import HONEST_SENTENCE, diagnose
    from oldhand.integrations.gate.transport import read_address

    settings = face.settings
    is_elsewhere = not read_address(settings.confirm_url).is_here
    places = places_of(settings, checkpoints=checkpoints)
    found = diagnose(
        places._replace(is_elsewhere=is_elsewhere),
        store=_store_if_open(face),
        try_to_approve=_try_to_approve(settings),
    )
    if face.as_json:
        findings = [each._asdict() for each in found.findings]
        face.emit(
            {
                "level": found.level, "name": found.name, "why": found.why,
                "findings": findings, "sentence": HONEST_SENTENCE,
            }
        )  # fmt: skip
        return
    rows = ({**each._asdict(), "holds": _WORDS[each.holds]} for each in found.findings)
    face.emit_rows(rows, columns=_COLUMNS)
    click.echo(f"level {found.level}, {found.name}. {found.why}")
    if HONEST_SENTENCE not in found.why:
        click.echo(HONEST_SENTENCE)


def _store_if_open(face: Face) -> Store | None:
    """Return the database where this user can open it."""
    from oldhand.errors import OldhandError

    try:
        return face.existing_store()
    except OldhandError:
        return None  # that it cannot be opened is a finding, and a good one


def _try_to_approve(settings: Settings) -> TryToApprove | None:
    """Return what tries the agent's token, where there is one and a daemon answers."""
    from oldhand.errors import OldhandError
    from oldhand.ids import random_id
    from oldhand.integrations.gate.access import client_of

    try:
        client = client_of(settings, patience_seconds=0.0)
        status = client.try_to_approve(random_id(), rev=1, digest="0" * 64)
    except OldhandError:
        return None  # told as not tried
    return lambda: status

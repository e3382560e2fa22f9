"""`oldhand confirm grants`: leave given beforehand, by people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from oldhand.cli.confirm_access import NO_DAEMON_YET, signed_in
from oldhand.cli.confirm_requests import details_of
from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.quantities import AGE
from oldhand.cli.tables import plain_json

_SECOND_US = 1_000_000
_COLUMNS = {
    "id": "id",
    "action": "action",
    "requester": "agent",
    "session_key": "session",
    "literal": "details",
    "uses_left": "uses left",
    "expires_at": "until",
}
_AS = click.option(
    "--as", "person", metavar="NAME", help="Your name; default: your login's."
)


@click.group()
@common_options
def grants(_face: Face) -> None:
    """Look after standing grants: what passes without a person being asked."""


@grants.command("list")
@common_options
def list_(face: Face) -> None:
    """List the standing grants that hold; read from the database."""
    from oldhand.clock import system_clock, to_iso
    from oldhand.confirm.standing import list_standing_grants

    store = face.store(nothing_yet=NO_DAEMON_YET)
    found = list_standing_grants(store, now_us=system_clock())
    rows: list[dict[str, Any]] = [
        grant._asdict()
        | {
            "expires_at": to_iso(grant.expires_at_us),
            "created_at": to_iso(grant.created_at_us),
        }
        for grant in found
    ]
    if not face.as_json:
        rows = [row | {"literal": _shown(row["literal"])} for row in rows]
    face.emit_rows(rows, columns=_COLUMNS)


def _shown(literal: Mapping[str, Any]) -> str:
    """Say for which details a grant is, and which may be anything."""
    said = plain_json(literal["details"])
    if literal["any_value"]:
        said += f"; anything as {', '.join(literal['any_value'])}"
    return f"{said}; target {literal['target']}" if literal["target"] else said


@grants.command()
@click.argument("action")
@click.option(
    "--details", default="{}", metavar="JSON", help="As the agent would say them."
)
@click.option("--agent", metavar="NAME", help="Whose requests; default: anybody's.")
@click.option("--session", metavar="KEY", help="Of which session; default: of any.")
@click.option("--target", default="", metavar="TEXT", help="To what it is done.")
@click.option("--for", "age", type=AGE, default="1h", show_default=True, metavar="TIME")
@click.option(
    "--uses", type=click.IntRange(1), metavar="N", help="How often; default: any."
)
@_AS
@common_options
def add(
    face: Face,
    action: str,
    details: str,
    agent: str | None,
    session: str | None,
    target: str,
    age: int,
    uses: int | None,
    person: str | None,
) -> None:
    """Let ACTION with just these details pass; a `*` in them is a `*`."""
    given = {
        "action": action, "details": details_of(details), "requester": agent,
        "session_key": session, "target": target or None,
        "seconds": age // _SECOND_US, "uses": uses,
    }  # fmt: skip
    body = {key: value for key, value in given.items() if value is not None}
    with signed_in(face, person) as somebody:
        made = somebody.ask("POST", "/grants", body)
    if face.as_json:
        face.emit(made)
    else:
        click.echo(made.get("id"))


@grants.command()
@click.argument("grant_id", metavar="ID")
@_AS
@common_options
def revoke(face: Face, grant_id: str, person: str | None) -> None:
    """Take a standing grant back."""
    from urllib.parse import quote

    with signed_in(face, person) as somebody:
        somebody.ask("POST", f"/grants/{quote(grant_id, safe='')}/revoke", {})
    if face.as_json:
        face.emit({"id": grant_id, "revoked": True})
    else:
        talk(f"{grant_id}: revoked")

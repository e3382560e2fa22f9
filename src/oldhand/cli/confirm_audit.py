"""`oldhand confirm audit`: the log of what was asked, decided and used, verified offline."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.tables import plain_json
from oldhand.errors import InvalidInput, NeedsAttention

if TYPE_CHECKING:
    from oldhand.confirm.grants import Verify

_NOTHING_YET = "no database yet, and so no log; `oldhand serve` begins one"
_COLUMNS = {
    "seq": "row",
    "at": "at",
    "kind": "what",
    "principal": "who",
    "request_id": "request",
    "body": "particulars",
}


@click.group()
@common_options
def audit(_face: Face) -> None:
    """Read, verify and export the log; the daemon is not needed."""


@audit.command("list")
@click.option("--limit", type=click.IntRange(1, 500), default=100, show_default=True)
@click.option("--kind", metavar="KIND", help="Only these, as approved.")
@click.option("--principal", metavar="NAME", help="Only what one did.")
@click.option("--request", metavar="ID", help="Only about one request.")
@common_options
def list_(
    face: Face,
    limit: int,
    kind: str | None,
    principal: str | None,
    request: str | None,
) -> None:
    """List the newest rows of the log, the newest first."""
    from oldhand.clock import to_iso
    from oldhand.confirm.audit.kinds import KINDS
    from oldhand.confirm.audit.read import read_audit

    if kind is not None and kind not in KINDS:
        raise InvalidInput(f"--kind {kind!r}: there are {', '.join(KINDS)}")
    store = face.store(nothing_yet=_NOTHING_YET)
    found = read_audit(
        store, limit=limit, kind=kind, principal=principal, request_id=request
    )
    rows = ({**row._asdict(), "at": to_iso(row.at_us)} for row in found)
    if not face.as_json:
        rows = ({**row, "body": plain_json(row["body"])} for row in rows)
    face.emit_rows(rows, columns=_COLUMNS)


@audit.command()
@click.option(
    "--checkpoints", type=click.Path(path_type=Path), metavar="FILE",
    help="Those written outside; default: the file in oldhand's home.",
)  # fmt: skip
@common_options
def verify(face: Face, checkpoints: Path | None) -> None:
    """Follow the log from its first row to its last.

    Exit code 9: a row is not as it was written, and which. That the newest rows were cut
    off only checkpoints show, best from a file where no agent can write.
    """
    from oldhand.app.confirm_places import places_of
    from oldhand.confirm.audit.checkpoint import checkpoints_in, read_checkpoints
    from oldhand.confirm.audit.verify import verify_chain

    store = face.existing_store(nothing_yet=_NOTHING_YET)
    places = places_of(face.settings, checkpoints=checkpoints)
    outside = checkpoints or places.checkpoints
    signed = checkpoints_in(store) + (read_checkpoints(outside) if outside else [])
    check = _check_by(places.key) if signed else None
    verdict = verify_chain(store, checkpoints=signed, verify=check)
    if face.as_json:
        face.emit(
            {
                **verdict._asdict(),
                "intact": verdict.is_intact,
                "signatures": bool(check),
            }
        )
    if not verdict.is_intact:
        raise NeedsAttention(
            f"the log is not intact at row {verdict.fault_seq}: {verdict.fault}"
        )
    if not face.as_json:
        click.echo(
            f"{verdict.rows} rows and {verdict.checkpoints} checkpoints, intact; the last "
            f"hash is {verdict.head}"
        )


@audit.command()
@common_options
def export(face: Face) -> None:
    """Print the log as JSON lines, for examples/verify_audit.py or a script of your own."""
    from oldhand.confirm.audit.export import export_lines

    for line in export_lines(face.existing_store(nothing_yet=_NOTHING_YET)):
        sys.stdout.write(line)


def _check_by(key_file: Path) -> Verify | None:
    """Return what verifies signatures; None, and that is said, where the key is not at hand."""
    from oldhand.confirm.keys import SigningKey
    from oldhand.errors import OldhandError

    try:
        if key_file.exists():
            return SigningKey.load(key_file).verify
        talk(f"{key_file}: not there; signatures of checkpoints were not looked at")
    except OldhandError as fault:
        talk(f"{fault}; signatures of checkpoints were not looked at")
    return None

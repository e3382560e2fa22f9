"""`oldhand calls`: what agents called, and how it went."""

from __future__ import annotations

import click

from oldhand.cli.face import Face, common_options
from oldhand.cli.judge import judge
from oldhand.cli.label import label


@click.group()
@common_options
def calls(_face: Face) -> None:
    """Show tool calls and how each went."""


@calls.command("list")
@click.option("--session", metavar="UID", help="Only those of one session.")
@click.option(
    "--outcome",
    metavar="OUTCOME",
    help="ok, empty, negative, error, blocked, cancelled, pending or unknown.",
)
@click.option("--tool", metavar="NAME", help="Only those of one tool.")
@click.option("--source", metavar="NAME", help="Only those of one agent.")
@click.option("--limit", type=click.IntRange(1), help="At most so many.")
@common_options
def list_(
    face: Face,
    session: str | None,
    outcome: str | None,
    tool: str | None,
    source: str | None,
    limit: int | None,
) -> None:
    """List calls in the order in which they were made."""
    from oldhand.sessions.on_record import check_on_record
    from oldhand.sessions.read import find_session
    from oldhand.sessions.read_calls import iterate_calls

    store = face.store()
    check_on_record(store, source=source)
    found = iterate_calls(
        store,
        session=find_session(store, session) if session else None,
        outcome=outcome,
        tool=tool,
        source=source,
        limit=limit,
    )
    columns = {
        "session": "session",
        "outcome": "outcome",
        "rule": "rule",
        "error_kind": "kind",
        "shape": "shape",
        "arguments": "arguments",
    }
    rows = (call.as_json() for call in found)
    if not face.as_json:
        rows = ({**row, "arguments": row["arguments"][:80]} for row in rows)
    face.emit_rows(rows, columns=columns)


calls.add_command(judge)
calls.add_command(label)

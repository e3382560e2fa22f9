"""`oldhand sessions`: what is on record."""

from __future__ import annotations

import click

from oldhand.cli.face import Face, common_options


@click.group()
@common_options
def sessions(_face: Face) -> None:
    """Show the sessions on record."""


@sessions.command("list")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1))
@click.option("--source", metavar="NAME", help="Only those of one agent.")
@click.option("--project", metavar="DIR", help="Only those of one project.")
@common_options
def list_(face: Face, limit: int, source: str | None, project: str | None) -> None:
    """List sessions, those that changed last first."""
    from oldhand.sessions.read import recent_sessions

    found = recent_sessions(face.store(), limit=limit, source=source, project=project)
    columns = {
        "updated_at": "updated",
        "uid": "session",
        "source": "source",
        "principal": "principal",
        "message_count": "messages",
        "tool_call_count": "calls",
        "failed_call_count": "failed",
        "task": "task",
    }
    rows = [session.as_json() for session in found]
    if not face.as_json:
        for row in rows:
            row["updated_at"] = row["updated_at"][:16].replace("T", " ")
            row["task"] = (row["title"] or row["task"] or "")[:60]
    face.emit_rows(rows, columns=columns)


@sessions.command()
@click.argument("uid")
@click.option("--chars", default=400, show_default=True, help="Shown of each message.")
@common_options
def show(face: Face, uid: str, chars: int) -> None:
    """Show one session, its messages and calls; the beginning of its UID will do."""
    from oldhand.sessions.read import find_session, load_messages

    session = find_session(face.store(), uid)
    value = session.as_json() | {"messages": load_messages(face.store(), session)}
    if face.as_json:
        face.emit(value)
        return
    from oldhand.cli.session_page import print_session

    print_session(value, chars=chars)

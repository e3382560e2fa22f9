"""`oldhand sessions`: what is on record."""

from __future__ import annotations

import click

from oldhand.cli.face import Face, common_options
from oldhand.cli.keeping import erase, export, prune
from oldhand.cli.project import PROJECT


@click.group()
@common_options
def sessions(_face: Face) -> None:
    """Show the sessions on record."""


@sessions.command("list")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1))
@click.option("--source", metavar="NAME", help="Only those of one agent.")
@click.option(
    "--project", type=PROJECT, metavar="DIR", help="Only those of one project."
)
@common_options
def list_(face: Face, limit: int, source: str | None, project: str | None) -> None:
    """List sessions, those that changed last first."""
    from oldhand.sessions.on_record import check_on_record
    from oldhand.sessions.read import recent_sessions

    check_on_record(face.store(), source=source, project=project)
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
@click.option(
    "--chars",
    default=400,
    show_default=True,
    type=click.IntRange(0),
    help="Shown of each message.",
)
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


@sessions.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--source", metavar="NAME", help="Only in sessions of one agent.")
@click.option(
    "--project", type=PROJECT, metavar="DIR", help="Only in sessions of one project."
)
@click.option("--tool", metavar="NAME", help="Only in calls of a tool, and results.")
@click.option("--outcome", metavar="OUTCOME", help="Only in calls that went so.")
@click.option("--since", metavar="TIME", help="Said at that time or after (ISO 8601).")
@click.option("--until", metavar="TIME", help="Said before that time (ISO 8601).")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1))
@common_options
def search(
    face: Face,
    query: tuple[str, ...],
    source: str | None,
    project: str | None,
    tool: str | None,
    outcome: str | None,
    since: str | None,
    until: str | None,
    limit: int,
) -> None:
    """Find sessions by what was said in them, the best hit first.

    A message fits that holds all words of QUERY. Within it, "quoted words" must follow each
    other, a word* may go on, and a -word must not be there. Secrets are not searched.
    """
    from oldhand.cli.search_page import fill_index, print_found
    from oldhand.sessions.on_record import check_on_record
    from oldhand.sessions.search.find import search_sessions

    check_on_record(face.store(), source=source, project=project)
    fill_index(face.store())
    found = search_sessions(
        face.store(),
        " ".join(query),
        fill=False,
        source=source,
        project=project,
        tool=tool,
        outcome=outcome,
        since=since,
        until=until,
        limit=limit,
    )
    if face.as_json:
        face.emit_rows((session.as_json() for session in found), columns={})
    else:
        print_found(found)


for _command in (export, erase, prune):
    sessions.add_command(_command)

"""`oldhand hint`: what may help when a call has just failed."""

from __future__ import annotations

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.project import PROJECT


@click.command()
@click.option("--tool", required=True, metavar="NAME", help="The tool that failed.")
@click.option(
    "--arguments",
    required=True,
    metavar="JSON",
    help="What it was called with: an object, or a string where it takes text.",
)
@click.option("--error", required=True, metavar="TEXT", help="What came back.")
@click.option(
    "--session",
    metavar="UID",
    help="Its session: what that did itself goes before all else.",
)
@click.option(
    "--project",
    type=PROJECT,
    metavar="DIR",
    help="Where it works; by default the current directory.",
)
@click.option(
    "--before",
    metavar="TIME",
    help="Know only what was there then (ISO 8601), to try out what would have been said.",
)
@common_options
def hint(
    face: Face,
    tool: str,
    arguments: str,
    error: str,
    session: str | None,
    project: str | None,
    before: str | None,
) -> None:
    """Print what may help after a call has failed: at most three past calls.

    A repair of such a call, a call of the same shape that worked, and what came before
    such calls and is missing here; marked as data. Where nothing fits, nothing is printed;
    so after a red test, which is a good call.
    """
    from oldhand.app import hints
    from oldhand.experience.hint import render_hints

    found = hints.hint(
        face.store(),
        tool,
        arguments,
        error,
        session=session,
        project=project,
        before=before,
        settings=face.settings,
    )
    if face.as_json:
        face.emit({"hints": [one.as_json() for one in found]})
    elif found:
        click.echo(render_hints(found))
    else:
        _tell_why_none(face)


def _tell_why_none(face: Face) -> None:
    from oldhand.sessions.read import recent_sessions

    if recent_sessions(face.store(), limit=1):
        talk("nothing on record fits this call, or it was no mistake")
    elif face.has_database:  # else it was said when it was looked for
        talk("no sessions on record; run `oldhand import` first")

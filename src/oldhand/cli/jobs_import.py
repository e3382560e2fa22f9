"""`oldhand jobs import hermes`: take over another scheduler's jobs, paused."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.counted import counted

if TYPE_CHECKING:
    from oldhand.app.hermes_jobs import Taken


@click.group("import")
@common_options
def import_(_face: Face) -> None:
    """Take over the jobs of another scheduler."""


@import_.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option(
    "--dry-run", is_flag=True, help="Say what would come of it; write nothing."
)
@common_options
def hermes(face: Face, path: Path | None, *, dry_run: bool) -> None:
    """Import the jobs of Hermes, paused: each fires when you resume it.

    PATH is a home of Hermes or its cron/jobs.json; by default $HERMES_HOME, else ~/.hermes.
    A job that was imported before is left as it is.
    """
    from oldhand.app.hermes_jobs import import_hermes_jobs

    store = face.store(for_writing=not dry_run, nothing_yet="no jobs here yet")
    found = import_hermes_jobs(store, path, settings=face.settings, dry_run=dry_run)
    if face.as_json:
        for taken in found:
            face.emit(taken.as_json())
        return
    for taken in found:
        _print(taken)
    _tell(found, dry_run=dry_run)


def _print(taken: Taken) -> None:
    """Print what was understood of one job, and what was not."""
    from oldhand.cli.tables import plain

    of_hermes = taken.hermes
    words = {
        "new": "new, paused",
        "there": "imported before",
        "refused": "not taken over",
    }
    click.secho(
        f"{plain(of_hermes.name or '(no job)')}: {words[taken.became]}", bold=True
    )
    click.echo(f"  hermes: {of_hermes.id or 'no id'}")
    if taken.became != "there":
        if of_hermes.fault:
            click.echo(f"  why: {plain(of_hermes.fault)}")
        _print_understood(taken)
        for said in of_hermes.left_out:
            click.echo(f"  left out: {plain(said)}")
        for said in of_hermes.to_do:
            click.echo(f"  to do: {plain(said)}")
    if of_hermes.fires_there and taken.became != "refused":
        click.secho(
            "  Hermes fires it too: once it is resumed here, both would; first "
            f"`hermes cron pause {of_hermes.id}`",
            fg="yellow",
        )


def _print_understood(taken: Taken) -> None:
    from oldhand.cli.tables import plain

    spec = taken.hermes.spec
    if spec is None:
        return
    facts = {
        "when": f"{spec.schedule}, {spec.zone}",
        "firings left": spec.repeat,
        "prompt": _cut(spec.prompt),
        "skills": ", ".join(spec.skills),
        "model": spec.model,
        "provider": spec.provider,
        "base url": spec.base_url,
        "script": spec.script,
        "workdir": spec.workdir,
        "deliver": ", ".join(spec.deliver),
        "runner": shlex.join(spec.runner),
    }
    for name, value in facts.items():
        if value:
            click.echo(f"  {name}: {plain(value)}")


def _tell(found: Sequence[Taken], *, dry_run: bool) -> None:
    """Say how many there were, and what to type next."""
    of = {
        became: [taken for taken in found if taken.became == became]
        for became in ("new", "there", "refused")
    }
    would = " would be" if dry_run else ""
    talk(
        f"{counted(len(of['new']), 'job')}{would} new, {len(of['there'])} imported before, "
        f"{len(of['refused'])} not taken over; past runs stay in Hermes"
    )
    if of["new"] and not dry_run:
        name = shlex.quote(of["new"][0].hermes.name)
        talk(f"look at one, and let it fire: oldhand jobs resume {name}")


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:99]}…"  # noqa: PLR2004 - about a line

"""`oldhand template accept|retire|supersede|diff|best`: which template is given."""

from __future__ import annotations

from typing import Any

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.scope import scope_options
from oldhand.counted import counted


@click.command()
@click.argument("name")
@click.option(
    "--digest",
    metavar="D",
    help="Of what you have read, 8 digits or more; refuse anything else.",
)
@common_options
def accept(face: Face, name: str, digest: str | None) -> None:
    """Let an agent's proposal be given; NAME or NAME@VERSION. Read it first."""
    from oldhand.experience.template import accept_template

    accepted = accept_template(face.store(for_writing=True), name, digest=digest)
    if face.as_json:
        face.emit(accepted.as_json())
    else:
        click.echo(accepted.label)


@click.command()
@click.argument("name")
@common_options
def retire(face: Face, name: str) -> None:
    """Give a template no more: all versions of NAME, or the one of NAME@VERSION."""
    from oldhand.experience.template import retire_template

    _tell_retired(face, retire_template(face.store(for_writing=True), name))


@click.command()
@click.argument("old")
@click.argument("new")
@common_options
def supersede(face: Face, old: str, new: str) -> None:
    """Retire OLD, and give NEW where OLD is asked for."""
    from oldhand.experience.template import supersede_template

    _tell_retired(face, supersede_template(face.store(for_writing=True), old, new))


def _tell_retired(face: Face, labels: list[str]) -> None:
    if face.as_json:
        face.emit({"retired": labels})
    else:
        talk(f"retired {', '.join(labels)}")


@click.command()
@click.argument("first")
@click.argument("second")
@common_options
def diff(face: Face, first: str, second: str) -> None:
    """Show what SECOND has that FIRST has not, and the other way round."""
    from oldhand.experience.template import find_template
    from oldhand.experience.template.diff import diff_templates

    store = face.store()
    found = diff_templates(find_template(store, first), find_template(store, second))
    if face.as_json:
        face.emit(found.as_json())
        return
    from oldhand.cli.template_page import print_diff

    print_diff(found)


@click.command()
@click.option("--task", default="", metavar="TEXT", help="What is to be done.")
@click.option(
    "--tokens",
    default=1500,
    show_default=True,
    type=click.IntRange(1),
    help="What a warm start may take.",
)
@scope_options
@common_options
def best(face: Face, scope: dict[str, Any], **options: Any) -> None:  # noqa: ANN401
    """Print the template that helps most: as measured, else by what it covers.

    An experiment counts where its interval leaves out zero and all that it gave was this
    version. Else it is the share of the calls of your sessions whose shape is shown.
    """
    from oldhand.app import templates

    found = templates.best_template(
        face.store(), settings=face.settings, **options, **scope
    )
    if face.as_json:
        face.emit(found.as_json())
        return
    click.echo(found.template.label)
    talk(_why(found.coverage, found.sessions, found.benefit))


def _why(coverage: float, sessions: int, benefit: Any) -> str:  # noqa: ANN401 - a Benefit or None
    covers = f"it covers {coverage:.0%} of the calls of {counted(sessions, 'session')}"
    if benefit is None:
        return f"by coverage: {covers}; no experiment says more"
    return (
        f"by benefit: sessions with a bad call became fewer by {-benefit.high:.1%} to "
        f"{-benefit.low:.1%} (experiment {benefit.experiment}, "
        f"{benefit.sessions:,} sessions); {covers}"
    )

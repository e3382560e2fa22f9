"""One template as a person reads it."""

from __future__ import annotations

import click

from oldhand.cli.tables import plain
from oldhand.experience.template import Template

_SHOWN_CHARS = 200


def print_template(template: Template) -> None:
    """Print a template's facts, then each example with where it came from."""
    click.secho(template.label, bold=True)
    click.echo(f"  digest: {template.digest[:16]}")
    for fact in ("kind", "description", "task", "addendum"):
        if getattr(template, fact):
            click.echo(f"  {fact}: {plain(getattr(template, fact))}")
    if template.tags:
        click.echo(f"  tags: {plain(', '.join(template.tags))}")
    if template.coverage is not None:
        click.echo(
            f"  covers {template.coverage:.0%} of the calls of "
            f"{template.session_count:,} sessions"
        )
    for number, example in enumerate(template.examples, start=1):
        click.echo()
        click.secho(f"{number}. {plain(example.shape or example.tool)}", fg="cyan")
        if example.context:
            click.echo(f"   asked: {plain(example.context)}")
        click.echo(
            f"   {plain(example.tool)} {plain(example.arguments[:_SHOWN_CHARS])}"
        )
        click.echo(
            f"   {plain(example.outcome)}: {plain(example.result[:_SHOWN_CHARS])}"
        )
        click.echo(
            f"   from {plain(example.session)} {plain(example.call_id)}; worked in "
            f"{example.support} sessions"
        )

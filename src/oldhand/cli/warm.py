"""`oldhand warm`: the start of the next session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.scope import scope_options

if TYPE_CHECKING:
    from oldhand.experience.warm import WarmStart


@click.command()
@click.option(
    "--template", metavar="NAME", help="Give this template; else choose anew."
)
@click.option("--task", default="", metavar="TEXT", help="What the session is to do.")
@click.option(
    "--for",
    "target",
    default="text",
    show_default=True,
    metavar="TARGET",
    help="text, valid everywhere; or native turns for openai or anthropic.",
)
@click.option("--tokens", default=1500, show_default=True, type=click.IntRange(1))
@click.option("--max-examples", type=click.IntRange(1), help="At most so many.")
@click.option(
    "--tools",
    metavar="A,B,…",
    help="The tools that the session has; others are left out.",
)
@click.option(
    "--session", metavar="UID", help="The session that it is for, for the log."
)
@scope_options
@common_options
def warm(face: Face, scope: dict[str, Any], tools: str | None, **options: Any) -> None:  # noqa: ANN401
    """Print the start for a new session: past calls that worked, marked as data."""
    from oldhand.app import starts

    names = (
        None if tools is None else [t.strip() for t in tools.split(",") if t.strip()]
    )
    given = starts.warm(
        face.store(), settings=face.settings, tools=names, **options, **scope
    )
    if face.as_json:
        face.emit(given.as_json())
        return
    if given.text is not None:
        click.echo(given.text)
    else:
        face.emit(given.messages)
    talk(_note(given))


def _note(given: WarmStart) -> str:
    """Say what it rests on, how fresh that is, and how far to trust it."""
    from oldhand.clock import system_clock
    from oldhand.experience.warm import FEW_SESSIONS

    shown = f"{len(given.examples)} examples, about {given.tokens:,} tokens"
    times = [example.at_us for example in given.examples if example.at_us is not None]
    newest_us = given.newest_us or max(times, default=None)
    age = ""
    if newest_us is not None:
        age = f", the newest {_ago(system_clock() - newest_us)} old"
    if given.template is not None:
        return f"{shown}, of template {given.template}{age}"
    note = (
        f"{shown}, from {given.sessions:,} sessions{age}; they cover "
        f"{given.coverage or 0:.0%} of what these did"
    )
    if given.sessions < FEW_SESSIONS:
        note += (
            f"\nfewer than {FEW_SESSIONS} sessions: chosen from all of them, and the "
            "coverage says little about the next one"
        )
    return note


def _ago(age_us: int) -> str:
    hours = max(0, age_us) // 3_600_000_000
    if hours < 1:
        return "less than an hour"
    return f"{hours} h" if hours < 72 else f"{hours // 24:,} days"  # noqa: PLR2004 - three days

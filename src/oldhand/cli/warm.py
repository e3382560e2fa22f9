"""`oldhand warm`: the start of the next session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.scope import scope_options
from oldhand.cli.tools import TOOLS_HELP, generalise_option, tools_named
from oldhand.counted import counted
from oldhand.errors import InvalidInput

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
    help="text, valid everywhere; native turns for openai or anthropic; or a session of "
    "claude-code, to be resumed.",
)
@click.option("--tokens", default=1500, show_default=True, type=click.IntRange(1))
@click.option("--max-examples", type=click.IntRange(1), help="At most so many.")
@click.option("--tools", metavar="A,B,…", help=TOOLS_HELP)
@generalise_option(default=False)
@click.option(
    "--session", metavar="UID", help="The session that it is for, for the log."
)
@click.option(
    "--experiment", metavar="NAME", help="Give the session what it draws there."
)
@scope_options
@common_options
def warm(
    face: Face,
    scope: dict[str, Any],
    tools: str | None,
    experiment: str | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Print the start for a new session: past calls that worked, marked as data."""
    from oldhand.app import starts

    wishes = {"settings": face.settings, "tools": tools_named(tools)} | options | scope
    if wishes["target"] == "claude-code":
        from oldhand.cli.native_session import write_session

        write_session(face, wishes, experiment=experiment)
        return
    _check_target(wishes["target"])
    if experiment is not None:
        _print_drawn(face, experiment, wishes)
        return
    given = starts.warm(face.store(), **wishes)
    if not given.is_logged:
        talk("nothing can be written: that this start was given is not on record")
    if face.as_json:
        face.emit(given.as_json())
        return
    _print_start(face, given)
    if given.note:
        talk(given.note)
    talk(_note(given))


def _check_target(target: str) -> None:
    """Refuse an unknown target, naming also the one that only a command line has."""
    from oldhand.experience.warm import TARGETS

    if target not in TARGETS:
        known = ", ".join((*TARGETS, "claude-code"))
        raise InvalidInput(f"{target!r} is no target; expected one of {known}")


def _print_drawn(face: Face, experiment: str, wishes: dict[str, Any]) -> None:
    """Print what a session is given in its arm of an experiment; nothing if it is cold."""
    from oldhand.app import experiments

    store = face.store(for_writing=True)
    drawn = experiments.warm_for_experiment(store, experiment, **wishes)
    if face.as_json:
        face.emit(drawn.as_json())
        return
    _print_start(face, drawn.start)
    held_out = ", held out for good" if drawn.is_held_out else ""
    again = "" if drawn.is_new else ", as before"
    talk(f"experiment {experiment}: {drawn.arm}{held_out}{again}")
    if drawn.note:
        talk(drawn.note)


def _print_start(face: Face, given: WarmStart) -> None:
    if given.text is None:
        face.emit(given.messages)
    elif given.text:
        click.echo(given.text)


def _note(given: WarmStart) -> str:
    """Say what it rests on, how fresh that is, and how far to trust it."""
    from oldhand.clock import system_clock
    from oldhand.experience.warm import FEW_SESSIONS

    shown = (
        f"{counted(len(given.examples), 'example')}, "
        f"about {counted(given.tokens, 'token')}"
    )
    times = [example.at_us for example in given.examples if example.at_us is not None]
    newest_us = given.newest_us or max(times, default=None)
    age = ""
    if newest_us is not None:
        age = f", the newest {_ago(system_clock() - newest_us)} old"
    if given.template is not None:
        return f"{shown}, of template {given.template}{age}"
    covers = "it covers" if len(given.examples) == 1 else "they cover"
    note = (
        f"{shown}, from {counted(given.sessions, 'session')}{age}; {covers} "
        f"{given.coverage or 0:.0%} of what was done there"
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

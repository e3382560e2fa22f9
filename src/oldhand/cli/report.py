"""`oldhand report`: what sessions cost, how their calls went, what would have helped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.private_file import open_private
from oldhand.cli.progress import waiting
from oldhand.cli.project import PROJECT
from oldhand.cli.tables import make_console
from oldhand.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import Console

_PARTS = ("costs", "skills", "calls", "repairs", "coverage")


@click.command()
@click.option("--since", metavar="TIME", help="Only from this time on (ISO 8601).")
@click.option("--until", metavar="TIME", help="Only what came before (ISO 8601).")
@click.option("--source", metavar="NAME", help="Only sessions of one agent.")
@click.option(
    "--project", type=PROJECT, metavar="DIR", help="Only sessions of one project."
)
@click.option(
    "--part",
    "parts",
    type=click.Choice(_PARTS),
    multiple=True,
    help="Only this part; give it again for more.  [default: all]",
)
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write what is shown as a picture to a new file, private to you, too.",
)
@common_options
def report(
    face: Face,
    since: str | None,
    until: str | None,
    source: str | None,
    project: str | None,
    parts: tuple[str, ...],
    svg: Path | None,
) -> None:
    """Show what sessions cost, how their calls went, and what would have helped.

    costs: tokens and cost by day, model and agent. Days are UTC. What an agent did not
    write down is unknown: a dash, and the number of sessions that a sum leaves out. A
    session's cost counts on the day it began.

    skills: what those cost that sessions loaded, by their shares in each. What a session
    spent before it loaded one is not in it.

    calls: how many went wrong, by tool, by their place in the session and by its length,
    with 95 % intervals that draw whole sessions.

    repairs: what failed and what then worked, in shapes of calls; those that most sessions
    took.

    coverage: what a warm start would have shown of your last sessions' calls, each served
    from earlier ones alone.
    """
    from oldhand.sessions.on_record import check_on_record

    times = {"since_us": _time(since), "until_us": _time(until)}
    scope: dict[str, Any] = {
        **{name: at_us for name, at_us in times.items() if at_us is not None},
        "source": source,
        "project": project,
    }
    if face.as_json and svg is not None:
        raise InvalidInput("--json and --svg together; take one of them")
    check_on_record(face.store(), source=source, project=project)
    with _console(svg) as console:
        found = {
            name: read(face, scope)
            for name, read in _READERS.items()
            if name in (parts or _PARTS)
        }
        if face.as_json:
            shown = {name: part.as_json() for name, part in found.items()}
            face.emit(shown.pop("costs", {}) | shown)
        else:
            _show(console, found)


def _time(text: str | None) -> int | None:
    from oldhand.clock import from_iso

    at_us = None if text is None else from_iso(text)
    if text is not None and at_us is None:
        raise InvalidInput(f"{text!r} is no time; expected ISO 8601, as 2026-01-31")
    return at_us


def _costs(face: Face, scope: dict[str, Any]) -> object:
    from oldhand.sessions.costs import report_costs

    return report_costs(face.store(), **scope)


def _skills(face: Face, scope: dict[str, Any]) -> object:
    from oldhand.ledger.spend import skill_spend

    return skill_spend(face.store(), **scope)


def _calls(face: Face, scope: dict[str, Any]) -> object:
    from oldhand.experience.report import report_calls

    with waiting("counting calls") as progress:
        return report_calls(face.store(), **scope, progress=progress)


def _repairs(face: Face, scope: dict[str, Any]) -> object:
    from oldhand.experience.report import report_repairs

    return report_repairs(face.store(), **scope)


def _coverage(face: Face, scope: dict[str, Any]) -> object:
    from oldhand.experience.report import forecast

    with waiting("serving past sessions") as progress:
        return forecast(face.store(), **scope, progress=progress)


_READERS: dict[str, Callable[[Face, dict[str, Any]], Any]] = {
    "costs": _costs,
    "skills": _skills,
    "calls": _calls,
    "repairs": _repairs,
    "coverage": _coverage,
}


def _show(console: Console, found: dict[str, Any]) -> None:
    from oldhand.cli.cost_page import show_costs
    from oldhand.cli.repair_page import show_repairs
    from oldhand.cli.report_page import show_calls, show_forecast
    from oldhand.cli.spend_page import show_spend

    pages: dict[str, Callable[[Console, Any], None]] = {
        "costs": show_costs,
        "skills": show_spend,
        "calls": show_calls,
        "repairs": show_repairs,
        "coverage": show_forecast,
    }
    for name, part in found.items():
        pages[name](console, part)


@contextmanager
def _console(svg: Path | None) -> Iterator[Console]:
    """Yield where to print; write it to a file as well, which is made first, if named."""
    if svg is None:
        yield make_console()
        return
    with open_private(svg) as file:
        console = make_console(record=True)
        yield console
        picture = console.export_svg(title="oldhand report")
        # Without the fonts that a viewer would fetch.
        file.write(re.sub(r"@font-face \{[^}]*\}", "", picture))
    talk(f"the picture is in {svg}")

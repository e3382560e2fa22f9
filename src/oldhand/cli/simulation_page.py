"""`oldhand demo --simulate`: the meter at work, and in its first line what it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from oldhand.cli.experiment_page import print_analysis
from oldhand.cli.face import Face, talk
from oldhand.cli.tables import print_table

if TYPE_CHECKING:
    from oldhand.app.simulation import Check, Simulation

_COLUMNS = {
    "policy": "a policy that",
    "shown": "is shown",
    "twice_sessions": "sessions, each twice",
    "difference": "with a bad call",
}


def show_simulation(face: Face) -> None:
    """Run the simulation and print what the meter shows."""
    from oldhand.app.simulation import NO_EVIDENCE, run_simulation

    if face.as_json:
        face.emit(run_simulation().as_json())
        return
    click.echo(NO_EVIDENCE)
    click.echo(
        "It knows only what it is shown: it copies a call that worked, else guesses. Its\n"
        "sessions are recorded, judged and mined; new ones draw arms, and run again.\n"
    )
    _print(run_simulation(progress=lambda doing: talk(f"… {doing}")))


def _print(found: Simulation) -> None:
    print_analysis(found.analysis)
    click.echo("\nthe same sessions once with what they drew and once with nothing")
    print_table(map(_row, found.checks), columns=_COLUMNS)
    alarms = found.alarms
    click.echo(
        f"{alarms.experiments} experiments without any difference, looked at after each of "
        f"{alarms.sessions} sessions:\nfalse alarms in {alarms.ours} "
        f"({alarms.ours / alarms.experiments:.1%}); an ordinary test gives "
        f"{alarms.peeking} ({alarms.peeking / alarms.experiments:.1%})"
    )


def _row(check: Check) -> dict[str, str]:
    difference = f"{check.difference * 100:+.0f} points"
    return {
        "policy": check.policy,
        "shown": check.shown,
        "twice_sessions": f"{check.sessions:,}",
        "difference": "no session differs" if check.is_equal else difference,
    }

"""`oldhand experiment`: whether warm starts help, found out by drawing lots."""

from __future__ import annotations

from pathlib import Path

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.errors import InvalidInput


@click.group()
@common_options
def experiment(_face: Face) -> None:
    """Find out by lot whether warm starts help; look as often as you like.

    Sessions are drawn into arms by `oldhand warm --session UID --experiment NAME`.
    """


@experiment.command()
@click.argument("name")
@click.option(
    "--arms",
    default="cold,warm,placebo",
    show_default=True,
    metavar="A,B,…",
    help="cold, and one or both of warm and placebo.",
)
@click.option(
    "--share",
    "shares",
    metavar="X,Y,…",
    help="The chance of each arm, 1 together; by default all the same.",
)
@click.option(
    "--holdout",
    default=0.1,
    show_default=True,
    type=float,
    help="The share of sessions that stay cold for good.",
)
@click.option(
    "--horizon",
    default=20,
    show_default=True,
    type=int,
    help="How many of a session's first calls are looked at.",
)
@click.option("--description", default="", metavar="TEXT", help="For people.")
@common_options
def start(
    face: Face,
    name: str,
    arms: str,
    shares: str | None,
    holdout: float,
    horizon: int,
    description: str,
) -> None:
    """Start an experiment."""
    from oldhand.app import experiments
    from oldhand.experience.experiment import list_experiments

    store = face.store(for_writing=True)
    others = [one.experiment for one in list_experiments(store)]
    started = experiments.start_experiment(
        store,
        name,
        arms=_words(arms),
        shares=None if shares is None else [_number(text) for text in _words(shares)],
        holdout=holdout,
        horizon=horizon,
        description=description,
    )
    if face.as_json:
        face.emit(started.as_json())
        return
    chances = ", ".join(f"{started.chance_of(arm):.0%} {arm}" for arm in started.arms)
    talk(
        f"experiment {name} runs: of the sessions will be {chances}\n"
        f"assign each before its first call: oldhand warm --session UID --experiment {name}"
    )
    running = [other.name for other in others if other.stopped_at_us is None]
    if running:
        talk(
            f"Claude Code's hook draws in {name} from now on, as in the newest alone; "
            f"still running: {', '.join(running)}"
        )


@experiment.command("list")
@common_options
def list_(face: Face) -> None:
    """List experiments, newest first."""
    from oldhand.experience.experiment import list_experiments

    rows = []
    for found, sessions in list_experiments(face.store()):
        row = found.as_json() | {"sessions": sessions}
        if not face.as_json:
            row["arms"] = " ".join(found.arms)
            row["started_at"] = row["started_at"][:16].replace("T", " ")
            row["stopped_at"] = (row["stopped_at"] or "")[:16].replace("T", " ")
        rows.append(row)
    columns = {
        "started_at": "started",
        "stopped_at": "stopped",
        "name": "name",
        "arms": "arms",
        "sessions": "sessions",
        "description": "description",
    }
    face.emit_rows(rows, columns=columns)


@experiment.command()
@click.argument("name")
@click.option(
    "--svg",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the picture to a new file, private to you, too.",
)
@common_options
def show(face: Face, name: str, svg: Path | None) -> None:
    """Show what came of each arm, and the interval of the difference over time."""
    from oldhand.app import experiments
    from oldhand.cli.experiment_page import print_analysis

    found = experiments.show_experiment(face.store(), name)
    if svg is not None:
        from oldhand.cli.experiment_svg import picture
        from oldhand.cli.private_file import open_private

        with open_private(svg) as file:
            file.write(picture(found))
        talk(f"the picture is in {svg}")
    if face.as_json:
        face.emit(found.as_json())
    else:
        print_analysis(found)


@experiment.command()
@click.argument("name")
@common_options
def stop(face: Face, name: str) -> None:
    """End the draw; sessions that are held out stay cold."""
    from oldhand.experience.experiment import stop_experiment

    stopped = stop_experiment(face.store(for_writing=True), name)
    if face.as_json:
        face.emit(stopped.as_json())
        return
    kept = f"{stopped.holdout:.0%} of them stay cold, and all others are warm"
    talk(f"experiment {name} is stopped; sessions that come now are not drawn: {kept}")


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as fault:
        raise InvalidInput(f"{text!r} is no share; expected as 0.5") from fault

"""`oldhand skills`: which skill works, with which model, and what a success costs."""

from __future__ import annotations

from pathlib import Path

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.errors import InvalidInput

_WINDOW_DAYS = 14.0


@click.group()
@common_options
def skills(_face: Face) -> None:
    """See which skill works, with which model, and what a success costs.

    Runs come from imported sessions in which a skill was loaded, and from runners that
    call record_skill_invocation in Python.
    """


@skills.command("list")
@click.option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="Look in this project, too; by default in the current directory.",
)
@common_options
def list_(face: Face, project: Path | None) -> None:
    """List the skills on this machine: ours, Hermes' and Claude Code's.

    A skill is a folder with a SKILL.md; its version is a digest of what is in the folder.
    """
    from oldhand.app.skills import skills_on_machine
    from oldhand.cli.skills_page import print_skills

    found = skills_on_machine(face.settings, project=project or Path.cwd())
    if face.as_json:
        for skill in found:
            face.emit(skill.as_json())
    elif found:
        print_skills(found)
    if not found:
        talk(
            "no skills found; looked in .oldhand/skills and .claude/skills here, in "
            "oldhand's own home, in Hermes' and in Claude Code's"
        )
    for skill in found:
        if skill.fault is not None:
            talk(f"broken: {skill.fault}")


@skills.command()
@click.argument("skill", required=False)
@click.option(
    "--half-life",
    "half_life_days",
    type=float,
    metavar="DAYS",
    help="Days after which a run counts half: 1, 7 or 30, any with --window-days.  "
    "[default: 7]",
)
@click.option(
    "--window-days",
    type=float,
    metavar="DAYS",
    help="Only runs that ended in so many days.  [with --alpha: 14]",
)
@click.option(
    "--alpha",
    type=float,
    metavar="A",
    help="Instead of --half-life: what one day weighs against all before, 0 to 1.",
)
@click.option("--by-version", is_flag=True, help="Keep versions of a skill apart.")
@click.option(
    "--svg",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the trends as a picture to a new file, private to you, too.",
)
@click.option(
    "--otlp-json",
    is_flag=True,
    help="Print the days as OpenTelemetry metrics in JSON, and nothing else.",
)
@common_options
def stats(
    face: Face,
    skill: str | None,
    half_life_days: float | None,
    window_days: float | None,
    alpha: float | None,
    by_version: bool,
    svg: Path | None,
    otlp_json: bool,
) -> None:
    """Show how skills do: success, time and cost, per model and provider.

    Older runs fade: one counts half after a half-life. 1, 7 and 30 days stand side by side;
    the interval, the time and the cost are those of --half-life. Intervals are 95 %, on the
    effective number of runs; what a success costs has an approximate one. What nobody
    knows is in no mean.
    """
    from oldhand.cli import skills_shown as shown

    if otlp_json and (svg is not None or face.as_json):
        raise InvalidInput("--otlp-json beside --json or --svg; take one of them")
    is_window = alpha is not None or window_days is not None
    if is_window and by_version:
        raise InvalidInput("--by-version beside --window-days or --alpha; take one")
    store = face.store()
    if otlp_json:
        face.emit(shown.days_as_otlp(store, skill))
        return
    half_life = _half_life(half_life_days, alpha, is_window=is_window)
    if svg is not None:
        shown.write_trends(store, svg, skill=skill, half_life_days=half_life)
    shown.warn_if_stale(store)
    if is_window:
        window = _WINDOW_DAYS if window_days is None else window_days
        shown.show_window(face, skill, window, half_life, alpha)
    else:
        shown.show_stats(face, skill, round(half_life), by_version=by_version)


@skills.command()
@click.argument("skill_a", metavar="A")
@click.argument("skill_b", metavar="[B]", required=False)
@click.option("--model-a", metavar="NAME", help="Only A's runs with this model.")
@click.option("--model-b", metavar="NAME", help="Only B's.")
@click.option("--provider-a", metavar="NAME", help="Only A's runs with this provider.")
@click.option("--provider-b", metavar="NAME", help="Only B's.")
@click.option("--version-a", metavar="DIGEST", help="Only A's runs of this version.")
@click.option("--version-b", metavar="DIGEST", help="Only B's.")
@click.option(
    "--half-life",
    "half_life_days",
    type=click.Choice(("1", "7", "30")),
    default="30",
    show_default=True,
    help="Days after which a run counts half.",
)
@common_options
def compare(
    face: Face,
    skill_a: str,
    skill_b: str | None,
    half_life_days: str,
    **only: str | None,
) -> None:
    """Say whether B is better than A: two skills, or one with two models or versions.

    Without B it is A's skill: compare triage --model-a qwen3 --model-b gpt-5. A verdict
    takes 99 % and five runs of each; until then it is said about how many more it takes.
    """
    from oldhand.cli.skills_page import print_comparison
    from oldhand.cli.skills_shown import warn_if_stale
    from oldhand.ledger.compare import Side
    from oldhand.ledger.compare import compare as compare_sides

    sides = [
        Side(name, only[f"model_{at}"], only[f"provider_{at}"], only[f"version_{at}"])
        for at, name in (("a", skill_a), ("b", skill_b or skill_a))
    ]
    if sides[0] == sides[1]:
        raise InvalidInput(
            "A and B are the same; name another skill as B, or say --model-a and --model-b"
        )
    store = face.store()
    warn_if_stale(store)
    found = compare_sides(store, sides[0], sides[1], half_life_days=int(half_life_days))
    if face.as_json:
        face.emit(found.as_json())
    else:
        print_comparison(found)


@skills.command()
@click.option(
    "--sessions",
    "with_sessions",
    is_flag=True,
    help="Look through all sessions for skills first, with the prices of now.",
)
@common_options
def rebuild(face: Face, with_sessions: bool) -> None:
    """Work the sums out again from the runs, which are the truth.

    Prices of your own stand in oldhand.toml, in US dollars for a million tokens, as
    [prices.qwen3] with input = 0 and output = 0.
    """
    from oldhand.cli.counting import count_skills_watched
    from oldhand.cli.progress import waiting
    from oldhand.counted import counted
    from oldhand.ledger.rebuild import rebuild_sums

    store = face.store(for_writing=True)
    if with_sessions:
        count_skills_watched(store, face.settings, again=True)
    with waiting("adding up runs"):
        cells = rebuild_sums(store)
    if face.as_json:
        face.emit({"cells": cells})
    else:
        talk(
            f"the sums are those of the runs again: "
            f"{counted(cells, 'pair')} of skill and model"
        )


def _half_life(days: float | None, alpha: float | None, *, is_window: bool) -> float:
    """Return the half-life that was asked for, in days.

    Raises:
        InvalidInput: It is none, sums of it are not kept, or both ways are said.
    """
    from oldhand.ledger.decayed import HALF_LIVES_DAYS
    from oldhand.ledger.ema import half_life_in

    found = half_life_in(days, alpha)
    if not is_window and found not in HALF_LIVES_DAYS:
        kept = ", ".join(map(str, HALF_LIVES_DAYS))
        raise InvalidInput(
            f"half_life_days: {days}; expected one of {kept}, or any with --window-days"
        )
    return found

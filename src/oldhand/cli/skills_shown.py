"""What `oldhand skills stats` prints and writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from oldhand.cli.face import Face, talk

if TYPE_CHECKING:
    from oldhand.store import Store

_NO_RUNS = (
    "no run of a skill is on record yet: `oldhand import` counts the sessions in which a "
    "skill was loaded; a runner of your own calls oldhand.record_skill_invocation"
)


def show_window(
    face: Face, skill: str | None, window: float, half_life: float, alpha: float | None
) -> None:
    """Print what the runs of a window say; `alpha` is what was said instead of a half-life."""
    from oldhand.cli.skills_page import print_window
    from oldhand.ledger.ema import query_skill_ema

    found = query_skill_ema(face.store(), window, half_life_days=half_life, skill=skill)
    if alpha is not None:
        talk(f"alpha {alpha:g} a day is a half-life of {half_life:.2f} days")
    if face.as_json:
        for each in found:
            face.emit(each.as_json())
    elif found:
        print_window(found, window_days=window)
    if not found:
        talk(f"no run of {skill or 'a skill'} ended in the last {window:g} days")


def show_stats(
    face: Face, skill: str | None, half_life_days: int, *, by_version: bool
) -> None:
    """Print what the sums say, and what is missing."""
    from oldhand.cli.skills_page import notes_on, print_stats
    from oldhand.ledger.stats import skill_stats

    found = skill_stats(face.store(), skill=skill, by_version=by_version)
    if face.as_json:
        for each in found:
            face.emit(each.as_json())
    elif found:
        print_stats(found, half_life_days=half_life_days)
        for line in notes_on(found):
            talk(line)
    if not found and face.has_database:
        talk(_NO_RUNS if skill is None else f"no run of {skill} has ended")


def write_trends(
    store: Store, path: Path, *, skill: str | None, half_life_days: float
) -> None:
    """Write the picture to a new private file."""
    from oldhand.app.trend_picture import picture
    from oldhand.cli.private_file import open_private
    from oldhand.ledger.stats import daily_stats
    from oldhand.ledger.trend import trends_of

    found = trends_of(daily_stats(store, skill=skill), half_life_days=half_life_days)
    with open_private(path) as file:
        file.write(picture(found, half_life_days=half_life_days))
    if found:
        talk(f"the picture is in {path}")
    else:
        talk(f"{path}: an empty picture: of no run is it known whether it worked")


def days_as_otlp(store: Store, skill: str | None) -> dict[str, Any]:
    """Return the days as one request of OTLP/JSON."""
    from importlib.metadata import version

    from oldhand.ledger.otlp import otlp_metrics
    from oldhand.ledger.stats import daily_stats

    return otlp_metrics(daily_stats(store, skill=skill), version=version("oldhand"))


def warn_if_stale(store: Store) -> None:
    """Say so where the sums are not those of the runs."""
    from oldhand.ledger.sums import are_stale

    if are_stale(store):
        talk(
            "the sums leave out or hold too many runs; mend them: oldhand skills rebuild"
        )

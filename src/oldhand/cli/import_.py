"""`oldhand import`: bring in the sessions that agents left on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.face import Face, common_options, is_watched, talk
from oldhand.counted import counted
from oldhand.errors import NotFound, UnreadableSource

if TYPE_CHECKING:
    from oldhand.app.imports import ImportPlan
    from oldhand.sessions.importers import ImportReport, Progress
    from oldhand.store import Store

_SHOWN_FAULTS = 5


@click.command("import")
@click.argument("what", nargs=-1, metavar="[SOURCE] [PATH]...")
@click.option(
    "--exclude",
    multiple=True,
    metavar="GLOB",
    help="Pass over paths that match, as '*/secret/*'; repeatable.  [OLDHAND_EXCLUDE]",
)
@click.option("--principal", metavar="NAME", help="Whose sessions these are.")
@click.option(
    "--again",
    is_flag=True,
    help="Read unchanged files too, and bring back what was pruned.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be read; read nothing.")
@common_options
def import_(
    face: Face,
    what: tuple[str, ...],
    exclude: tuple[str, ...],
    principal: str | None,
    again: bool,
    dry_run: bool,
) -> None:
    """Bring in the sessions that agents left on this machine.

    SOURCE is claude-code, codex, hermes, openai (chat messages as JSON lines), oldhand
    (an export of ours) or auto, the default, which looks in the places where agents keep
    their sessions. With PATH, files or directories, only those are read. Importing again
    adds what is new, and leaves out what was erased or pruned.
    """
    from oldhand.app import imports
    from oldhand.app.skills import own_prices
    from oldhand.cli.counting import count_skills_watched
    from oldhand.sessions.importers import source_names

    names = (*source_names(), "auto")
    source = what[0] if what and what[0] in names else "auto"
    paths = [Path(part) for part in (what[1:] if what[:1] == (source,) else what)]
    settings = face.settings
    own_prices(settings)  # what is wrong with one is said before anything is read
    plan = imports.plan_import(settings, source=source, paths=paths, exclude=exclude)
    announce(plan, settings.database, is_own_choice=bool(paths))
    if dry_run:
        return
    store = face.store(for_writing=True)
    with watched_progress(plan.size_bytes) as progress:
        report = imports.run_import(
            store,
            plan,
            settings=settings,
            principal=principal,
            again=again,
            progress=progress,
        )
    _show(face, report)
    _look_for_repairs(store)
    count_skills_watched(store, settings, places=plan.places_of("hermes"))
    if report.unreadable:
        raise UnreadableSource(_in_one_line(report.unreadable))


def _look_for_repairs(store: Store) -> None:
    """Mine what is new, so that no hint waits for it."""
    from oldhand.cli.progress import waiting
    from oldhand.experience.repair.keep import mine_sessions

    with waiting("looking for repairs") as advance:
        mine_sessions(store, progress=advance)


def announce(plan: ImportPlan, database: str, *, is_own_choice: bool) -> None:
    """Say what will be read before it is read.

    Args:
        plan: What was found.
        database: Where it goes.
        is_own_choice: The person named what is to be read.

    Raises:
        NotFound: There is nothing; the message says what was looked for and where.
    """
    if not plan.units:
        looked = "; ".join(
            f"for {part.source.files} in {', '.join(map(str, part.places))}"
            for part in plan.parts
            if part.places
        )
        raise NotFound(f"no sessions found, or all are excluded; looked {looked}")
    for part in plan.parts:
        if part.units:
            size = part.size_bytes / 1e6
            count = f"{counted(len(part.units), 'file')} of {part.source.name}"
            talk(
                f"reading {count}, {size:,.1f} MB, in {', '.join(map(str, part.found_in))}"
            )
    if not is_own_choice:
        talk(f"into {_place_of(database)}")


def _place_of(database: str) -> str:
    """Name the database without its password, and say whose machine it is on."""
    if "://" in database and not database.startswith("sqlite:"):
        from oldhand.redact import redact

        return f"{redact(database)}, where that is: nothing goes elsewhere"
    return f"{database}; nothing leaves this machine"


@contextmanager
def watched_progress(total_bytes: int) -> Iterator[Progress | None]:
    """Show bytes and sessions as they are read, where a person watches."""
    if not is_watched():
        yield None
        return
    from rich import progress
    from rich.console import Console

    columns = (
        progress.BarColumn(),
        progress.DownloadColumn(),
        progress.TextColumn("{task.fields[sessions]:,} sessions"),
        progress.TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with progress.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("import", total=total_bytes, sessions=0)
        seen = 0

        def show(size_bytes: int, sessions: int) -> None:
            nonlocal seen
            seen += sessions
            bar.update(task, advance=size_bytes, sessions=seen)

        yield show


def _show(face: Face, report: ImportReport) -> None:
    tally = report.tally
    values: dict[str, Any] = {
        "sessions": tally.sessions,
        "updated": tally.updated,
        "messages": tally.messages,
        "calls": tally.calls,
        "skipped": tally.skipped,
        "duplicates": tally.duplicates,
        "orphans": tally.orphans,
        "empty": tally.empty,
        "erased": tally.erased,
        "pruned": tally.pruned,
        "warm_lines": tally.warm_lines,
        "unknown_types": dict(tally.unknown_types),
        "malformed": [
            {"path": str(place.path), "line": place.line, "reason": place.reason}
            for place in tally.malformed
        ],
        "unreadable": report.unreadable,
    }
    if face.as_json:
        face.emit(values)
        return
    talk(
        f"{counted(tally.sessions, 'new session')}, {tally.updated:,} grown; "
        f"{counted(tally.messages, 'message')}, {counted(tally.calls, 'call')}; "
        f"unchanged files or sessions: {tally.skipped:,}"
    )
    if tally.erased or tally.pruned:
        talk(f"left out: {tally.erased:,} erased and {tally.pruned:,} pruned sessions")
    if tally.warm_lines:
        talk(
            f"left out: {counted(tally.warm_lines, 'line')} of warm starts that oldhand wrote"
        )
    if tally.unknown_types:
        kinds = ", ".join(f"{k} ({n})" for k, n in tally.unknown_types.most_common(8))
        talk(f"passed over record types that this version does not know: {kinds}")
    for place in tally.malformed[:_SHOWN_FAULTS]:
        talk(f"{place.path}:{place.line}: {place.reason}")
    if len(tally.malformed) > _SHOWN_FAULTS:
        talk(f"… {len(tally.malformed):,} malformed places in all; --json lists them")


def _in_one_line(faults: list[str]) -> str:
    shown = "; ".join(faults[:_SHOWN_FAULTS])
    more = len(faults) - _SHOWN_FAULTS
    return f"{shown}; and {more} more" if more > 0 else shown

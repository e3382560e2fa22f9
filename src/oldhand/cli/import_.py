"""`oldhand import`: bring in the sessions that agents left on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.face import Face, common_options, is_watched, talk
from oldhand.errors import NotFound, UnreadableSource

if TYPE_CHECKING:
    from oldhand.app.imports import ImportPlan
    from oldhand.sessions.importers import ImportReport

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
@click.option("--dry-run", is_flag=True, help="Say what would be read; read nothing.")
@common_options
def import_(
    face: Face,
    what: tuple[str, ...],
    exclude: tuple[str, ...],
    principal: str | None,
    dry_run: bool,
) -> None:
    """Bring in the sessions that agents left on this machine.

    SOURCE is claude-code, codex, hermes, openai (chat messages as JSON lines) or auto,
    the default, which looks in the places where agents keep their sessions. With PATH,
    files or directories, only those are read. Importing again adds what is new.
    """
    from oldhand.app import imports
    from oldhand.sessions.importers import source_names

    names = (*source_names(), "auto")
    source = what[0] if what and what[0] in names else "auto"
    paths = [Path(part) for part in (what[1:] if what[:1] == (source,) else what)]
    settings = face.settings
    plan = imports.plan_import(settings, source=source, paths=paths, exclude=exclude)
    _announce(plan, face.settings.database, is_own_choice=bool(paths))
    if dry_run:
        return
    with _progress(plan.size_bytes) as progress:
        report = imports.run_import(
            face.store(),
            plan,
            settings=settings,
            principal=principal,
            progress=progress,
        )
    _show(face, report)
    if report.unreadable:
        raise UnreadableSource(_in_one_line(report.unreadable))


def _announce(plan: ImportPlan, database: str, *, is_own_choice: bool) -> None:
    """Say what will be read before it is read."""
    if not plan.units:
        searched = ", ".join(str(path) for path in plan.searched)
        raise NotFound(f"no sessions found; looked in {searched}")
    for name, (files, size) in plan.by_source().items():
        talk(f"reading {files:,} files of {name}, {size / 1e6:,.1f} MB")
    if not is_own_choice:
        talk(f"into {database}; nothing leaves this machine")


@contextmanager
def _progress(total_bytes: int) -> Iterator[Callable[[int], None] | None]:
    """Show bytes as they are read, where a person watches."""
    if not is_watched():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("import", total=total_bytes)
        yield lambda size: bar.advance(task, size)


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
        "unknown_types": dict(tally.unknown_types),
        "malformed": [
            {"path": str(place.path), "line": place.line, "reason": place.reason}
            for place in tally.malformed
        ],
    }
    if face.as_json:
        face.emit(values)
        return
    talk(
        f"{tally.sessions:,} new sessions, {tally.updated:,} grown; "
        f"{tally.messages:,} messages, {tally.calls:,} calls; "
        f"{tally.skipped:,} files or sessions unchanged"
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

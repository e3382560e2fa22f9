"""`oldhand sessions export`, `erase` and `prune`: what is kept, and what goes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.quantities import AGE, SIZE
from oldhand.cli.selection import selection_options
from oldhand.counted import counted
from oldhand.errors import InvalidInput, NeedsAttention, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oldhand.sessions.keep.erase import ErasePlan
    from oldhand.sessions.keep.retention import PrunePlan
    from oldhand.sessions.keep.selection import Selection

_SHOWN = 10
_yes = click.option("--yes", is_flag=True, help="Do not ask.")
_dry_run = click.option(
    "--dry-run", is_flag=True, help="Say what would go; do nothing."
)


@click.command()
@selection_options
@click.option(
    "--format",
    "form",
    default="oldhand",
    show_default=True,
    help="oldhand, which loses nothing, or openai, chat messages.",
)
@click.option("--raw", is_flag=True, help="Keep secrets: the text as it was said.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A new file, private to you; by default stdout.",
)
@common_options
def export(
    face: Face, selection: Selection, form: str, raw: bool, output: Path | None
) -> None:
    """Write sessions as JSON lines, without secrets; by default all sessions.

    `oldhand import FILE` reads them back, in another database as well.
    """
    from oldhand.cli.private_file import open_private
    from oldhand.sessions.keep.export import export_sessions

    lines = export_sessions(face.store(), selection, form=form, is_raw=raw)
    if raw:
        talk("as it was said: secrets are in this export")
    if output is None:
        if not _write_lines(lines, sys.stdout):
            talk("no session fits; nothing exported")
        return
    with open_private(output) as file:
        count = _write_lines(lines, file)
    talk(f"{counted(count, 'session')} in {output}")


def _write_lines(lines: Iterable[str], file: TextIO) -> int:
    """Write lines, and return how many there were."""
    count = 0
    for line in lines:
        file.write(f"{line}\n")
        count += 1
    return count


@click.command()
@selection_options
@_dry_run
@_yes
@common_options
def erase(face: Face, selection: Selection, dry_run: bool, yes: bool) -> None:
    """Erase sessions so that no trace of them is left in the database.

    Their subagents' sessions go with them, and so do the examples that templates show of
    them. An import does not bring them back. Files of the agents are not touched: those
    that still hold the text are named.
    """
    from oldhand.app import upkeep
    from oldhand.sessions.keep.erase import plan_erase

    plan = plan_erase(face.store(for_writing=not dry_run), selection)
    if not plan.sessions:
        raise NotFound("no session fits; nothing to erase")
    _announce_erase(plan)
    if dry_run:
        _show_erase(face, plan, templates=[], is_clean=None)
        return
    _ask(f"Erase {counted(len(plan.sessions), 'session')} for good?", yes=yes)
    erased = upkeep.erase(face.store(), plan)
    is_clean = erased.left_in is None
    _show_erase(face, plan, templates=erased.templates, is_clean=is_clean)
    if erased.left_in is not None:
        raise NeedsAttention(f"erased, but {erased.left_in}, run `oldhand db compact`")


@click.command()
@selection_options
@click.option(
    "--older-than", type=AGE, metavar="AGE", help="Unchanged for so long, as 90d."
)
@click.option(
    "--keep-size",
    type=SIZE,
    metavar="SIZE",
    help="The oldest, until the rest takes no more, as 500MB.",
)
@click.option(
    "--content",
    metavar="CLASS",
    help="Only their text of a class: tool-results or injected. Calls stay.",
)
@_dry_run
@_yes
@common_options
def prune(
    face: Face,
    selection: Selection,
    older_than: int | None,
    keep_size: int | None,
    content: str | None,
    dry_run: bool,
    yes: bool,
) -> None:
    """Let old sessions go, or the bulk of what they hold, and make the database small.

    Sessions that changed within a day stay. An import leaves out what was pruned, until
    `oldhand import --again`. Templates keep their examples.
    """
    from oldhand.app import upkeep
    from oldhand.sessions.keep.retention import PruneWish

    wish = PruneWish(_aged(selection, older_than), keep_size, content)
    plan = upkeep.plan_prune(face.store(for_writing=not dry_run), wish)
    _show_prune(face, plan)
    if dry_run or not plan.sessions:
        return
    _ask(f"Prune {counted(len(plan.sessions), 'session')}?", yes=yes)
    shrunk = upkeep.prune(face.store(), plan)
    talk(
        f"the database takes {shrunk.after_bytes / 1e6:,.1f} MB; "
        f"before, {shrunk.before_bytes / 1e6:,.1f} MB"
    )


def _aged(selection: Selection, older_than_us: int | None) -> Selection:
    from oldhand.clock import system_clock

    if older_than_us is None:
        return selection
    before_us = system_clock() - older_than_us
    if selection.before_us is not None:
        before_us = min(before_us, selection.before_us)
    return selection._replace(before_us=before_us)


def _ask(question: str, *, yes: bool) -> None:
    """Go on only where a person says so, or said so before."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput(f"{question} nobody is there to be asked: give --yes")
    click.confirm(question, abort=True, err=True)


def _announce_erase(plan: ErasePlan) -> None:
    talk(
        f"{counted(len(plan.sessions), 'session')} with "
        f"{counted(plan.messages, 'message')} and {counted(plan.calls, 'call')}"
    )
    _list([session.uid for session in plan.sessions])
    if plan.survivors:
        talk("these were forked or resumed from them, and stay:")
        _list(plan.survivors)


def _show_erase(
    face: Face, plan: ErasePlan, *, templates: list[str], is_clean: bool | None
) -> None:
    """Say what still holds the text: on stdout, as it is what a user must act on."""
    if face.as_json:
        value: dict[str, Any] = {
            "sessions": [session.uid for session in plan.sessions],
            "messages": plan.messages,
            "calls": plan.calls,
            "survivors": plan.survivors,
            "sources": plan.sources,
            "shared_sources": plan.shared_sources,
            "templates": templates,
            "is_clean": is_clean,
        }
        face.emit(value)
        return
    if templates:
        talk(f"templates without them: {', '.join(templates)}")
    if plan.sources:
        talk("these files still hold the text; delete it there if it must be gone:")
    for path in plan.sources:
        note = "  (holds other sessions, too)" if path in plan.shared_sources else ""
        click.echo(f"{path}{note}")
    if is_clean is not None:
        talk("backups and exports that were made before still hold it")
        if face.settings.database.startswith("postgres"):
            talk("so do the server's own log and its backups, until they are recycled")


def _show_prune(face: Face, plan: PrunePlan) -> None:
    if face.as_json:
        face.emit(
            {
                "sessions": [session.uid for session in plan.sessions],
                "messages": plan.messages,
                "freed_bytes": plan.freed_bytes,
                "content": plan.content,
            }
        )
        return
    what = counted(plan.messages, "message" if plan.content is None else "text")
    of = "" if plan.content is None else f" of {plan.content}"
    talk(
        f"{counted(len(plan.sessions), 'session')}, {what}{of}: "
        f"about {plan.freed_bytes / 1e6:,.1f} MB"
    )
    _list([session.uid for session in plan.sessions])


def _list(names: list[str]) -> None:
    for name in names[:_SHOWN]:
        talk(f"  {name}")
    if len(names) > _SHOWN:
        talk(f"  … and {len(names) - _SHOWN:,} more; --json lists them")

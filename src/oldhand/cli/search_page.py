"""What `oldhand sessions search` says: how far the index is, and what was found."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from oldhand.cli.face import is_watched, talk
from oldhand.errors import StoreReadOnly

if TYPE_CHECKING:
    from rich.progress import Progress

    from oldhand.sessions.search.find import Found
    from oldhand.store import Store

_MANY_MESSAGES = 1_000  # which take about a fifth of a second
_PATIENCE_SECONDS = 1.0


def fill_index(store: Store) -> None:
    """Index what waits, and say so where it is much, or where it cannot be done."""
    from oldhand.counted import counted
    from oldhand.sessions.search.index import count_pending, index_pending

    waiting = count_pending(store)
    if waiting >= _MANY_MESSAGES:
        talk(f"indexing {waiting:,} messages first")
    bar = _LateBar(waiting)
    try:
        index_pending(store, progress=bar.advance)
    except StoreReadOnly:
        talk(f"nothing can be written: {counted(waiting, 'message')} not searched")
    finally:
        bar.stop()


def print_found(found: Iterable[Found]) -> None:
    """Print each session on a line, and what was found in it below."""
    from oldhand.cli.tables import plain
    from oldhand.clock import to_iso
    from oldhand.counted import counted

    for session in found:
        began = to_iso(session.started_at_us)[:16].replace("T", " ")
        hits = counted(session.hits, "hit")
        parts = (began, session.uid, session.source, session.project or "", hits)
        click.echo("  ".join(plain(part) for part in parts if part))
        click.echo(f"    {session.role} {session.seq}: {plain(session.snippet)}")


class _LateBar:
    """A progress bar that shows itself when the wait has become long."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._began = time.monotonic()
        self._bar: Progress | None = None

    def advance(self, count: int) -> None:
        """Note that so many more are done."""
        self._done += count
        is_long = time.monotonic() - self._began > _PATIENCE_SECONDS
        if self._bar is None and is_long and is_watched():
            self._bar = self._start()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done)

    def stop(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def _start(self) -> Progress:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TimeRemainingColumn,
        )

        columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        bar.add_task("index", total=self._total)
        bar.start()
        return bar

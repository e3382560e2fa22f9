"""How far a long piece of work is, where a person watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from oldhand.cli.face import is_watched

Advance = Callable[[int, int | None], None]
"""Told how much is done, of how much; None where that is not known."""


@contextmanager
def waiting(word: str) -> Iterator[Advance]:
    """Show a bar on stderr while the block runs; nothing where nobody watches."""
    if not is_watched():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(word, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)

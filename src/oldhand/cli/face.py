"""What all commands share: their two options, the open store, and how they speak.

Results go to stdout, as a table for a person or as JSON with `--json`; talk goes to
stderr. `--database` and `--json` stand before or after the nouns and verbs.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from oldhand.cli.tables import plain, plain_json, print_table

if TYPE_CHECKING:
    from oldhand.settings import Settings
    from oldhand.store import Store

NOTHING_YET = "no database yet, no sessions on record; run `oldhand import` first"

P = ParamSpec("P")
R = TypeVar("R")


class Face:
    """What a command was told, and what it opens.

    Attributes:
        database: What `--database` said.
        as_json: Whether results are to be JSON.
        has_database: There is one; False where it was found missing, and that was said.
    """

    def __init__(self) -> None:
        """Begin with nothing told and nothing open."""
        self.database: str | None = None
        self.as_json = False
        self.has_database = True
        self.opened: Store | None = None

    @property
    def settings(self) -> Settings:
        """The settings, with what the flags said."""
        from oldhand import settings

        return settings.load(database=self.database)

    def store(
        self, *, for_writing: bool = False, nothing_yet: str = NOTHING_YET
    ) -> Store:
        """Open the database, once; say so where it can only be read.

        Where there is no file yet, reading makes none: an empty store in memory answers.

        Args:
            for_writing: The command is of no use where nothing can be written.
            nothing_yet: What is said where there is none.

        Raises:
            StoreReadOnly: It is for writing, and can only be read.
        """
        if self.opened is None:
            from oldhand.store import open_database

            database = self.settings.database
            if not for_writing and (missing := _missing_file(database)) is not None:
                talk(f"{missing}: {nothing_yet}")
                self.has_database = False
                database = ":memory:"
            self.opened = open_database(database)
            if self.opened.read_only_reason is not None:
                _tell_read_only(self.opened, for_writing=for_writing)
        return self.opened

    def existing_store(self, *, nothing_yet: str = NOTHING_YET) -> Store:
        """Open the database of a command that is about the file itself.

        Args:
            nothing_yet: What is said where there is none.

        Raises:
            NotFound: There is none yet.
        """
        from oldhand.errors import NotFound

        if (missing := _missing_file(self.settings.database)) is not None:
            raise NotFound(f"{missing}: {nothing_yet}")
        return self.store()

    def close(self) -> None:
        """Close what was opened."""
        if self.opened is not None:
            self.opened.close()

    def emit(self, value: Any) -> None:  # noqa: ANN401 - any JSON value
        """Print one JSON value on a line of stdout."""
        click.echo(plain_json(value))

    def emit_rows(
        self, rows: Iterable[dict[str, Any]], *, columns: dict[str, str]
    ) -> None:
        """Print rows: as JSON lines, or the named columns as a table.

        Args:
            rows: Each with at least the keys of `columns`.
            columns: Heading by key, in the order in which they are shown.
        """
        if self.as_json:
            for row in rows:
                self.emit(row)
            return
        print_table(rows, columns=columns)


def _missing_file(url: str) -> Path | None:
    """Return the file that a URL names where there is none yet; None where one is."""
    from oldhand.store.open import file_named_by

    path = file_named_by(url)
    if path is None:
        return None
    try:
        path.stat()
    except FileNotFoundError:
        return path
    except OSError:  # of a closed directory and the like, for the opening to name
        return None
    return None


def _tell_read_only(store: Store, *, for_writing: bool) -> None:
    if for_writing:
        from oldhand.errors import StoreReadOnly

        raise StoreReadOnly(f"{store.url}: cannot be written: {store.read_only_reason}")
    talk(f"{store.url}: open for reading only: {store.read_only_reason}")


def talk(text: str) -> None:
    """Say something to the person, on stderr; what is quoted cannot steer the terminal."""
    click.echo("\n".join(map(plain, text.split("\n"))), err=True)


def is_watched() -> bool:
    """Say whether a person sees stderr as it comes."""
    return sys.stderr.isatty()


def common_options(function: Callable[..., R]) -> Callable[..., R]:
    """Give a command `--database` and `--json`, and hand it its `Face`."""

    @click.option(
        "--database",
        metavar="URL",
        help="The database, a path or a URL.  [OLDHAND_DATABASE]",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print results as JSON.")
    @click.pass_context
    @functools.wraps(function)
    def command(
        context: click.Context,
        /,
        *args: Any,  # noqa: ANN401
        database: str | None,
        as_json: bool,
        **kwargs: Any,  # noqa: ANN401
    ) -> R:
        face = context.ensure_object(Face)
        face.database = database or face.database
        face.as_json = as_json or face.as_json
        return function(face, *args, **kwargs)

    return command

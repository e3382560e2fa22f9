"""`oldhand db`: how the database is, and what keeps it well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.progress import waiting
from oldhand.counted import counted
from oldhand.errors import NeedsAttention


@click.group()
@common_options
def db(_face: Face) -> None:
    """Look after the database."""


@db.command()
@common_options
def info(face: Face) -> None:
    """Show sizes by table, rows, versions, free pages and the write-ahead log."""
    from oldhand.store.maintenance import database_info

    found = database_info(face.existing_store())
    values: dict[str, Any] = found._asdict()
    values["tables"] = [table._asdict() for table in found.tables]
    if face.as_json:
        face.emit(values)
        return
    tables = values.pop("tables")
    for name, value in values.items():
        if value is not None:
            shown = f"{value:,}" if isinstance(value, int) else value
            click.echo(f"{name}: {shown}")
    for table in tables:
        table["row_count"] = f"{table['rows']:,}"
        table["byte_count"] = f"{table['size_bytes']:,}"
    columns = {"name": "table", "row_count": "rows", "byte_count": "bytes"}
    face.emit_rows(tables, columns=columns)


@db.command()
@click.argument("path", type=click.Path(path_type=Path))
@common_options
def backup(face: Face, path: Path) -> None:
    """Copy the database to PATH, a new file, while others read and write.

    The copy is private to you and checked. It holds what is erased later.
    """
    from oldhand.store.maintenance import back_up

    store = face.existing_store()
    with waiting("copying") as advance:

        def show(left: int, total: int) -> None:
            advance(total - left, total)

        size = back_up(store, path, progress=show)
    talk(f"{path}: {size / 1e6:,.1f} MB, checked")
    if face.as_json:
        face.emit({"path": str(path), "size_bytes": size})


@db.command()
@common_options
def check(face: Face) -> None:
    """Check pages, references and counts; exit with 9 where something is wrong."""
    from oldhand.app import upkeep

    flaws = upkeep.check(face.existing_store())
    columns = {"rule": "rule", "rows": "rows", "meaning": "meaning"}
    if flaws:
        face.emit_rows((flaw._asdict() for flaw in flaws), columns=columns)
        broken = counted(len(flaws), "rule")
        raise NeedsAttention(f"{broken} broken: see the table")
    talk("all is well")


@db.command()
@common_options
def compact(face: Face) -> None:
    """Compress long texts of closed turns, and write the database anew.

    Equal texts are stored once. It needs as much free room as the database takes, and
    writers wait while it writes.
    """
    from oldhand.app import upkeep

    store = face.store(for_writing=True)
    with waiting("compressing") as advance:
        done = 0

        def show(sessions: int) -> None:
            nonlocal done
            done += sessions
            advance(done, None)

        shrunk = upkeep.compact(store, progress=show)
    texts, file = shrunk
    talk(
        f"{texts.messages:,} texts took {texts.before_bytes / 1e6:,.1f} MB, now "
        f"{texts.after_bytes / 1e6:,.1f} MB; the database took "
        f"{file.before_bytes / 1e6:,.1f} MB, now {file.after_bytes / 1e6:,.1f} MB"
    )
    if face.as_json:
        face.emit({"texts": texts._asdict(), "database": file._asdict()})
    if not file.is_log_empty:
        talk(
            "another process reads the database: its log is emptied when that has ended"
        )

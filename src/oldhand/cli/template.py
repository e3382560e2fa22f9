"""`oldhand template`: named sets of examples."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.scope import scope_options
from oldhand.cli.tables import plain_json
from oldhand.errors import InvalidInput, NotFound, UnreadableSource


@click.group()
@common_options
def template(_face: Face) -> None:
    """Build, show and exchange named sets of examples."""


@template.command()
@click.option("--name", help="Letters, digits, - and _; made and printed by default.")
@click.option("--description", default="", help="For people.")
@click.option("--task", default="", metavar="TEXT", help="What it is to help with.")
@click.option("--tag", "tags", multiple=True, help="For finding it; repeatable.")
@click.option(
    "--addendum", default="", metavar="TEXT", help="Shown before the examples."
)
@click.option("--tokens", default=2000, show_default=True, type=click.IntRange(1))
@click.option("--max-examples", type=click.IntRange(1), help="At most so many.")
@click.option(
    "--session",
    "sessions",
    multiple=True,
    metavar="UID",
    help="Learn from this session, of any project; repeatable.",
)
@scope_options
@common_options
def build(face: Face, scope: dict[str, Any], name: str | None, **options: Any) -> None:  # noqa: ANN401
    """Choose examples from the sessions on record and keep them under a name."""
    from oldhand.app import starts

    built, mined = starts.build_template_with_report(
        face.store(), name, settings=face.settings, **options, **scope
    )
    if face.as_json:
        face.emit(built.as_json() | {"sessions": mined.sessions})
        return
    click.echo(built.label)
    talk(
        f"{len(built.examples)} examples from {mined.sessions:,} sessions, covering "
        f"{mined.coverage:.0%} of their calls"
    )


@template.command("list")
@click.option("--kind", metavar="KIND", help="code, file, research or mixed.")
@click.option("--tag", help="Only those with this tag.")
@common_options
def list_(face: Face, kind: str | None, tag: str | None) -> None:
    """List templates, newest first, with how often each was given."""
    from oldhand.clock import to_iso
    from oldhand.experience.template import list_templates

    rows = []
    for item in list_templates(face.store(), kind=kind, tag=tag):
        row = item._asdict()
        row["created_at"] = to_iso(row.pop("created_at_us"))
        rows.append(row)
    if not face.as_json:
        for row in rows:
            row["tags"] = " ".join(row["tags"])
            row["created_at"] = row["created_at"][:16].replace("T", " ")
    columns = {
        "created_at": "created",
        "name": "name",
        "version": "version",
        "kind": "kind",
        "tags": "tags",
        "examples": "examples",
        "used": "used",
        "description": "description",
    }
    face.emit_rows(rows, columns=columns)


@template.command()
@click.argument("name")
@common_options
def show(face: Face, name: str) -> None:
    """Show a template with the source of every example; NAME or NAME@VERSION."""
    from oldhand.experience.template import find_template

    found = find_template(face.store(), name)
    if face.as_json:
        face.emit(found.as_json())
        return
    from oldhand.cli.template_page import print_template

    print_template(found)


@template.command()
@click.argument("name")
@common_options
def delete(face: Face, name: str) -> None:
    """Delete a template: all versions of NAME, or the one of NAME@VERSION."""
    from oldhand.experience.template import delete_template

    count = delete_template(face.store(), name)
    if face.as_json:
        face.emit({"deleted": count})
    else:
        talk(f"deleted {count} version{'s' if count > 1 else ''} of {name}")


@template.command()
@click.argument("name")
@click.option("--output", type=click.Path(path_type=Path), help="A file; else stdout.")
@common_options
def export(face: Face, name: str, output: Path | None) -> None:
    """Write a template as JSON."""
    from oldhand.experience.template import find_template

    text = plain_json(find_template(face.store(), name).as_json(), indent=2)
    if output is None:
        click.echo(text)
        return
    try:
        output.write_text(text + "\n", encoding="utf-8")
    except OSError as fault:
        raise InvalidInput(f"{output}: {fault.strerror}") from fault


@template.command("import")
@click.argument("path", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--name", help="Instead of the name in the file.")
@common_options
def import_(face: Face, path: Path, name: str | None) -> None:
    """Read a template from a JSON file, or from stdin with `-`."""
    from oldhand.experience.template import save_template
    from oldhand.experience.template.exchange import template_from_json

    stored = save_template(
        face.store(), template_from_json(_read_json(path), name=name)
    )
    if face.as_json:
        face.emit(stored.as_json())
    else:
        click.echo(stored.label)


def _read_json(path: Path) -> Any:  # noqa: ANN401 - any JSON value
    try:
        text = (
            sys.stdin.read()
            if str(path) == "-"
            else path.read_text(encoding="utf-8-sig")
        )
        return json.loads(text)
    except FileNotFoundError as fault:
        raise NotFound(f"{path}: no such file") from fault
    except OSError as fault:
        raise UnreadableSource(f"{path}: {fault.strerror}") from fault
    except (ValueError, RecursionError) as fault:
        raise UnreadableSource(f"{path}: not JSON; expected a template") from fault

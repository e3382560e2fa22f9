"""`oldhand template`: named sets of examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.cli.scope import scope_options
from oldhand.cli.tables import plain_json
from oldhand.cli.template_states import accept, best, diff, retire, supersede
from oldhand.cli.tools import TOOLS_HELP, generalise_option, read_json, tools_named
from oldhand.counted import counted
from oldhand.errors import InvalidInput


@click.group()
@common_options
def template(_face: Face) -> None:
    """Build, show and exchange named sets of examples."""


for _command in (accept, best, diff, retire, supersede):
    template.add_command(_command)


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
@click.option("--tools", metavar="A,B,…", help=TOOLS_HELP)
@generalise_option(default=False)
@click.option(
    "--session",
    "sessions",
    multiple=True,
    metavar="UID",
    help="Learn from this session, of any project; repeatable.",
)
@scope_options
@common_options
def build(
    face: Face,
    scope: dict[str, Any],
    name: str | None,
    tools: str | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Choose examples from the sessions on record and keep them under a name."""
    from oldhand.app import starts

    built, mined = starts.build_template_with_report(
        face.store(for_writing=True),
        name,
        settings=face.settings,
        tools=tools_named(tools),
        **options,
        **scope,
    )
    if face.as_json:
        face.emit(built.as_json() | {"sessions": mined.sessions})
        return
    click.echo(built.label)
    talk(
        f"{counted(len(built.examples), 'example')} from "
        f"{counted(mined.sessions, 'session')}, covering "
        f"{mined.coverage:.0%} of the calls there"
    )


@template.command("list")
@click.option("--kind", metavar="KIND", help="code, file, research or mixed.")
@click.option("--tag", help="Only those with this tag.")
@click.option(
    "--all", "with_retired", is_flag=True, help="Also those that were retired."
)
@common_options
def list_(face: Face, kind: str | None, tag: str | None, *, with_retired: bool) -> None:
    """List templates, newest first, with how often each was given."""
    from oldhand.clock import to_iso
    from oldhand.experience.template import list_templates

    rows = []
    for item in list_templates(
        face.store(), kind=kind, tag=tag, with_retired=with_retired
    ):
        row = item._asdict() | {"state": item.state}
        row["created_at"] = to_iso(row.pop("created_at_us"))
        retired_at_us = row.pop("retired_at_us")
        row["retired_at"] = None if retired_at_us is None else to_iso(retired_at_us)
        rows.append(row)
    if not face.as_json:
        for row in rows:
            row["tags"] = " ".join(row["tags"])
            row["created_at"] = row["created_at"][:16].replace("T", " ")
    columns = {
        "created_at": "created",
        "name": "name",
        "version": "version",
        "state": "state",
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
    from oldhand.experience.template.uses import template_uses

    store = face.store()
    found = find_template(store, name)
    uses = template_uses(store, found.label)
    if face.as_json:
        face.emit(found.as_json() | {"uses": uses.as_json()})
        return
    from oldhand.cli.template_page import print_template

    print_template(found, uses)


@template.command()
@click.argument("name")
@common_options
def delete(face: Face, name: str) -> None:
    """Delete a template: all versions of NAME, or the one of NAME@VERSION."""
    from oldhand.experience.template import delete_template

    count = delete_template(face.store(for_writing=True), name)
    if face.as_json:
        face.emit({"deleted": count})
    else:
        talk(f"deleted {counted(count, 'version')} of {name}")


@template.command()
@click.argument("name")
@click.option("--output", type=click.Path(path_type=Path), help="A file; else stdout.")
@generalise_option(default=True)
@common_options
def export(face: Face, name: str, output: Path | None, *, generalise: bool) -> None:
    """Write a template as JSON, fit to be given to others."""
    from oldhand.app import templates

    given = templates.export_template(face.store(), name, generalise=generalise)
    if given.left_out:
        talk(
            f"left out {counted(given.left_out, 'example')} that cannot be shown to "
            "others, or to anybody"
        )
    text = plain_json(given.template.as_json(), indent=2)
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
@click.option(
    "--accept-addendum",
    is_flag=True,
    help="Show its addendum to sessions; read it first.",
)
@common_options
def import_(face: Face, path: Path, name: str | None, *, accept_addendum: bool) -> None:
    """Read a template from a JSON file, or from stdin with `-`."""
    from oldhand.app import templates

    stored, left_out = templates.import_template(
        face.store(for_writing=True),
        read_json(path, expected="a template"),
        name=name,
        accepts_addendum=accept_addendum,
        settings=face.settings,
    )
    if left_out:
        talk(
            f"left out {counted(left_out, 'example')} of calls that are risky, or were "
            "refused"
        )
    if stored.has_foreign_addendum:
        from oldhand.cli.template_page import tell_foreign_addendum

        tell_foreign_addendum(stored)
    if face.as_json:
        face.emit(stored.as_json())
    else:
        click.echo(stored.label)

"""Write docs/commands.md from the commands' own help; `--check` says whether it is current."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from oldhand.cli.main import root

PATH = Path(__file__).parents[1] / "docs" / "commands.md"
HEAD = """# Commands

Written from the commands' own help by `make docs`; a test holds it to them.

`--database URL` and `--json` stand before or after the nouns and verbs. Results go to
stdout, talk to stderr, lists in JSON as one object a line. Exit codes: 0 done, 1 internal
error, 2 wrong input, 3 not found, 4 conflict, 5 unreadable source, 6 database, 7 database
busy, 8 nothing to learn from, 9 a check found something, 10 nobody is named, 11 may not be
done, 12 too often, 13 the daemon does not answer, 130 interrupted.
"""


def reference() -> str:
    """Return the text of docs/commands.md."""
    parts = [HEAD]
    for path, command in commands(root, ("oldhand",)):
        context = click.Context(command, info_name=" ".join(path), max_content_width=88)
        context.terminal_width = 88
        title = " ".join(path)
        parts.append(f"## {title}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def commands(
    command: click.Command, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield a command and all below it, with the words that lead there."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from commands(inner, (*path, name))


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(PATH.read_text(encoding="utf-8") != reference())
    PATH.write_text(reference(), encoding="utf-8")

"""`oldhand warm --for claude-code`: a session of Claude Code's own, to be resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from oldhand.cli.face import Face, talk
from oldhand.counted import counted
from oldhand.errors import InvalidInput


def write_session(
    face: Face, wishes: dict[str, Any], *, experiment: str | None
) -> None:
    """Write the session and print the command that goes on with it.

    Args:
        face: What the command was told.
        wishes: As for `starts.warm`.
        experiment: What `--experiment` said.

    Raises:
        InvalidInput: A wish does not go with a session file.
    """
    from oldhand.app import starts
    from oldhand.integrations.claude_code.native_session import start_session
    from oldhand.integrations.claude_code.places import config_directory

    if experiment is not None or wishes.get("session") is not None:
        raise InvalidInput(
            "a session file is a new session: it takes neither --experiment nor --session"
        )
    store, settings = face.store(for_writing=True), face.settings
    made = start_session(
        store,
        starts.warm_request(store, **{**wishes, "target": "anthropic"}),
        config=config_directory(settings.agent_environment, settings.user_home),
        cwd=str(Path.cwd()),
    )
    if face.as_json:
        face.emit(
            {
                **made.warm.as_json(),
                "session": made.uid,
                "path": str(made.path),
                "command": made.command,
            }
        )
        return
    click.echo(made.command)
    talk(
        f"in this directory; {counted(len(made.warm.examples), 'example')}, about "
        f"{made.warm.tokens:,} tokens, in {made.path}"
    )

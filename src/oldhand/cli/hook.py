"""`oldhand hook`: what an agent calls. The entry point answers it without this file.

Only a question for help comes through here, and a program that calls `cli.main` itself.
"""

from __future__ import annotations

import click

from oldhand.cli.face import Face, common_options


# No word is refused here: the exit code of a wrong command line is one that blocks an agent.
@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="AGENT EVENT")
@common_options
def hook(face: Face, words: tuple[str, ...]) -> None:
    """Answer an agent's hook: an event as JSON on stdin, an answer on stdout.

    AGENT is claude-code; EVENT is SessionStart, PostToolUseFailure, PostToolUse,
    SessionEnd, or PreToolUse. `oldhand install` writes this command into the agent's
    settings. Whatever goes wrong, a wrong command line as well, is one line on stderr, an
    empty answer and exit code 0: a hook must not break the agent that calls it. PreToolUse,
    the gate, is the one that does: whatever goes wrong, the call is denied.
    """
    from oldhand.integrations.hook_process import run_hook

    database = [] if face.database is None else ["--database", face.database]
    run_hook([*database, "hook", *words])

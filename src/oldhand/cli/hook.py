"""`oldhand hook`: what an agent calls. The entry point answers it without this file.

Only a question for help, and a call with options before the noun, come through here.
"""

from __future__ import annotations

import click

from oldhand.cli.face import Face, common_options


@click.command()
@click.argument("agent")
@click.argument("event")
@common_options
def hook(face: Face, agent: str, event: str) -> None:
    """Answer an agent's hook: an event as JSON on stdin, an answer on stdout.

    AGENT is claude-code; EVENT is SessionStart, PostToolUseFailure, PostToolUse or
    SessionEnd. `oldhand install` writes this command into the agent's settings. Whatever
    goes wrong is one line on stderr, an empty answer and exit code 0: a hook must not break
    the agent that calls it.
    """
    from oldhand.integrations.hook_process import answer_hook

    answer_hook(agent, event, database=face.database)

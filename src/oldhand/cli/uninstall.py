"""`oldhand uninstall`: an agent's settings as they were before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from oldhand.cli.face import Face, common_options
from oldhand.cli.settings_change import (
    change_settings,
    check_agent,
    current_directory,
    settings_options,
)

if TYPE_CHECKING:
    from oldhand.integrations.claude_code.install import Scope


@click.command()
@settings_options
@common_options
def uninstall(face: Face, agent: str, scope: Scope, yes: bool, dry_run: bool) -> None:
    """Take oldhand's hooks out of an agent's settings; AGENT is claude-code.

    Where nobody has changed the file since, it is again what it was, to the byte; else only
    oldhand's hooks are taken out.
    """
    check_agent(agent)
    from oldhand.integrations.claude_code import install as claude_code

    settings = face.settings
    path = claude_code.settings_path(scope, settings, current_directory())
    plan = claude_code.plan_uninstall(path, settings)
    change_settings(face, plan, asks=not yes, is_dry=dry_run)

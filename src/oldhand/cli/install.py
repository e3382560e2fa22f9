"""`oldhand install`: oldhand's hooks in an agent's settings."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from oldhand.cli.face import Face, common_options, talk
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
def install(face: Face, agent: str, scope: Scope, yes: bool, dry_run: bool) -> None:
    """Put oldhand's hooks into an agent's settings; AGENT is claude-code.

    Each new session is then given past calls that worked, a call that failed a hint, and a
    session that ended is imported. The change is shown first. What stands in the settings
    stays as it is, and `oldhand uninstall` undoes it.
    """
    check_agent(agent)
    from oldhand.integrations.claude_code import install as claude_code
    from oldhand.integrations.claude_code import versions
    from oldhand.integrations.own_command import own_command

    settings = face.settings
    version = versions.installed_version()
    plan = claude_code.plan_install(
        claude_code.settings_path(scope, settings, current_directory()),
        settings,
        program=own_command(started_as=sys.argv[0], database=face.database),
        events=versions.events_for(version),
    )
    if versions.FAILURE_EVENT not in plan.events:
        talk(
            "no hints after failed calls: this Claude Code is older than 2.1.50, and would "
            "pass over settings that name the event; update it and install again"
        )
    elif version is None:
        talk("for Claude Code 2.1.50 or newer; which one you have could not be seen")
    if scope == "project":
        talk(
            "these settings name a path on this machine, and may be shared: see --local"
        )
    if claude_code.turns_hooks_off(plan):
        talk("disableAllHooks is on in these settings: no hook runs until it is off")
    change_settings(face, plan, asks=not yes, is_dry=dry_run)

"""`oldhand install`: oldhand's hooks in an agent's settings."""

from __future__ import annotations

import re
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
from oldhand.cli.starter_policy import offer_starter_policy
from oldhand.errors import InvalidInput

if TYPE_CHECKING:
    from oldhand.integrations.claude_code.hook_settings import Gate
    from oldhand.integrations.claude_code.install import Scope


@click.command()
@settings_options
@click.option(
    "--gate/--no-gate",
    default=None,
    help="Hold calls for a person, by `oldhand serve`; default: as it is there.",
)
@click.option(
    "--gate-matcher",
    metavar="REGEX",
    help="Which tools' calls are held; default: those that change or tell something.",
)
@click.option(
    "--gate-results/--no-gate-results",
    default=None,
    help="Tell the daemon which held calls worked, by a hook after each; default: yes.",
)
@common_options
def install(
    face: Face,
    agent: str,
    scope: Scope,
    yes: bool,
    dry_run: bool,
    gate: bool | None,
    gate_matcher: str | None,
    gate_results: bool | None,
) -> None:
    """Put oldhand's hooks into an agent's settings; AGENT is claude-code.

    Each new session is then given past calls that worked, a call that failed a hint, and a
    session that ended is imported. The change is shown first. What stands in the settings
    stays as it is, and `oldhand uninstall` undoes it.

    With --gate calls of the tools that --gate-matcher names run only when a rule or a person
    says so; where no daemon answers they are denied. The hook asks the daemon that the
    settings name now. Where no policy holds yet, one is offered that lets looking pass.
    """
    check_agent(agent)
    matcher = _gate_matcher(gate, gate_matcher)
    if gate_results is not None and not matcher:
        raise InvalidInput("--gate-results and --no-gate-results go with --gate")
    from oldhand.integrations.claude_code import install as claude_code
    from oldhand.integrations.claude_code import versions
    from oldhand.integrations.own_command import own_command

    settings = face.settings
    wanted = _gate(matcher, settings.confirm_url, has_results=gate_results)
    version = versions.installed_version()
    plan = claude_code.plan_install(
        claude_code.settings_path(scope, settings, current_directory()),
        settings,
        program=own_command(started_as=sys.argv[0], database=face.database),
        events=versions.events_for(version),
        gate=wanted,
        keeps_gate=matcher is None,
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
    if wanted is not None:
        offer_starter_policy(face, asks=not yes, is_dry=dry_run)
    if wanted is not None and not dry_run:
        talk(
            "from the next session on, calls of these tools pass by a rule or wait for a "
            f"person, and are denied while no `oldhand serve` answers at {wanted.url}; "
            "`oldhand confirm policy test --sessions` proposes rules for what may pass unasked"
        )


def _gate(matcher: str | None, url: str, *, has_results: bool | None) -> Gate | None:
    """Return the gate that is wanted; None for none, and for the one that stands."""
    from oldhand.integrations.claude_code.hook_settings import Gate
    from oldhand.integrations.gate.transport import read_address

    if not matcher:
        return None
    return Gate(matcher, read_address(url).origin, has_results=has_results is not False)


def _gate_matcher(gate: bool | None, matcher: str | None) -> str | None:
    """Return which calls are to be held; "" for none, None for those that are."""
    from oldhand.integrations.claude_code.gate_answers import GATE_MATCHER

    if matcher is None:
        return None if gate is None else GATE_MATCHER if gate else ""
    if gate is False or not matcher.strip():
        raise InvalidInput(
            "--gate-matcher names the tools of --gate, and none are named"
        )
    try:
        re.compile(matcher)
    except re.error as fault:
        raise InvalidInput(f"--gate-matcher {matcher!r}: {fault}") from fault
    return matcher

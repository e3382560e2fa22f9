"""A change of an agent's settings: its options, and how it is shown, asked for and made."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oldhand.cli.face import Face, talk
from oldhand.cli.tables import plain
from oldhand.errors import InvalidInput

if TYPE_CHECKING:
    from oldhand.integrations.claude_code.install import Plan

_AGENTS = ("claude-code",)


_SCOPES = {
    "user": "In your own settings, for all projects; the default.",
    "project": "In the current project's settings, which those who share it share.",
    "local": "In the current project's settings, for yourself alone.",
}


def settings_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say which settings, as `scope`, and how to ask."""
    options = (
        click.argument("agent"),
        *(
            click.option(f"--{name}", is_flag=True, help=_SCOPES[name])
            for name in _SCOPES
        ),
        click.option("--yes", is_flag=True, help="Do not ask."),
        click.option("--dry-run", is_flag=True, help="Show the change; make none."),
    )

    @functools.wraps(function)
    def command(*args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        named = [name for name in _SCOPES if kwargs.pop(name)]
        if len(named) > 1:
            flags = " and ".join(f"--{name}" for name in named)
            raise InvalidInput(
                f"{flags} together; take one of them, nothing was changed"
            )
        function(*args, scope=named[0] if named else "user", **kwargs)

    for option in reversed(options):
        command = option(command)
    return command


def change_settings(face: Face, plan: Plan, *, asks: bool, is_dry: bool) -> None:
    """Show a plan, ask, and carry it out.

    Raises:
        Conflict: Somebody changed the file meanwhile.
        InvalidInput: The person did not say yes, or the file cannot be written.
    """
    from oldhand.integrations.claude_code.install import carry_out

    if plan.is_change and not face.as_json:
        click.echo("\n".join(map(plain, plan.diff.split("\n"))))
    if plan.is_change and not is_dry and asks:
        if face.as_json:
            talk(plan.diff)
        _ask(plan.file.path)
    if not is_dry:
        carry_out(plan, face.settings)
    if face.as_json:
        face.emit(_as_json(plan, is_done=plan.is_change and not is_dry))
    elif not plan.is_change:
        talk(f"{plan.file.path}: nothing to change")
    else:
        done = "changed" if plan.after is not None else "removed"
        talk(f"{plan.file.path}: {'not changed, as asked' if is_dry else done}")


def _ask(path: Path) -> None:
    try:
        if click.confirm(f"Change {plain(path)}?", err=True):
            return
    except click.Abort:
        talk("")
    raise InvalidInput(f"not confirmed; {path} is as it was (--yes does not ask)")


def _as_json(plan: Plan, *, is_done: bool) -> dict[str, Any]:
    return {
        "path": str(plan.file.path),
        "changed": is_done,
        "events": list(plan.events),
        "diff": plan.diff,
    }


def check_agent(agent: str) -> None:
    """Refuse the name of an agent that has no hooks of ours."""
    if agent not in _AGENTS:
        raise InvalidInput(
            f"{agent!r} is no agent that oldhand goes into; expected {', '.join(_AGENTS)}"
        )


def current_directory() -> Path:
    """Return the directory whose project settings are meant: Claude Code takes its own.

    Raises:
        InvalidInput: It was removed.
    """
    try:
        return Path.cwd()
    except FileNotFoundError as fault:
        raise InvalidInput("the current directory is gone") from fault

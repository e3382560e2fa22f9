"""Put our hooks into a settings.json of Claude Code, and take them out again.

First a plan, which changes nothing and can be shown; then its carrying out, which changes
the file as a whole or not at all, and only where it is still what the plan was made from.
"""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Literal, NamedTuple

from oldhand.errors import InvalidInput
from oldhand.integrations.claude_code.hook_settings import (
    Gate,
    holders_in,
    our_events,
    standing_gate,
    wanted_hooks,
    with_hooks,
    without_hooks,
)
from oldhand.integrations.claude_code.places import config_directory
from oldhand.integrations.installed import (
    Installed,
    digest_of,
    forget,
    recall,
    remember,
)
from oldhand.integrations.text_file import TextFile, read_file, write_file
from oldhand.settings import Settings

Scope = Literal["user", "project", "local"]
_EMPTY = "{}\n"
_FILES = ("settings.json", "settings.local.json")


class Plan(NamedTuple):
    """One settings file, as it is and as it is to be.

    Attributes:
        file: As it is.
        after: As it is to be; None where it is to go.
        events: Under which hooks of ours will stand.
        record: What is to be remembered; None where nothing is.
        removes_directory: Its directory was made for it, and goes with it when empty.
    """

    file: TextFile
    after: bytes | None
    events: tuple[str, ...]
    record: Installed | None = None
    removes_directory: bool = False

    @property
    def is_change(self) -> bool:
        """Whether the file is not yet as it is to be."""
        return self.after != self.file.content

    @property
    def diff(self) -> str:
        """The change, as `diff -u` writes it; "" where there is none."""
        name = str(self.file.path)
        after = (self.after or b"").decode("utf-8")
        lines = difflib.unified_diff(
            self.file.text.splitlines(),
            after.splitlines(),
            name,
            name if self.after is not None else "nothing: the file goes",
            lineterm="",
        )
        return "\n".join(lines)


def settings_path(scope: Scope, settings: Settings, directory: Path) -> Path:
    """Return where the settings of a scope lie.

    Args:
        scope: `user`; or of a project: `project`, which is shared, or `local`, which is not.
        settings: Where Claude Code's own directory is.
        directory: The project's.
    """
    if scope == "user":
        config = config_directory(settings.agent_environment, settings.user_home)
        return config / _FILES[0]
    shared, local = _FILES
    return directory / ".claude" / (shared if scope == "project" else local)


def plan_install(
    path: Path,
    settings: Settings,
    *,
    program: str,
    events: tuple[str, ...],
    gate: Gate | None = None,
    keeps_gate: bool = True,
) -> Plan:
    """Plan to put our hooks in.

    Args:
        path: Of the settings file, which need not be there.
        settings: Where what is found is kept.
        program: The beginning of the hooks' command line.
        events: That are to have a hook.
        gate: Which calls are to be held.
        keeps_gate: Without `gate` it stays as it is there, so that to install again takes
            none away.

    Raises:
        InvalidInput: The file cannot be read, or is not one that Claude Code reads.
    """
    file = read_file(path)
    text = file.text if file.text.strip() else _EMPTY
    try:
        held = standing_gate(text) if gate is None and keeps_gate else gate
        wanted = wanted_hooks(program, events, gate=held)
        events = tuple(wanted)
        after = with_hooks(text, wanted).encode()
        if our_events(text) and after == file.content:
            return Plan(file, after, events)
        record = Installed(
            before=_before(file, text, settings),
            after=digest_of(after),
            made_directory=_makes_directory(file, settings),
        )
    except InvalidInput as fault:
        raise InvalidInput(f"{path}: {fault}; nothing was changed") from fault
    return Plan(file, after, events, record)


def plan_uninstall(path: Path, settings: Settings) -> Plan:
    """Plan to take our hooks out: back to the very bytes, where nobody changed them since.

    Raises:
        InvalidInput: The file cannot be read, or is not one that Claude Code reads.
    """
    file = read_file(path)
    if file.content is None:
        return Plan(file, None, ())
    known = recall(settings.home, file.real)
    if known is not None and known.after == digest_of(file.content):
        goes = known.before is None and known.made_directory
        return Plan(file, known.before, (), removes_directory=goes)
    if not file.text.strip():
        return Plan(file, file.content, ())
    before = b"" if known is None else known.before or b""
    kept = holders_in(before.decode("utf-8", "replace"))
    try:
        return Plan(file, without_hooks(file.text, kept=kept).encode(), ())
    except InvalidInput as fault:
        raise InvalidInput(f"{path}: {fault}; nothing was changed") from fault


def turns_hooks_off(plan: Plan) -> bool:
    """Whether the settings that a plan leaves behind keep Claude Code from running hooks."""
    settings = json.loads(plan.after or _EMPTY)
    return settings.get("disableAllHooks") is True


def carry_out(plan: Plan, settings: Settings) -> None:
    """Do what a plan says.

    Raises:
        Conflict: Somebody changed the file since the plan was made.
        InvalidInput: It cannot be written.
    """
    if plan.record is not None:
        _remember(plan.file, plan.record, settings)
    if plan.is_change:
        write_file(plan.file, plan.after)
    if plan.record is None and not plan.events:
        forget(settings.home, plan.file.real)
    if plan.removes_directory:
        _remove_if_empty(plan.file.real.parent)


def _before(file: TextFile, text: str, settings: Settings) -> bytes | None:
    """Return what was there before the first installation of those that still stand."""
    known = recall(settings.home, file.real)
    if (
        known is not None
        and file.content is not None
        and known.after == digest_of(file.content)
    ):
        return known.before
    return without_hooks(text).encode() if our_events(text) else file.content


def _makes_directory(file: TextFile, settings: Settings) -> bool:
    """Say whether this installation makes it, or one of a file in it did that still stands.

    Of two such files it goes with the one that is taken out last, whichever that is.
    """
    directory = file.real.parent
    records = [recall(settings.home, directory / name) for name in _FILES]
    records.append(recall(settings.home, file.real))
    was_made = any(known is not None and known.made_directory for known in records)
    return was_made or not directory.exists()


def _remember(file: TextFile, record: Installed, settings: Settings) -> None:
    try:
        remember(settings.home, file.real, record)
    except OSError as fault:
        raise InvalidInput(
            f"{settings.home}: {fault.strerror}: what stands in {file.path} cannot be kept "
            "to be put back; nothing was changed"
        ) from fault


def _remove_if_empty(directory: Path) -> None:
    if not any(directory.iterdir()):
        directory.rmdir()

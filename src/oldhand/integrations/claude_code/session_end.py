"""The end of a session: what it did is imported, in the background.

Claude Code gives all hooks of this event together a second and a half, or the longest
timeout in the settings, and the person who leaves waits for it. An import of a long session
takes longer than that. So the hook only starts it, in a process that belongs to no terminal
and no group of the agent's, which keeps none of its pipes open, and returns. What it has to
say goes to `hooks.log` in oldhand's home, as nobody is there to hear it.

An import that is ended on the way has written nothing of its session, and the next one
brings it in.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from oldhand.errors import InvalidInput
from oldhand.integrations.claude_code.background import leave_agent, note
from oldhand.integrations.claude_code.events import SessionEnded
from oldhand.integrations.claude_code.places import is_session_file
from oldhand.integrations.hook_process import in_words
from oldhand.sessions.claude_code_names import config_directories
from oldhand.settings import Settings

SOURCE = "claude-code"
_LIMIT_SECONDS = 600
# The file may lag behind what was said, so it is looked at once more.
_LAG_SECONDS = 2.0


def import_later(event: SessionEnded, settings: Settings) -> None:
    """Start the import of the session that ended, and return at once.

    Raises:
        InvalidInput: The event names no session file of Claude Code's.
        OSError: No process can be started.
    """
    places = session_paths(event, settings)
    if not places or os.fork() != 0:
        return
    status = 1
    try:
        leave_agent(limit_seconds=_LIMIT_SECONDS)
        import_paths(places, settings)
        time.sleep(_LAG_SECONDS)
        import_paths(places, settings, is_last=True)
        status = 0
    except BaseException as fault:  # noqa: BLE001 - ends a process that nobody waits for
        note(settings.home, f"{places[0]}: {in_words(fault)}")
    finally:
        os._exit(status)


def session_paths(event: SessionEnded, settings: Settings) -> list[Path]:
    """Return where the session and its subagents lie; [] where nothing was written yet.

    Raises:
        InvalidInput: The path leads elsewhere than to a session file of Claude Code's.
    """
    transcript = event.place.transcript
    if transcript is None:
        raise InvalidInput("transcript_path is not an absolute path")
    if not is_session_file(transcript, _homes(settings)):
        raise InvalidInput("transcript_path is not below Claude Code's projects")
    if not transcript.is_file():
        return []
    beside = transcript.with_suffix("")  # its subagents; before 2.1 beside it
    older = sorted(transcript.parent.glob("agent-*.jsonl"))
    return [transcript, *([beside] if beside.is_dir() else []), *older]


def import_paths(
    paths: list[Path], settings: Settings, *, is_last: bool = False
) -> None:
    """Import what has changed below some paths, and nothing that they only link to.

    Args:
        paths: Session files, and directories of them.
        settings: Which database.
        is_last: Nobody waits: do at once what an import leaves for later.
    """
    from oldhand.app.imports import ImportPlan, plan_import, run_import  # noqa: PLC0415 - not before the agent is let go
    from oldhand.app.skills import count_skills  # noqa: PLC0415
    from oldhand.experience.repair.keep import mine_sessions  # noqa: PLC0415
    from oldhand.sessions.catch_up import catch_up  # noqa: PLC0415
    from oldhand.store import open_database  # noqa: PLC0415

    plan = plan_import(settings, source=SOURCE, paths=paths)
    homes = _homes(settings)
    inside = ImportPlan(
        [
            part._replace(
                units=[unit for unit in part.units if is_session_file(unit.path, homes)]
            )
            for part in plan.parts
        ]
    )
    store = open_database(settings.database)
    try:
        report = run_import(store, inside, settings=settings)
        mine_sessions(store)
        count_skills(store, settings)
        if is_last:
            catch_up(store)
    finally:
        store.close()
    for fault in report.unreadable:
        note(settings.home, fault)


def _homes(settings: Settings) -> list[Path]:
    configs = config_directories(settings.agent_environment, settings.user_home)
    return [config / "projects" for config in configs]

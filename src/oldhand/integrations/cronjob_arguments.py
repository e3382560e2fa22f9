"""What a model may say to the tool `cronjob`, and the fields of a job that it means.

A job runs when nobody is there. So a model may not say which command runs it, only which
agent; nor in which directory; and a script or a skill is a name, never a path.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from oldhand.app.job_runners import AGENTS
from oldhand.cron.model import OnMisfire, OnOverlap
from oldhand.cron.spec import MAX_NAME_CHARS, MAX_PROMPT_CHARS
from oldhand.errors import InvalidInput
from oldhand.integrations.tool_arguments import Argument
from oldhand.ledger.model import END_STATES

ACTIONS = (
    "create",
    "list",
    "show",
    "update",
    "pause",
    "resume",
    "trigger",
    "remove",
    "runs",
)
_MOST = 10**9
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_SKILL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:-]{0,99}")
_MOST_LISTED = 20

FIELDS = {
    "prompt": Argument(
        "string",
        "What the agent is to do; it knows nothing of this conversation.",
        most=MAX_PROMPT_CHARS,
    ),
    "schedule": Argument(
        "string",
        "When: `in 30m` or `2026-11-23T09:00` fires once; `every 1h` again and again, "
        "minutes are the finest; `daily 09:00`, `weekdays 09:00`, @hourly, @daily, @weekly, "
        "@monthly, or cron with five fields as `0 9 * * 1-5`. Needed for create.",
        most=200,
    ),
    "name": Argument("string", "Of one line; else made of the prompt.", most=100),
    "zone": Argument("string", "A time zone, as Europe/Berlin.", most=64),
    "repeat": Argument(
        "integer", "So many firings, then it is over.", least=1, most=_MOST
    ),
    "deliver": Argument(
        "strings",
        "Where results go: origin (where you were asked), local (nowhere), all, or the "
        "name of a channel.",
        most=20,
    ),
    "skills": Argument("strings", "Names of skills that the agent uses.", most=20),
    "model": Argument("string", "For the agent; else its own.", most=200),
    "provider": Argument("string", "For the agent; else its own.", most=200),
    "base_url": Argument("string", "Of the provider; http(s).", most=2_000),
    "script": Argument(
        "string",
        "The name of a file in the scripts folder; what it prints stands before the "
        "prompt.",
        most=100,
    ),
    "requires_local_infra": Argument(
        "boolean",
        "It needs this machine's tools; with a provider in the cloud it runs without.",
    ),
    "min_context": Argument(
        "integer", "The model's window must hold so many tokens.", least=1, most=_MOST
    ),
    "runner": Argument("string", "Which agent runs it.", choices=tuple(AGENTS)),
    "on_misfire": Argument(
        "string",
        "Firings that nobody was there for: run the last (once), all, or skip them.",
        choices=get_args(OnMisfire),
    ),
    "grace_seconds": Argument("number", "So late it may start.", most=31_622_400),
    "on_overlap": Argument(
        "string",
        "While a run goes on the next is skipped, waits (queue), or runs beside (allow).",
        choices=get_args(OnOverlap),
    ),
    "max_seconds": Argument("number", "Longest run.", least=1, most=604_800),
    "max_turns": Argument(
        "integer", "Answers of the model, a run.", least=1, most=_MOST
    ),
    "max_tokens": Argument("integer", "Read and written, a run.", least=1, most=_MOST),
    "max_cost_usd": Argument("number", "What a run may cost.", most=1_000_000),
    "retries": Argument(
        "integer",
        "A run that failed is tried again so often; only with side_effects false.",
        most=10,
    ),
    "side_effects": Argument(
        "boolean", "Whether it does what must not be done twice; else true."
    ),
    "ab": Argument("strings", "Models; each run draws one.", most=10),
}
ARGUMENTS = {
    "action": Argument("string", "What to do.", choices=ACTIONS),
    "job": Argument(
        "string",
        "The name or id of a job; needed but for create and list.",
        most=MAX_NAME_CHARS,
    ),
    **FIELDS,
    "reason": Argument("string", "Why; for pause.", most=500),
    "run": Argument("integer", "All of one run; for runs.", least=1, most=2**53),
    "state": Argument("string", "Only runs in it; for runs.", choices=END_STATES),
    "limit": Argument("integer", "So many runs; for runs.", least=1, most=50),
}
_LIMITS = {
    "max_seconds": "wall_seconds",
    "max_turns": "turns",
    "max_tokens": "tokens",
    "max_cost_usd": "cost_usd",
}


def split_cleared(given: object) -> tuple[object, frozenset[str]]:
    """Take the fields out that a model says as "", whatever their kind.

    Args:
        given: The arguments, already read from JSON.

    Returns:
        The other arguments, and the names of the fields to be cleared.
    """
    if not isinstance(given, Mapping):
        return given, frozenset()
    cleared = frozenset(name for name in FIELDS if given.get(name) == "")
    return {k: v for k, v in given.items() if k not in cleared}, cleared


def changes_of(
    asked: Mapping[str, Any], cleared: frozenset[str], *, scripts: Path
) -> dict[str, Any]:
    """Turn what a model asked for into fields of a job.

    Args:
        asked: As `read_arguments` returns it.
        cleared: The fields to be cleared.
        scripts: The folder of scripts.

    Raises:
        InvalidInput: A script or a skill is no name, or there is no such script.
    """
    changes: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    for name in FIELDS:
        if name not in asked and name not in cleared:
            continue
        value = asked.get(name, "")
        if name in _LIMITS:
            limits[_LIMITS[name]] = value
        elif name == "runner":
            changes[name] = AGENTS[value] if value else ()
        else:
            changes[name] = value
    if limits:
        changes["limits"] = limits
    for skill in changes.get("skills") or ():
        if not _SKILL.fullmatch(skill):
            raise InvalidInput(f"skills: {skill!r}; expected names of skills, no paths")
    if changes.get("script"):
        _check_script(changes["script"], scripts)
    return changes


def _check_script(name: str, folder: Path) -> None:
    known = _scripts_in(folder)
    if name in known:
        return
    shown = ", ".join(known[:_MOST_LISTED]) or "none yet; a person puts them there"
    raise InvalidInput(
        f"script: {name!r}; expected the name of one in the scripts folder: {shown}"
    )


def _scripts_in(folder: Path) -> list[str]:
    """Return the names of plain files that really lie in the folder."""
    try:
        inside = folder.resolve()
        return sorted(
            each.name
            for each in folder.iterdir()
            if _NAME.fullmatch(each.name)
            and each.is_file()
            and each.resolve().is_relative_to(inside)
        )
    except (OSError, RuntimeError):  # no folder, or links in a circle
        return []

"""oldhand: let every agent session start as an old hand.

The public names are read when they are first used, so that importing the package costs
nothing but itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oldhand.app.hints import hint as hint
    from oldhand.app.imports import import_sessions as import_sessions
    from oldhand.app.jobs import create_job as create_job
    from oldhand.app.jobs import edit_job as edit_job
    from oldhand.app.jobs import resume_job as resume_job
    from oldhand.app.jobs import trigger_job as trigger_job
    from oldhand.app.scheduling import make_scheduler as make_scheduler
    from oldhand.app.scheduling import tick as tick
    from oldhand.app.starts import build_template as build_template
    from oldhand.app.starts import warm as warm
    from oldhand.app.stores import open_store as open_store
    from oldhand.app.templates import best_template as best_template
    from oldhand.cron.jobs import find_job as find_job
    from oldhand.cron.jobs import list_jobs as list_jobs
    from oldhand.cron.jobs import pause_job as pause_job
    from oldhand.cron.jobs import remove_job as remove_job
    from oldhand.cron.model import JobSpec as JobSpec
    from oldhand.cron.model import Limits as Limits
    from oldhand.cron.runs import list_job_runs as list_job_runs
    from oldhand.errors import OldhandError as OldhandError
    from oldhand.experience.render import inject as inject
    from oldhand.experience.render.lint import lint as lint
    from oldhand.experience.render.mend import mend as mend
    from oldhand.experience.warm import WarmStart as WarmStart
    from oldhand.integrations.cronjob import cronjob_tool as cronjob_tool
    from oldhand.integrations.gate.decorator import (
        requires_confirmation as requires_confirmation,
    )
    from oldhand.integrations.warm_session import warm_session_tool as warm_session_tool
    from oldhand.ledger.ema import query_skill_ema as query_skill_ema
    from oldhand.ledger.invocations import (
        record_skill_invocation as record_skill_invocation,
    )
    from oldhand.sessions.live.recorder import Recorder as Recorder
    from oldhand.sessions.search.find import search_sessions as search_sessions

_HOMES = {
    "JobSpec": "oldhand.cron.model",
    "Limits": "oldhand.cron.model",
    "OldhandError": "oldhand.errors",
    "Recorder": "oldhand.sessions.live.recorder",
    "WarmStart": "oldhand.experience.warm",
    "best_template": "oldhand.app.templates",
    "build_template": "oldhand.app.starts",
    "create_job": "oldhand.app.jobs",
    "cronjob_tool": "oldhand.integrations.cronjob",
    "edit_job": "oldhand.app.jobs",
    "find_job": "oldhand.cron.jobs",
    "hint": "oldhand.app.hints",
    "import_sessions": "oldhand.app.imports",
    "inject": "oldhand.experience.render",
    "lint": "oldhand.experience.render.lint",
    "list_job_runs": "oldhand.cron.runs",
    "list_jobs": "oldhand.cron.jobs",
    "make_scheduler": "oldhand.app.scheduling",
    "mend": "oldhand.experience.render.mend",
    "open_store": "oldhand.app.stores",
    "pause_job": "oldhand.cron.jobs",
    "query_skill_ema": "oldhand.ledger.ema",
    "record_skill_invocation": "oldhand.ledger.invocations",
    "remove_job": "oldhand.cron.jobs",
    "requires_confirmation": "oldhand.integrations.gate.decorator",
    "resume_job": "oldhand.app.jobs",
    "search_sessions": "oldhand.sessions.search.find",
    "tick": "oldhand.app.scheduling",
    "trigger_job": "oldhand.app.jobs",
    "warm": "oldhand.app.starts",
    "warm_session_tool": "oldhand.integrations.warm_session",
}

__all__ = [
    "JobSpec",
    "Limits",
    "OldhandError",
    "Recorder",
    "WarmStart",
    "best_template",
    "build_template",
    "create_job",
    "cronjob_tool",
    "edit_job",
    "find_job",
    "hint",
    "import_sessions",
    "inject",
    "lint",
    "list_job_runs",
    "list_jobs",
    "make_scheduler",
    "mend",
    "open_store",
    "pause_job",
    "query_skill_ema",
    "record_skill_invocation",
    "remove_job",
    "requires_confirmation",
    "resume_job",
    "search_sessions",
    "tick",
    "trigger_job",
    "warm",
    "warm_session_tool",
]


def __getattr__(name: str) -> object:
    """Read a public name's module when the name is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'oldhand' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return __all__

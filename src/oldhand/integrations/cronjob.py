"""A tool by which an agent schedules work, for any agent to register.

    tools = [cronjob_tool.for_openai()]
    answer = cronjob_tool.handle(store, arguments, agent="my-agent")

A model writes the arguments, so whatever they hold, the answer is a dict that JSON takes:
`{"success": true, …}`, or `{"success": false, "error": …}` with words that the model can
act on. It changes only what agents made: a person's job has a person's rights.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from oldhand import settings as all_settings
from oldhand.app import jobs as app_jobs
from oldhand.app.scheduling import may_schedule
from oldhand.clock import Clock, system_clock
from oldhand.cron.jobs import (
    find_job,
    list_jobs,
    pause_job,
    remove_job,
    resume_job,
    trigger_job,
)
from oldhand.cron.model import Job, JobSpec
from oldhand.cron.spec import changed_spec
from oldhand.errors import Forbidden, InvalidInput, NotFound, OldhandError
from oldhand.integrations.agent_tool import AgentTool
from oldhand.integrations.cronjob_answers import (
    job_answer,
    jobs_answer,
    runs_answer,
    scheduler_answer,
)
from oldhand.integrations.cronjob_arguments import (
    ACTIONS,
    ARGUMENTS,
    changes_of,
    split_cleared,
)
from oldhand.integrations.tool_arguments import read_arguments
from oldhand.settings import SCRIPTS, Settings
from oldhand.store import Store

MAX_JOBS = 50
"""So many jobs that are not over may be there of agents."""
_MAKER = "agent:"
_NAME = "cronjob"
_DESCRIPTION = (
    "Have an agent run on a schedule, later and when nobody is there. create: make a job."
    " list, show: what is scheduled. update: change fields; an empty text clears one."
    " pause, resume, trigger (run it once now), remove. runs: how runs went, with run the"
    " output of one. Only jobs that an agent made can be changed. Check the next firings in"
    " the answer against what the person meant."
)


class CronjobTool(AgentTool):
    """The tool, and what is done when it is called."""

    def handle(
        self,
        store: Store,
        arguments: object,
        *,
        settings: Settings | None = None,
        agent: str = "agent",
        origin: Mapping[str, str] = MappingProxyType({}),
        clock: Clock = system_clock,
    ) -> dict[str, Any]:
        """Do what a model asked for, and answer in words that it can act on.

        Args:
            store: Where jobs are.
            arguments: An object, or its JSON text; anything at all is answered.
            settings: By default read from the environment.
            agent: Who asks, as people read it beside the job.
            origin: Where the agent was asked, as `{"platform": "telegram", "chat": "42"}`:
                known to the program around it, and never what a model says.
            clock: Says now.

        Returns:
            What JSON takes: `success`, and `error` where it is False. Beside `success`,
            list gives `jobs`; runs `runs`, or `run` and its `output`; trigger `run`; all
            others `job` and `next`, its next three firings by the clock of its zone.
            `scheduler` says whether jobs fire now.
        """
        try:
            known = settings or all_settings.load()
            given, cleared = split_cleared(_object(arguments))
            asked = read_arguments(given, ARGUMENTS)
            host = _Host(store, known, agent, origin, cleared, clock)
            may_schedule(store, known, doing="use this tool")
            return {"success": True} | _action(asked)(host, asked)
        except OldhandError as fault:
            return {"success": False, "error": _in_words(fault)}


cronjob_tool = CronjobTool(_NAME, _DESCRIPTION, ARGUMENTS)


class _Host(NamedTuple):
    """What the agent that has the tool knows, and no model is asked."""

    store: Store
    settings: Settings
    agent: str
    origin: Mapping[str, str]
    cleared: frozenset[str]
    clock: Clock

    @property
    def maker(self) -> str:
        plain = "".join(char for char in self.agent if char.isprintable())
        return _MAKER + (plain.strip()[:100] or "agent")


_Asked = Mapping[str, Any]


def _object(arguments: object) -> object:
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments or "{}")
    except (ValueError, RecursionError) as fault:
        raise InvalidInput("the arguments are no JSON; expected an object") from fault


def _in_words(fault: OldhandError) -> str:
    """Say what went wrong to a model, which can type no command but call the tool again."""
    if isinstance(fault, NotFound):
        return f"{fault}; the action list shows what there is"
    return str(fault)


def _action(asked: _Asked) -> Callable[[_Host, _Asked], dict[str, Any]]:
    if "action" not in asked:
        raise InvalidInput(f"action is missing; expected one of {', '.join(ACTIONS)}")
    actions = {
        "create": _create,
        "list": _list,
        "show": _show,
        "update": _update,
        "pause": _pause,
        "resume": _resume,
        "trigger": _trigger,
        "remove": _remove,
        "runs": _runs,
    }
    return actions[asked["action"]]


def _create(host: _Host, asked: _Asked) -> dict[str, Any]:
    changes = _changes(host, asked)
    if "job" in asked:  # models say it for the name
        changes.setdefault("name", asked["job"])
    spec = changed_spec(JobSpec(origin=dict(host.origin)), changes)
    with host.store.transaction():
        made = [job for job in list_jobs(host.store) if _is_agents(job)]
        if sum(job.state != "completed" for job in made) >= MAX_JOBS:
            raise Forbidden(
                f"there are {MAX_JOBS} jobs of agents; remove one, or ask a person"
            )
        job = app_jobs.create_job(
            host.store,
            spec,
            settings=host.settings,
            created_by=host.maker,
            clock=host.clock,
        )
    return _job(host, job)


def _show(host: _Host, asked: _Asked) -> dict[str, Any]:
    return _job(host, find_job(host.store, _ref(asked)))


def _update(host: _Host, asked: _Asked) -> dict[str, Any]:
    changes = _changes(host, asked)
    if not changes:
        raise InvalidInput("nothing to change; name a field, as schedule")
    job = _own(host, asked)
    edited = app_jobs.edit_job(
        host.store, job.uid, changes, settings=host.settings, clock=host.clock
    )
    return _job(host, edited)


def _pause(host: _Host, asked: _Asked) -> dict[str, Any]:
    job = _own(host, asked)
    reason = " ".join(asked.get("reason", "").split())
    return _job(host, pause_job(host.store, job.uid, reason=reason, clock=host.clock))


def _resume(host: _Host, asked: _Asked) -> dict[str, Any]:
    return _job(host, resume_job(host.store, _own(host, asked).uid, clock=host.clock))


def _trigger(host: _Host, asked: _Asked) -> dict[str, Any]:
    run_id = trigger_job(host.store, _own(host, asked).uid, clock=host.clock)
    return {"run": run_id, **scheduler_answer(host.store)}


def _remove(host: _Host, asked: _Asked) -> dict[str, Any]:
    return _job(host, remove_job(host.store, _own(host, asked).uid, clock=host.clock))


def _changes(host: _Host, asked: _Asked) -> dict[str, Any]:
    return changes_of(asked, host.cleared, scripts=host.settings.home / SCRIPTS)


def _ref(asked: _Asked) -> str:
    ref = asked.get("job")
    if not isinstance(ref, str) or not ref:
        raise InvalidInput(f"job is missing; {asked['action']} needs a name or an id")
    return ref


def _own(host: _Host, asked: _Asked) -> Job:
    job = find_job(host.store, _ref(asked))
    if not _is_agents(job):
        raise Forbidden(
            f"{job.name}: a person made this job; ask them to {asked['action']} it"
        )
    return job


def _is_agents(job: Job) -> bool:
    return job.created_by.startswith(_MAKER)


def _list(host: _Host, _: _Asked) -> dict[str, Any]:
    return jobs_answer(host.store, host.clock())


def _runs(host: _Host, asked: _Asked) -> dict[str, Any]:
    return runs_answer(host.store, asked)


def _job(host: _Host, job: Job) -> dict[str, Any]:
    return job_answer(host.store, job, host.clock())

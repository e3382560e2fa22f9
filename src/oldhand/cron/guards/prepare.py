"""What stands between a job and its run: what the agent is told, and what it may not."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from oldhand.cron.guards.context import Need, check_window, need_of
from oldhand.cron.guards.flags import flags_in
from oldhand.cron.guards.local import is_local
from oldhand.cron.guards.means import NO_MEANS, Means
from oldhand.cron.guards.prompt import prompt_for
from oldhand.cron.guards.skills import find_named
from oldhand.cron.guards.windows import Asked
from oldhand.cron.model import Claimed, JobSpec
from oldhand.cron.runner.protocol import Task
from oldhand.ledger.waiting import Begun

MIN_CONTEXT_VARIABLE = "CRON_MIN_CONTEXT_TOKENS"


class Prepared(NamedTuple):
    """A run that may start.

    Attributes:
        task: For the runner.
        begun: For the ledger.
        notes: What the run was told or kept from, each a sentence.
    """

    task: Task
    begun: Begun
    notes: tuple[str, ...] = ()


def prepare(run: Claimed, *, now_us: int, means: Means = NO_MEANS) -> Prepared:
    """Make the task of a run.

    Args:
        run: As it was taken up.
        now_us: In microseconds since 1970-01-01 UTC.
        means: What may be looked at.

    Raises:
        Blocked: It may not start; `ModelContextError` where a window is too small.
    """
    spec = run.job.spec
    model = means.choose(spec.ab) if spec.ab else spec.model
    asked = Asked(model, spec.provider, spec.base_url)
    has_local_tools = _may_use_tools(spec)
    project = Path(spec.workdir) if spec.workdir else None
    named = find_named(spec.skills, means.skill_places(project) if spec.skills else [])
    prompt, notes = "", list[str]()
    if spec.prompt:  # else the script is all of it, and no agent is run
        flags = {
            skill.name: flags_in(f"the skill {skill.name}", text)
            for skill, text in zip(named.found, named.texts, strict=True)
        }
        prompt = prompt_for(
            run,
            now_us=now_us,
            skills=named.found,
            missing=named.faults,
            wary_of=[name for name, said in flags.items() if said],
            has_local_tools=has_local_tools,
        )
        need = need_of(spec, prompt, named.texts, least_tokens=means.min_context_tokens)
        notes = [
            *named.faults,
            "" if has_local_tools else _why_no_tools(spec),
            *chain.from_iterable(flags.values()),
            _check_window(asked, need, means, now_us),
        ]
    task = Task(
        run.run_id,
        run.job.name,
        prompt,
        model=model,
        provider=spec.provider,
        base_url=spec.base_url,
        command=spec.runner,
        script=spec.script,
        workdir=spec.workdir or "",
        environment=_environment(means),
        has_local_tools=has_local_tools,
        session_key=f"run-{run.run_id}",
        limits=spec.limits,
    )
    begun = Begun(
        now_us,
        model=model,
        provider=spec.provider,
        draw_probability=1 / len(spec.ab) if spec.ab else None,
        skills=named.uses,
    )
    return Prepared(task, begun, tuple(filter(None, notes)))


def _check_window(asked: Asked, need: Need, means: Means, now_us: int) -> str:
    if means.windows is None:
        return ""
    if (
        asked.model is None and not need.is_asked_for
    ):  # the agent's own, and its own care
        return ""
    window = means.windows.find(means.store, asked, now_us=now_us)
    return check_window(asked, window, need)


def _may_use_tools(spec: JobSpec) -> bool:
    return not spec.requires_local_infra or is_local(spec.provider, spec.base_url)


def _why_no_tools(spec: JobSpec) -> str:
    who = spec.base_url or spec.provider
    known = (
        f"{who} is not known to be"
        if who
        else "it names no provider that is known to be"
    )
    return (
        f"it is given no terminal and no local tools: the job asks for this machine's own, "
        f"and {known} on this machine or its network"
    )


def _environment(means: Means) -> MappingProxyType[str, str]:
    told = {}
    if means.min_context_tokens:
        told[MIN_CONTEXT_VARIABLE] = str(means.min_context_tokens)
    return MappingProxyType(told)

"""What skills cost in sessions that were imported: a first look, on the first day.

A session in which a skill was loaded becomes a run, once. It begins with the first load,
since what came before was spent without a skill; its shares are by the tokens between one
load and the next. Nothing in a session says whether it did what it was for, so the outcome
is unknown; of Hermes' scheduled runs its own ledger says it. A cost that the session names is cut by tokens; else `price_of` may know it.

What loads a skill: the tool `Skill` of Claude Code; the text that Claude Code puts in when
a person calls one, which begins with the skill's directory; the tools `skill_view` and
`skill_manage` of Hermes; and the words that Hermes puts before a prompt with a skill.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from oldhand.ledger.checks import MAX_NAME_CHARS
from oldhand.ledger.hermes_cron import Execution, execution_of, with_execution
from oldhand.ledger.links import MAX_SKILLS, checked_uses
from oldhand.ledger.model import Run, SkillUse
from oldhand.ledger.prices import PriceOf, Tokens
from oldhand.ledger.rebuild import rebuild_sums
from oldhand.ledger.runs import link_skills
from oldhand.ledger.settle import settle, start_run
from oldhand.ledger.sums import are_stale
from oldhand.ledger.usage import Totals, Usage, part_after, weigh
from oldhand.sessions.payloads import content_of
from oldhand.store import Queries, Row, Store

_SQL = Queries("oldhand.ledger")
_MESSAGE_BITS = 22  # a message's id is session << 22 | seq
_CALL_BITS = 10  # a call's is message << 10 | pos
_MARK_WITHIN = 8  # messages: results of other calls may stand between
_NAMES = {
    "Skill": ("skill", "command"),
    "skill_view": ("name",),
    "skill_manage": ("name",),
}
_CLAUDE_MARK = re.compile(r"Base directory for this skill: ([^\n]{1,1000})")
_PLUGIN = re.compile(r"/plugins/cache/[^/]+/([^/]+)/[^/]+/skills/")
_HERMES_MARK = re.compile(
    r"\[IMPORTANT: The user has invoked the \"([^\"\n]{1,200})\" skill"
)

Progress = Callable[[int, int | None], None]
"""Told how much is done, of how much."""


class Load(NamedTuple):
    """A skill that was loaded, and by which message."""

    message: int
    skill: str
    is_mark: bool = False


class _Session(NamedTuple):
    id: int
    uid: str
    source: str
    model: str | None
    started_at_us: int
    updated_at_us: int
    message_count: int
    tool_call_count: int
    cost_microusd: int | None
    input: int | None
    output: int | None
    cache_read: int | None
    cache_write: int | None

    @property
    def totals(self) -> Totals:
        """What the agent says of all of it."""
        return Totals(self.cost_microusd, Tokens(*self[9:]))


def attribute_sessions(
    store: Store,
    *,
    price_of: PriceOf | None = None,
    executions: Sequence[Execution] = (),
    again: bool = False,
    progress: Progress | None = None,
) -> int:
    """Make runs of the sessions on record in which a skill was loaded.

    A session that has grown since it was looked at is counted anew; one that has not is
    passed over, so that doing this again changes nothing.

    Args:
        store: Where sessions and runs are.
        price_of: Says what tokens cost, as `prices.cost_microusd`.
        executions: How Hermes' scheduled runs ended, as `hermes_cron.read_executions`
            returns them. A run of which none was known is looked at again.
        again: Look through those that have not grown, too: prices may have changed.
        progress: Told how many sessions were looked through, of how many.

    Returns:
        How many sessions were counted, or counted anew.
    """
    counted = 0
    if again:
        store.execute(_SQL["forget_all_attributed"])
    _look_again(store, executions)
    rows = store.query_all(_SQL["sessions_to_attribute"])
    for done, row in enumerate(rows, start=1):
        with store.transaction():
            counted += _attribute(store, _Session(*row), price_of, executions)
        if progress is not None:
            progress(done, len(rows))
    if counted or are_stale(store):  # a run that was deleted to be written anew
        rebuild_sums(store)
    return counted


def loads_of(calls: Iterable[Row], texts: Iterable[Row]) -> list[Load]:
    """Return the skills that a session loaded, in order.

    Args:
        calls: Message, tool and arguments of each call that may load one.
        texts: Message and text of each that may mark one.
    """
    found = []
    for message, tool, arguments in calls:
        skill = _skill_named(tool, arguments)
        if skill:
            found.append(Load(message, skill))
    for message, text in texts:
        skill = _skill_marked(text)
        if skill:
            found.append(Load(message, skill, is_mark=True))
    loads: list[Load] = []
    unmarked: list[int] = []  # messages of calls whose mark is still to come
    for load in sorted(found):
        if not load.is_mark:
            unmarked.append(load.message)
        elif unmarked and load.message - unmarked[0] <= _MARK_WITHIN:
            del unmarked[0]  # the text that follows a call is the same load
            continue
        loads.append(load)
    return loads


def parts_of(loads: list[Load], usages: Sequence[Usage]) -> dict[str, int]:
    """Return what was used after each skill was loaded and before the next was.

    A message that loads a skill was written before it was there, and counts for the one
    before.

    Args:
        loads: In order.
        usages: Of all messages, in order.

    Returns:
        Tokens by skill; or answers, where nothing says how many tokens.
    """
    parts = dict.fromkeys((load.skill for load in loads), 0)
    place = -1
    for usage, weight in zip(usages, weigh(usages), strict=True):
        while place + 1 < len(loads) and loads[place + 1].message < usage.message:
            place += 1
        if place >= 0:
            parts[loads[place].skill] += weight
    return parts


def _look_again(store: Store, executions: Sequence[Execution]) -> None:
    """Forget those of Hermes' runs of which only now is known how they ended."""
    if not executions:
        return
    for uid, session_id, started_at_us in store.query_all(_SQL["runs_without_job"]):
        if execution_of(uid, started_at_us, executions) is not None:
            store.execute(_SQL["forget_attributed"], (session_id,))


def _attribute(
    store: Store,
    session: _Session,
    price_of: PriceOf | None,
    executions: Sequence[Execution],
) -> bool:
    """Write a session's run anew; say whether it loaded a skill.

    The run of a job is one already, and its subagents' sessions are part of it: it is only
    told which skills were loaded, where nobody said.
    """
    store.execute(_SQL["delete_attributed"], (f"session:{session.uid}",))
    looked_at = (session.id, session.message_count, session.tool_call_count)
    store.execute(_SQL["note_attributed"], looked_at)
    told = store.query_all(_SQL["job_runs_of_session"], (session.id,))
    if told and not _lacks_skills(session, told):
        return False  # its run is on record, with its cost
    span = {
        "first": session.id << _MESSAGE_BITS,
        "after": (session.id + 1) << _MESSAGE_BITS,
    }
    calls = {name: number << _CALL_BITS for name, number in span.items()}
    loads = loads_of(
        store.query_all(_SQL["skill_calls"], calls),
        (
            (message, content_of(content, body))
            for message, content, body in store.query_all(
                _SQL["skill_marks"], span | {"source": session.source}
            )
        ),
    )
    usages = [Usage(*row) for row in store.query_all(_SQL["message_usages"], span)]
    skills = list(dict.fromkeys(load.skill for load in loads))[:MAX_SKILLS]
    if not skills:
        return False
    parts = parts_of(loads, usages)
    uses = checked_uses([SkillUse(name, tokens=parts[name]) for name in skills])
    if told:
        link_skills(store, told[0][0], uses)
        return True
    run = _run(session, usages, loads[0].message, price_of)
    execution = execution_of(session.uid, session.started_at_us, executions)
    if execution is not None:
        run = with_execution(run, execution)
    written = start_run(store, run, uses, key=f"session:{session.uid}")
    settle(store, written)
    return True


def _lacks_skills(session: _Session, told: Sequence[Row]) -> bool:
    """Say whether a job's run of just this session is to be told what it loaded."""
    _, uid, has_ended, has_skills = told[0]
    is_alone = len(told) == 1 and uid == session.uid
    return bool(is_alone and has_ended and not has_skills)


def _run(
    session: _Session, usages: list[Usage], first: int, price_of: PriceOf | None
) -> Run:
    """Return the part of a session that came after its first skill."""
    after = [usage for usage in usages if usage.message > first]
    times = [usage.at_us for usage in usages if usage.at_us and usage.message >= first]
    model = _model(after) or session.model
    part = part_after(
        usages, first, totals=session.totals, model=model, price_of=price_of
    )
    return Run(
        source="session",
        started_at_us=times[0] if times else session.started_at_us,
        session_uid=session.uid,
        state="ended",
        model=model,
        ended_at_us=session.updated_at_us,
        input_tokens=part.tokens.input,
        output_tokens=part.tokens.output,
        cache_read_tokens=part.tokens.cache_read,
        cache_write_tokens=part.tokens.cache_write,
        cost_microusd=part.cost_microusd,
    )


def _model(usages: list[Usage]) -> str | None:
    """Return the model that wrote most."""
    written: dict[str, int] = {}
    for usage in usages:
        if usage.model:
            written[usage.model] = written.get(usage.model, 0) + (usage.output or 0)
    return max(written, key=lambda model: (written[model], model)) if written else None


def _skill_named(tool: str, arguments: str) -> str | None:
    try:
        said = json.loads(arguments)
    except ValueError:
        return None
    if not isinstance(said, dict):
        return None
    for key in _NAMES[tool]:
        if isinstance(said.get(key), str):
            return _clean(said[key])
    return None


def _skill_marked(text: str) -> str | None:
    hermes = _HERMES_MARK.search(text)
    if hermes is not None:
        return _clean(hermes[1])
    claude = _CLAUDE_MARK.match(text)
    if claude is None:
        return None
    folder = claude[1].strip().rstrip("/")
    plugin = _PLUGIN.search(folder)
    name = folder.rpartition("/")[2]
    return _clean(f"{plugin[1]}:{name}" if plugin else name)


def _clean(name: str) -> str | None:
    """Return a name as the ledger takes it; None where it is none."""
    stripped = name.strip().lstrip("/")
    is_name = stripped.isprintable() and 0 < len(stripped) <= MAX_NAME_CHARS
    return stripped if is_name else None

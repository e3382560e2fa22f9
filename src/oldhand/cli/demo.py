"""`oldhand demo`: what oldhand does, on the user's own sessions or on shipped ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from oldhand.cli.face import Face, common_options, talk
from oldhand.errors import NothingToLearn

if TYPE_CHECKING:
    from oldhand.experience.warm import WarmStart
    from oldhand.sessions.importers import ImportReport
    from oldhand.settings import Settings
    from oldhand.store import Store

_BUDGETS = (250, 500, 1_000, 2_000, 4_000)
_TEMPLATE = "demo"
_SHIPPED = Path(__file__).with_name("demo_sessions")
_SHIPPED_TASK = "A test fails in the ledger; find out why and fix it"


@click.command()
@click.option("--tokens", default=1000, show_default=True, type=click.IntRange(100))
@click.option("--shipped", is_flag=True, help="Use the shipped sessions in any case.")
@click.option(
    "--simulate", is_flag=True, help="Show how experiments work, with made-up sessions."
)
@common_options
def demo(face: Face, tokens: int, shipped: bool, simulate: bool) -> None:
    """Import, judge, build a template, and print the warm start.

    Uses the sessions that agents left on this machine. Where there are none, it uses the
    ones that ship with oldhand, in a database that is thrown away.
    """
    if simulate:
        from oldhand.cli.simulation_page import show_simulation

        show_simulation(face)
        return
    from oldhand.app import imports

    settings = face.settings
    if not shipped and _run_on_own(face, tokens=tokens):
        return
    plan = imports.plan_import(settings, source="openai", paths=[_SHIPPED])
    with _throwaway_store() as store:
        report = imports.run_import(store, plan, settings=settings)
        _run(face, store, report, tokens=tokens, task=_SHIPPED_TASK, is_shipped=True)


def _run_on_own(face: Face, *, tokens: int) -> bool:
    """Run on what agents left on this machine; say whether there was anything to show."""
    from oldhand.app import imports
    from oldhand.cli.import_ import announce, watched_progress

    settings = face.settings
    plan = imports.plan_import(settings)
    if not plan.units:
        talk("no agent's sessions on this machine; here are the ones that ship\n")
        return False
    announce(plan, settings.database, is_own_choice=False)
    with watched_progress(plan.size_bytes) as progress:
        report = imports.run_import(
            face.store(for_writing=True), plan, settings=settings, progress=progress
        )
    for fault in report.unreadable:
        talk(f"left out: {fault}")
    try:
        _run(face, face.store(), report, tokens=tokens)
    except NothingToLearn as fault:
        talk(f"{fault}; here are the sessions that ship\n")
        return False
    return True


@contextmanager
def _throwaway_store() -> Iterator[Store]:
    from oldhand.store import open_database

    store = open_database(":memory:")
    try:
        yield store
    finally:
        store.close()


class _Learned(NamedTuple):
    """What came of each step."""

    outcomes: dict[str, dict[str, int]]
    template: str
    coverage: dict[int, float]
    warm: WarmStart


def _run(
    face: Face,
    store: Store,
    report: ImportReport,
    *,
    tokens: int,
    task: str = "",
    is_shipped: bool = False,
) -> None:
    """Do what a user would, one step after another, and show what comes of each."""
    learned = _learn(store, face.settings, tokens=tokens, task=task)
    if not face.as_json:
        _show(learned, is_shipped=is_shipped)
        return
    face.emit(
        {
            "sessions": report.tally.sessions,
            "skipped": report.tally.skipped,
            "outcomes": learned.outcomes,
            "template": learned.template,
            "coverage_by_tokens": learned.coverage,
            "warm": learned.warm.as_json(),
        }
    )


def _learn(store: Store, settings: Settings, *, tokens: int, task: str) -> _Learned:
    from oldhand.app import starts
    from oldhand.experience.candidates import Budget
    from oldhand.experience.mine import Wish, coverage_by_budget
    from oldhand.experience.pool import Scope
    from oldhand.sessions.read import outcomes_by_tool

    template = starts.build_template(
        store, _TEMPLATE, task=task, all_projects=True, settings=settings
    )
    wish = Wish(scope=Scope(), task=task, budget=Budget(tokens=tokens))
    warm = starts.warm(
        store, task=task, tokens=tokens, all_projects=True, settings=settings
    )
    coverage = coverage_by_budget(store, wish, _BUDGETS)
    return _Learned(outcomes_by_tool(store), template.label, coverage, warm)


def _show(learned: _Learned, *, is_shipped: bool) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.rule import Rule

    from oldhand.cli.bars import coverage_bars, outcome_bars

    console = Console(highlight=False)
    calls = sum(sum(counts.values()) for counts in learned.outcomes.values())
    console.print(Rule("how the calls went", align="left"))
    console.print(Padding(outcome_bars(learned.outcomes), (1, 2)))
    console.print(f"  {calls:,} calls on record, each judged by its result")
    if is_shipped:
        console.print(
            "  A script made these sessions: its turns are written, the tools really ran,"
            "\n  and it errs more often than agents do."
        )
    kept = f"are kept as template {learned.template}"
    if is_shipped:
        kept = "would be a template; this database is thrown away"
    console.print(Rule("what a few examples cover", align="left"))
    console.print(Padding(coverage_bars(learned.coverage), (1, 2)))
    console.print(
        "  share of these sessions' calls whose shape the chosen examples show;"
        f"\n  the first 2,000 tokens of them {kept}"
    )
    console.print(
        Rule(f"the start of the next session, {learned.warm.tokens:,} tokens")
    )
    click.echo(learned.warm.text)
    console.print(Rule("what to type next", align="left"))
    for line in _next_steps(is_shipped=is_shipped):
        click.echo(f"  {line}")


def _next_steps(*, is_shipped: bool) -> tuple[str, ...]:
    first = (
        "oldhand import PATH              read your own agents' sessions"
        if is_shipped
        else "oldhand sessions list            what is on record now"
    )
    return (
        first,
        "oldhand calls list --outcome error   what went wrong, call by call",
        'oldhand warm --task "…"          the start for your next session, from its project',
        "oldhand template build --name mine   keep a set of examples",
    )

"""A scheduler with all that it needs, and one pass of it; who may not schedule."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from functools import partial

from oldhand import settings as all_settings
from oldhand.app.confirmation import channels_of
from oldhand.app.skills import own_prices
from oldhand.confirm.requests.read import is_held
from oldhand.cron.guards.means import Means
from oldhand.cron.guards.prepare import prepare
from oldhand.cron.guards.windows import Windows
from oldhand.cron.liveness import note_tick
from oldhand.cron.model import Claimed, Pass
from oldhand.cron.nesting import refuse_inside_run
from oldhand.cron.runner import Runner
from oldhand.cron.runner.command import CommandRunner
from oldhand.cron.runner.script import Scripts
from oldhand.cron.scheduler import Scheduler
from oldhand.cron.shop import COMMAND
from oldhand.ledger.prices import cost_microusd
from oldhand.ledger.skills.find import skill_places
from oldhand.notices import deliver_due
from oldhand.settings import Settings
from oldhand.store import Store
from oldhand.store.open import is_postgres


def may_schedule(store: Store, settings: Settings, *, doing: str) -> None:
    """Refuse to a scheduled run to schedule more.

    Args:
        store: Where runs are.
        settings: What the environment says of a run.
        doing: As `make a job`.

    Raises:
        Forbidden: This is a scheduled run.
    """
    refuse_inside_run(store, settings.run, doing=doing)


def means_of(store: Store, settings: Settings) -> Means:
    """Return what the guards may look at: skills, scripts, windows, as the settings say."""
    places = partial(
        skill_places,
        home=settings.home,
        user_home=settings.user_home,
        environment=settings.agent_environment,
    )
    return Means(
        store=store,
        windows=Windows(settings.context_windows),
        min_context_tokens=settings.cron_min_context_tokens,
        skill_places=lambda project: places(project=project),
        scripts=settings.home / all_settings.SCRIPTS,
    )


def make_scheduler(
    store: Store,
    settings: Settings,
    *,
    runners: Mapping[str, Runner] | None = None,
    page_of: Callable[[int], str] = lambda _run_id: "",
) -> Scheduler:
    """Make a scheduler with all that it needs; nothing runs yet.

    Args:
        store: Where jobs are; it stays the caller's to close, afterwards.
        settings: How many runs at once, and the rest.
        runners: Beside the one of commands, by name; objects of your own.
        page_of: Returns the address of a run's page for messages about it, or "".

    Raises:
        InvalidInput: A price in the settings is none.
    """
    environment = _environment(settings)
    commands = CommandRunner(
        environment,
        default=settings.cron_runner,
        price_of=partial(cost_microusd, own=own_prices(settings)),
    )
    return Scheduler(
        store,
        {COMMAND: commands, **(runners or {})},
        places=settings.cron_places,
        prepare=partial(prepare, means=means_of(store, settings)),
        is_held=is_held,
        scripts=Scripts(settings.home / all_settings.SCRIPTS, environment),
        page_of=page_of,
    )


def _environment(settings: Settings) -> dict[str, str]:
    """Return what programs are given: with the database that is worked on, for hooks.

    One on a server is not named, unless the variable does: its address may hold a password.
    """
    own = all_settings.own_environment()
    if not is_postgres(settings.database):
        own["OLDHAND_DATABASE"] = settings.database
    return own


def tick(
    store: Store,
    now_us: int | None = None,
    *,
    settings: Settings | None = None,
    runners: Mapping[str, Runner] | None = None,
    told: Callable[[Pass], None] = lambda _pass: None,
) -> tuple[Claimed, ...]:
    """Make one pass, wait for the runs that it started, send what is to be delivered.

    Args:
        store: Where jobs are.
        now_us: Instead of the clock, in microseconds since 1970-01-01 UTC.
        settings: By default read from the environment.
        runners: Beside the one of commands, by name; objects of your own.
        told: Told what the pass did, while the runs that it started go on.

    Returns:
        The runs that were started.

    Raises:
        Forbidden: This is a scheduled run.
        StoreError: The database refused.
    """
    known = settings or all_settings.load()
    may_schedule(store, known, doing="start others")
    with make_scheduler(store, known, runners=runners) as scheduler:
        made = scheduler.tick(now_us)
        told(made)
        scheduler.join()
    note_tick(store, socket.gethostname())
    deliver_due(store, channels_of(known))
    return made.started

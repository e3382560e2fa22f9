"""Skills on this machine, and what they cost in sessions that are on record."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from oldhand.errors import InvalidInput, UnreadableSource
from oldhand.ledger.attribute import Progress, attribute_sessions
from oldhand.ledger.hermes_cron import Execution, read_executions
from oldhand.ledger.prices import Price, cost_microusd, price_list
from oldhand.ledger.skills.find import Skill, find_skills, skill_places
from oldhand.sessions.importers import source_named
from oldhand.settings import Settings
from oldhand.store import Store

_LEDGER = Path("cron", "executions.db")


class Counted(NamedTuple):
    """What came of looking for skills in sessions.

    Attributes:
        sessions: In which a skill was loaded, new or grown.
        faults: Of ledgers of Hermes that could not be read.
    """

    sessions: int
    faults: list[str]


def skills_on_machine(
    settings: Settings, *, project: Path | None = None
) -> list[Skill]:
    """Return the skills in the user's places and a project's, broken ones among them."""
    places = skill_places(
        home=settings.home,
        user_home=settings.user_home,
        project=project,
        environment=settings.agent_environment,
    )
    return find_skills(places)


def own_prices(settings: Settings) -> dict[str, Price]:
    """Return the prices that the settings say, by model.

    Raises:
        InvalidInput: One of them is none; the message names the file, and the price in it.
    """
    try:
        return price_list(settings.prices)
    except InvalidInput as fault:
        raise InvalidInput(f"{settings.home / 'oldhand.toml'}: {fault}") from fault


def count_skills(
    store: Store,
    settings: Settings,
    *,
    places: Iterable[Path] = (),
    again: bool = False,
    progress: Progress | None = None,
) -> Counted:
    """Make runs of the sessions on record in which a skill was loaded.

    Args:
        store: Where sessions and runs are.
        settings: Prices, and where Hermes is at home.
        places: Other homes of Hermes, or files in one, that were imported.
        again: Look through those that have not grown, too: prices may have changed.
        progress: Told how many sessions were looked through, of how many.

    Raises:
        InvalidInput: A price in the settings is none.
    """
    own = own_prices(settings)
    homes = source_named("hermes").homes(settings.agent_environment, settings.user_home)
    executions: list[Execution] = []
    faults = []
    for ledger in _ledgers([*homes, *places]):
        try:
            executions += read_executions(ledger)
        except UnreadableSource as fault:
            faults.append(str(fault))
    sessions = attribute_sessions(
        store,
        price_of=partial(cost_microusd, own=own),
        executions=executions,
        again=again,
        progress=progress,
    )
    return Counted(sessions, faults)


def _ledgers(homes: Iterable[Path]) -> list[Path]:
    """Return Hermes' ledgers of scheduled runs in some homes and their profiles."""
    found: dict[Path, None] = {}
    for home in homes:
        folder = home.parent if home.is_file() else home
        for place in (folder, *sorted(folder.glob("profiles/*"))):
            if (place / _LEDGER).is_file():
                found[(place / _LEDGER).resolve()] = None
    return list(found)

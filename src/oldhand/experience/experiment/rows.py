"""Experiments in the database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import Conflict, NotFound
from oldhand.experience.experiment.model import (
    Arm,
    Experiment,
    check_plan,
    shares_from_text,
    shares_to_text,
)
from oldhand.ids import new_id
from oldhand.redact import redact
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)


class Listed(NamedTuple):
    """An experiment and how many sessions were assigned in it."""

    experiment: Experiment
    sessions: int


def start_experiment(  # noqa: PLR0913 - each is a fact of its own
    store: Store,
    name: str,
    *,
    shares: Mapping[Arm, float],
    holdout: float,
    horizon: int,
    description: str = "",
    salt: str | None = None,
    clock: Clock = system_clock,
) -> Experiment:
    """Start an experiment; it is stored, and never changes but that it is stopped.

    Args:
        store: Where it goes.
        name: Letters, digits, `-` and `_`.
        shares: As `shares_of` makes them.
        holdout: The share of sessions that stay cold for good, 0 to 0.5.
        horizon: How many of a session's first working calls are looked at.
        description: For people; it is redacted.
        salt: Two experiments of one salt draw the same; by default a new one.
        clock: Gives its time.

    Raises:
        InvalidInput: The name, the holdout or the horizon is none.
        Conflict: There is one of that name, running or stopped.
    """
    check_plan(name, holdout=holdout, horizon=horizon)
    row = store.query_one(
        _SQL["put_experiment"],
        {
            "name": name,
            "description": redact(description),
            "shares": shares_to_text(shares),
            "holdout": holdout,
            "horizon": horizon,
            "salt": salt or new_id(clock=clock),
            "started_at_us": clock(),
        },
    )
    if row is None:
        raise Conflict(f"an experiment {name!r} is there already; choose another name")
    return find_experiment(store, name)


def find_experiment(store: Store, name: str) -> Experiment:
    """Return an experiment by its name.

    Raises:
        NotFound: There is none; the message names those that there are.
    """
    row = store.query_one(_SQL["experiment_named"], {"name": name})
    if row is None:
        known = ", ".join(listed.experiment.name for listed in list_experiments(store))
        raise NotFound(f"no experiment {name!r}; on record: {known or 'none yet'}")
    return _experiment(row)


def list_experiments(store: Store) -> list[Listed]:
    """Return all experiments, the newest first."""
    rows = store.query_all(_SQL["list_experiments"])
    return [Listed(_experiment(row[:-1]), row[-1]) for row in rows]


def stop_experiment(
    store: Store, name: str, *, clock: Clock = system_clock
) -> Experiment:
    """End the draw of an experiment; what it has found stays.

    Raises:
        NotFound: There is no such experiment.
        Conflict: It has been stopped before.
    """
    found = find_experiment(store, name)
    changed = store.execute(
        _SQL["stop_experiment"], {"stopped_at_us": clock(), "id": found.id}
    )
    if not changed:
        raise Conflict(f"experiment {name!r} has been stopped already")
    return find_experiment(store, name)


def _experiment(row: Row) -> Experiment:
    name, shares, *rest = row
    return Experiment(name, shares_from_text(shares), *rest)

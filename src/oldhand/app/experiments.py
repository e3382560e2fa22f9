"""Run experiments: start and stop them, assign sessions, see what they show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from oldhand.app.starts import warm_request
from oldhand.experience import experiment as _experiment
from oldhand.experience.experiment.analysis import Analysis
from oldhand.experience.experiment.assignments import Assignment
from oldhand.experience.experiment.model import (
    ARMS,
    DEFAULT_HOLDOUT,
    DEFAULT_HORIZON,
    Experiment,
)
from oldhand.store import Store

if TYPE_CHECKING:
    from oldhand.app.wishes import WarmWishes


def start_experiment(  # noqa: PLR0913 - one keyword for each wish that a caller may have
    store: Store,
    name: str,
    *,
    arms: Sequence[str] = ARMS,
    shares: Sequence[float] | None = None,
    holdout: float = DEFAULT_HOLDOUT,
    horizon: int = DEFAULT_HORIZON,
    description: str = "",
) -> Experiment:
    """Start an experiment.

    Args:
        store: Where it goes.
        name: Letters, digits, `-` and `_`.
        arms: `cold`, and one or both of `warm` and `placebo`.
        shares: The chance of each arm for a session that is not held out, in their order,
            1 together; by default all the same.
        holdout: The share of sessions that stay cold for good, 0 to 0.5.
        horizon: How many of a session's first working calls are looked at.
        description: For people.

    Raises:
        InvalidInput: A value is not one that it takes; the message names it.
        Conflict: There is an experiment of that name.
    """
    return _experiment.start_experiment(
        store,
        name,
        shares=_experiment.shares_of(arms, shares),
        holdout=holdout,
        horizon=horizon,
        description=description,
    )


def warm_for_experiment(
    store: Store,
    name: str,
    *,
    agent: str | None = None,
    **wishes: Unpack[WarmWishes],
) -> Assignment:
    """Assign a session to an arm of an experiment, and return what it is given there.

    It is to be asked before the session's first call. The same session is given the same
    again, whatever else is wished.

    Args:
        store: Where the experiment is.
        name: The experiment's.
        agent: The program that the session runs in, where known.
        **wishes: As for `starts.warm`: the session's uid, as it will be on record, and
            what it is given in the warm arm.

    Raises:
        NotFound: There is no such experiment, or no such template.
        InvalidInput: No session is named, or a wish is not one that can be met.
        Conflict: The session has made calls already, or was assigned for another target.
    """
    found = _experiment.find_experiment(store, name)
    request = warm_request(store, **wishes)
    return _experiment.assign(store, found, request, agent=agent)


def show_experiment(store: Store, name: str) -> Analysis:
    """Say what an experiment shows so far.

    Raises:
        NotFound: There is no such experiment.
    """
    return _experiment.analyse(store, _experiment.find_experiment(store, name))

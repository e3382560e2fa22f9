"""What experiments showed of templates.

An experiment speaks for a template where every warm start that it gave was of that very
version: then warm against cold is that template against nothing. Only an interval that
leaves out zero counts. It is right however often one looks, and a template is picked anew
by each who asks; a shrunk estimate of a few sessions would mostly rank luck, as it takes
hundreds of sessions to tell even a halving.
"""

from __future__ import annotations

from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.experience.experiment.analysis import analyse
from oldhand.experience.experiment.model import COLD
from oldhand.experience.experiment.rows import list_experiments
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.experience")


class Benefit(NamedTuple):
    """What an experiment showed: shares of sessions with a bad call, warm less cold.

    Attributes:
        experiment: Its name.
        low: The interval's lower end, from -1.
        high: Its upper end; below 0 is a benefit for certain, as far as anything is.
        sessions: How many sessions it rests on.
    """

    experiment: str
    low: float
    high: float
    sessions: int

    @property
    def helps(self) -> bool:
        """Whether it helps: if not, it harms, as undecided ones are not kept."""
        return self.high < 0


def measured_benefits(
    store: Store, *, clock: Clock = system_clock
) -> dict[str, Benefit]:
    """Return what is decided, by the label of a template; the newest experiment's word."""
    given: dict[int, list[str | None]] = {}
    for experiment_id, label in store.query_all(_SQL["templates_in_experiments"]):
        given.setdefault(experiment_id, []).append(label)
    found: dict[str, Benefit] = {}
    for listed in list_experiments(store):
        labels = given.get(listed.experiment.id, [])
        label = labels[0] if len(labels) == 1 else None
        if label is None or label in found:
            continue
        analysis = analyse(store, listed.experiment, clock=clock)
        for each in analysis.comparisons:
            if (each.arm, each.other) != ("warm", COLD) or not each.path:
                continue
            last = each.path[-1]
            if last.is_decided:
                found[label] = Benefit(
                    listed.experiment.name, last.low, last.high, last.sessions
                )
    return found

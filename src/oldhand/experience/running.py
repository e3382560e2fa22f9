"""Which experiment runs: what each start of a session asks, so that it reads next to nothing."""

from __future__ import annotations

from oldhand.store import Queries, Store

_SQL = Queries(__package__)


def running_experiment(store: Store) -> str | None:
    """Return the name of the experiment that was started last and still runs.

    Where none runs it is the one that was started last, if it holds sessions out: they
    stay cold for good.
    """
    row = store.query_one(_SQL["running_experiment"])
    return None if row is None else str(row[0])

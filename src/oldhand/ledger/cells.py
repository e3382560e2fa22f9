"""Cells: a skill in one version with one model of one provider.

Each has a row, found by a key that writes the four as a JSON list: NULL equals nothing in
SQL, and unknown must equal unknown here.
"""

from __future__ import annotations

from oldhand.canonical_json import canonical_json
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.ledger")


def cell_id_of(
    store: Store,
    skill: str,
    *,
    version: str | None,
    model: str | None,
    provider: str | None,
) -> int:
    """Return the id of a cell's row, made if it is not there; in the caller's transaction."""
    key = canonical_json([skill, version, model, provider])
    row = store.query_one(_SQL["cell_id"], (key,))
    if row is None:
        values = {
            "key": key, "skill": skill, "version": version, "model": model,
            "provider": provider,
        }  # fmt: skip
        row = store.query_one(_SQL["add_cell"], values)
    if row is None:  # somebody else made it meanwhile
        row = store.query_one(_SQL["cell_id"], (key,))
    return int(row[0]) if row else 0

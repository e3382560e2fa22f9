"""What must always hold between the tables, and is not held by a constraint.

Each rule is a query that finds the rows which break it.
"""

from __future__ import annotations

from typing import NamedTuple

from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")


class Flaw(NamedTuple):
    """A rule that does not hold.

    Attributes:
        rule: Its name.
        rows: How many break it.
        meaning: What that says to a person, and what to do.
    """

    rule: str
    rows: int
    meaning: str


_IMPORT_AGAIN = "`oldhand import --again` counts them anew where the files are there"
_RULES = {
    "unsound_counts": f"sessions count their messages or calls wrong; {_IMPORT_AGAIN}",
    "stray_messages": "messages belong to no session; restore a backup",
    "stray_calls": "calls belong to no message; restore a backup",
    "stray_results": f"calls point to results that are not there; {_IMPORT_AGAIN}",
    "orphan_blobs": "texts that no message holds; `oldhand db compact` removes them",
}


def find_flaws(store: Store) -> list[Flaw]:
    """Return the rules that do not hold; it reads all keys."""
    flaws = []
    for rule, meaning in _RULES.items():
        row = store.query_one(_SQL[rule])
        if row and row[0]:
            flaws.append(Flaw(rule, int(row[0]), meaning))
    return flaws

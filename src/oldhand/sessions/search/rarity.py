"""How often the words of a search occur, guessed from the newest messages that hold them.

Counting all of them would be the dear part of a search; see `store.search_rank`.
"""

from __future__ import annotations

from oldhand.sessions.search.query import SearchQuery
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")
_COUNTED = 2_000  # half a millisecond
_ONE_WORD = "1"


def counts_of(store: Store, query: SearchQuery) -> str:
    """Return about how many messages hold each wanted term, divided by spaces.

    A term that stands in more than 2,000 messages is taken to be as frequent in the older
    sessions as in the newest. One word alone is not counted: it has nothing to be compared
    with. PostgreSQL's ranking takes no such counts.
    """
    if len(query.wanted) == 1:
        return _ONE_WORD
    return " ".join(str(_count(store, term.as_fts5())) for term in query.wanted)


def _count(store: Store, match: str) -> int:
    row = store.query_one(_SQL["search_term"], {"match": match, "limit": _COUNTED})
    if row is None:
        return 1
    count, first_session, last_session = row
    if count < _COUNTED:
        return int(count)
    return int(count * last_session / (last_session - first_session + 1))

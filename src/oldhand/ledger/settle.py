"""The rows that a run leaves: its own, its skills', and what they add to the sums."""

from __future__ import annotations

from collections.abc import Sequence

from oldhand.errors import Conflict
from oldhand.ledger.links import add_links, move_links
from oldhand.ledger.model import Run, SkillUse
from oldhand.ledger.sums import add_to_sums
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.ledger")
_AT_START = (
    "source", "job", "session_uid", "model", "provider", "draw_probability",
    "started_at_us",
)  # fmt: skip
_AT_END = (
    "id", "state", "end_reason", "session_uid", "model", "provider", "ended_at_us", "duration_us",
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
    "cost_microusd", "success", "quality",
)  # fmt: skip


def start_run(
    store: Store, run: Run, uses: Sequence[SkillUse], *, key: str | None = None
) -> Run:
    """Write a run that has started, and its skills; in the caller's transaction.

    Args:
        store: With a transaction open.
        run: Looked at already.
        uses: As `links.checked_uses` returns them.
        key: What it is made of, where there must be one run of that and no more.

    Returns:
        It, with its id.
    """
    values = {name: getattr(run, name) for name in _AT_START}
    made = store.query_one(_SQL["add_run"], values | {"key": key})
    written = run._replace(id=int(made[0]) if made else 0)
    if uses:
        add_links(store, written, uses)
    return written


def settle(store: Store, closed: Run) -> None:
    """Close a run, and count it for its skills; in the caller's transaction.

    Raises:
        Conflict: It is closed already.
    """
    values = {name: getattr(closed, name) for name in _AT_END}
    if not store.execute(_SQL["close_run"], values):
        raise Conflict(f"run {closed.id}: closed already; a run is closed once")
    count(store, closed)


def count(store: Store, closed: Run) -> None:
    """Count a closed run for its skills, by the model that answered."""
    shares = [(link.cell_id, link.share) for link in move_links(store, closed)]
    if shares:
        add_to_sums(store, closed, shares)

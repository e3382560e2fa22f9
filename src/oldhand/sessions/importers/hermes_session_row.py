"""What the rows say that Hermes keeps of a whole session: origin, use, cost, revision."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from oldhand.sessions.importers.hermes_messages import HermesRow, parse_json
from oldhand.sessions.loose_values import integer_of, text_in
from oldhand.sessions.model import Relation, Usage
from oldhand.sessions.storable_text import storable

_COUNTERS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
_UNKNOWN_COST = frozenset(("", "unknown", "none"))
_MAX_USD = 1_000_000.0

# Marks in a session's model_config that name the session it came from.
_MARKS: tuple[tuple[str, Relation], ...] = (
    ("_delegate_from", "subagent"),
    ("_branched_from", "fork"),
)
# Without a mark, why the parent ended says how this one came from it.
_ENDINGS: dict[str, Relation] = {"compression": "compression", "branched": "fork"}


class Origin(NamedTuple):
    """Where a session came from.

    Attributes:
        parent: Hermes' id of the session it came from.
        relation: How; None where Hermes does not say, as after a reset.
    """

    parent: str | None = None
    relation: Relation | None = None


def origin_of(row: HermesRow) -> Origin:
    """Read where a session came from.

    Args:
        row: Of the sessions, with `parent_end_reason`: why its parent ended.
    """
    parent = text_in(row, "parent_session_id")
    config = parse_json(text_in(row, "model_config") or "")
    for mark, relation in _MARKS:
        named = text_in(config, mark) if isinstance(config, dict) else None
        if named is not None and parent in {None, named}:
            return Origin(storable(named), relation)
    if parent is None:
        return Origin()
    ending = _ENDINGS.get(text_in(row, "parent_end_reason") or "")
    if ending is None and row.get("source") == "subagent":
        ending = "subagent"
    return Origin(parent, ending)


def principal_of(row: HermesRow) -> str | None:
    """Name the user of a chat platform, as `telegram:42`; None for the local user."""
    user = text_in(row, "user_id")
    return None if user is None else f"{text_in(row, 'source') or 'chat'}:{user}"


def usage_of(rows: Iterable[HermesRow]) -> Usage | None:
    """Add up tokens over a session's models; None where nothing was counted.

    Hermes starts its counters at 0 and leaves them there where a provider reports none.
    """
    sums = [0, 0, 0, 0]
    for row in rows:
        for index, name in enumerate(_COUNTERS):
            sums[index] += max(integer_of(row.get(name)) or 0, 0)
    return Usage(*sums) if any(sums) else None


def cost_of(rows: Sequence[HermesRow]) -> float | None:
    """Add up what a session cost over its models, in US dollars.

    Returns:
        None where the cost of a model that was used is unknown: Hermes writes 0.0 for
        it, and only `cost_status` tells that from a real 0.
    """
    used = [row for row in rows if usage_of([row]) is not None or _cost(row)]
    costs = [_cost(row) for row in used]
    if not costs or None in costs:
        return None
    return sum(cost for cost in costs if cost is not None)


def revision_of(row: HermesRow) -> str:
    """Return a text that changes when anything about the session does.

    Args:
        row: Of the sessions, with the last id and the number of its messages.
    """
    values = repr(sorted((name, row[name]) for name in row))
    digest = hashlib.blake2b(values.encode("utf-8", "replace"), digest_size=12)
    return f"{row.get('last_message')}-{digest.hexdigest()}"


def _cost(row: HermesRow) -> float | None:
    """Return one row's cost: what was billed before what was estimated."""
    status = row.get("cost_status")
    if not isinstance(status, str) or status.strip().lower() in _UNKNOWN_COST:
        return None
    given = [row.get(name) for name in ("actual_cost_usd", "estimated_cost_usd")]
    amounts = [
        float(amount)
        for amount in given
        if isinstance(amount, int | float) and 0 <= amount <= _MAX_USD
    ]
    return next(
        (amount for amount in amounts if amount), amounts[0] if amounts else None
    )

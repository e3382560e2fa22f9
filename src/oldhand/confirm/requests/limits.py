"""How much an agent may ask: so many of an action in an hour, so many waiting at once.

Counted in the table, so that a restart forgets nothing, and for each requester alone, so
that one agent's flood takes nothing from another.
"""

from __future__ import annotations

from oldhand.confirm.model import Draft, Principal, Rules
from oldhand.errors import TooMany
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
_HOUR_SECONDS = 3600
_USUAL_LIMIT = (10, _HOUR_SECONDS)
_RETRY_WHEN_FULL_SECONDS = 30


def check_limits(
    store: Store,
    draft: Draft,
    *,
    requester: Principal,
    rules: Rules,
    limit: tuple[int, int] | None,
    now_us: int,
) -> None:
    """Refuse what a person would be asked too often.

    Args:
        store: Where the requests are.
        draft: What is asked.
        requester: Who asks.
        rules: Of the daemon; where they say how often, that holds.
        limit: The policy's: so many, in a window of so many seconds.
        now_us: The time, in microseconds since 1970-01-01 UTC.

    Raises:
        TooMany: With the time after which it goes on.
    """
    if rules.per_hour is not None:
        limit = (rules.per_hour, _HOUR_SECONDS)
    most, window_seconds = limit or _USUAL_LIMIT
    if most:
        _check_rate(
            store, draft, query="nth_newest", requester=requester,
            most=most, window_seconds=window_seconds, now_us=now_us, rule=None,
        )  # fmt: skip
    if rules.max_pending:
        row = store.query_one(_SQL["pending_of"], (requester.id,))
        if row and row[0] >= rules.max_pending:
            raise TooMany(
                f"{row[0]} requests of {requester.name} wait for a person already",
                window_seconds=_HOUR_SECONDS,
                retry_after_seconds=_RETRY_WHEN_FULL_SECONDS,
            )


def check_rule_limit(
    store: Store,
    draft: Draft,
    *,
    rule: str,
    limit: tuple[int, int],
    requester: Principal,
    now_us: int,
) -> None:
    """Refuse what a rule of the policy lets pass only so often.

    Args:
        store: Where the requests are.
        draft: What is asked.
        rule: Its name.
        limit: So many, in a window of so many seconds.
        requester: Who asks.
        now_us: The time, in microseconds since 1970-01-01 UTC.

    Raises:
        TooMany: With the time after which it goes on.
    """
    most, window_seconds = limit
    _check_rate(
        store, draft, query="nth_newest_by_rule", requester=requester,
        most=most, window_seconds=window_seconds, now_us=now_us, rule=rule,
    )  # fmt: skip


def _check_rate(  # noqa: PLR0913 - one statement's parameters
    store: Store,
    draft: Draft,
    *,
    query: str,
    requester: Principal,
    most: int,
    window_seconds: int,
    now_us: int,
    rule: str | None,
) -> None:
    window_us = window_seconds * 1_000_000
    values: dict[str, object] = {
        "requester_id": requester.id,
        "action": draft.action,
        "after_us": now_us - window_us,
        "offset": most - 1,
    }
    if rule is not None:
        values["rule"] = rule
    row = store.query_one(_SQL[query], values)
    if row is not None:
        raise TooMany(
            f"{requester.name} asked for {draft.action} {most} times in the last "
            f"{window_seconds} seconds; no more for now",
            window_seconds=window_seconds,
            retry_after_seconds=max(1, (row[0] + window_us - now_us) // 1_000_000 + 1),
        )

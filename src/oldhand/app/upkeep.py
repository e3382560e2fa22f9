"""Look after the database: check it, make it small, and erase what must go."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import StoreFull
from oldhand.experience.experiment import drop_assignments
from oldhand.experience.experiment import forget_sessions as forget_assignments
from oldhand.experience.shown import forget_shown
from oldhand.experience.template.forget import forget_sessions
from oldhand.sessions import payloads
from oldhand.sessions.keep import erase as _erase
from oldhand.sessions.keep import retention
from oldhand.sessions.keep.erase import ErasePlan
from oldhand.sessions.keep.leftovers import forget_leftovers, has_leftovers
from oldhand.sessions.keep.retention import PrunePlan, PruneWish
from oldhand.sessions.keep.soundness import Flaw, find_flaws
from oldhand.sessions.payloads import Compacted
from oldhand.sessions.search.index import optimize_index
from oldhand.store import Store
from oldhand.store.maintenance import (
    Rewritten,
    database_bytes,
    engine_faults,
    rewrite,
    secure_deletes,
    used_bytes,
)

_IN_FREE_PAGES = (
    "its text is still in unused parts of the file, as there is no room for writing the "
    "database anew; when there is"
)
_IN_LOG = (
    "its text is still in the write-ahead log, as another process reads the database; "
    "when that has ended"
)


class Erased(NamedTuple):
    """What an erasing did.

    Attributes:
        templates: Labels of the templates' new versions, without what was erased; a name
            alone where nothing of a template was left.
        left_in: Where the text still is, why, and when `compact` finishes; None where it
            is gone.
    """

    templates: list[str]
    left_in: str | None = None


class Shrunk(NamedTuple):
    """What compacting did.

    Attributes:
        texts: Of the texts that were moved.
        file: Of the database that was written anew.
    """

    texts: Compacted
    file: Rewritten


def check(store: Store) -> list[Flaw]:
    """Return what is wrong with the database; an empty list where nothing is.

    It reads the whole database.
    """
    faults = engine_faults(store)
    flaws = [Flaw("engine", 1, f"{fault}; restore a backup") for fault in faults]
    if not faults:
        flaws.extend(find_flaws(store))
    if has_leftovers(store):
        flaws.append(
            Flaw(
                "leftovers",
                1,
                "erased text is still in the file; `oldhand db compact` removes it",
            )
        )
    return flaws


def compact(
    store: Store,
    *,
    progress: Callable[[int], None] | None = None,
    clock: Clock = system_clock,
) -> Shrunk:
    """Compress the long texts of closed turns, and write the database anew.

    Args:
        store: What to compact.
        progress: Called with the number of sessions looked at since the last call.
        clock: Says which turns are closed.

    Raises:
        StoreFull: There is not as much free room as the database takes.
    """
    before = database_bytes(store)
    texts = payloads.compact(store, progress=progress, clock=clock)
    return Shrunk(texts, clean(store)._replace(before_bytes=before))


def erase(store: Store, plan: ErasePlan, *, clock: Clock = system_clock) -> Erased:
    """Erase what `plan_erase` found: rows, index, templates, and what pages still hold.

    The rows are gone when the transaction ends; then the database is written anew. Where
    there is no room for that, or another process reads, `left_in` says so.
    """
    uids = [session.uid for session in plan.sessions]
    if not uids:
        return Erased([])
    with secure_deletes(store), store.transaction():
        _erase.erase(store, plan, clock=clock)
        forget_assignments(store, uids)
        forget_shown(store)
        templates = forget_sessions(store, uids, clock=clock)
    try:
        is_log_empty = clean(store).is_log_empty
    except StoreFull:
        return Erased(templates, _IN_FREE_PAGES)
    return Erased(templates, None if is_log_empty else _IN_LOG)


def plan_prune(
    store: Store, wish: PruneWish, *, clock: Clock = system_clock
) -> PrunePlan:
    """Find what a prune would take; see `sessions.keep.retention.plan_prune`."""
    return retention.plan_prune(store, wish, used_bytes=used_bytes(store), clock=clock)


def prune(
    store: Store,
    plan: PrunePlan,
    *,
    progress: Callable[[int], None] | None = None,
    clock: Clock = system_clock,
) -> Rewritten:
    """Do what `plan_prune` says, and write the database anew.

    Args:
        store: What to prune.
        plan: What goes.
        progress: Called with the number of sessions done since the last call.
        clock: Gives the time of the tombstones.

    Raises:
        StoreFull: It is pruned, but there is no room for writing the database anew.
    """
    before = database_bytes(store)
    forget_shown(store)
    if plan.content is None:
        with store.transaction():
            drop_assignments(store, [session.uid for session in plan.sessions])
    retention.prune(store, plan, progress=progress, clock=clock)
    return clean(store)._replace(before_bytes=before)


def clean(store: Store) -> Rewritten:
    """Write the index and the database anew, so that nothing deleted is left in them."""
    try:
        optimize_index(store)
        rewritten = rewrite(store)
    except StoreFull as fault:
        raise StoreFull(
            f"{store.url}: no room for writing the database anew, which takes as much as it "
            "does; make room, then `oldhand db compact`"
        ) from fault
    if rewritten.is_log_empty and has_leftovers(store):
        forget_leftovers(store)
    return rewritten

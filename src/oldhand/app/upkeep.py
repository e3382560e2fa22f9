"""Look after the database: check it, make it small, and erase what must go."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.experience.template.forget import forget_sessions
from oldhand.sessions import erase as _erase
from oldhand.sessions import payloads, retention
from oldhand.sessions.erase import ErasePlan
from oldhand.sessions.leftovers import forget_leftovers, has_leftovers
from oldhand.sessions.payloads import Compacted
from oldhand.sessions.retention import PrunePlan, PruneWish
from oldhand.sessions.search_index import optimize_index
from oldhand.sessions.soundness import Flaw, find_flaws
from oldhand.store import Store
from oldhand.store.maintenance import (
    Rewritten,
    database_bytes,
    engine_faults,
    rewrite,
    secure_deletes,
    used_bytes,
)


class Erased(NamedTuple):
    """What an erasing did.

    Attributes:
        templates: Labels of the templates' new versions, without what was erased; a name
            alone where nothing of a template was left.
        is_clean: False where the text is still in the write-ahead log, because another
            process was reading: `compact` finishes when that one has ended.
    """

    templates: list[str]
    is_clean: bool


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

    The rows are gone when the transaction ends; then the database is written anew.

    Raises:
        StoreFull: The rows are gone, but there is no room for writing the database anew;
            `compact` finishes when there is.
    """
    uids = [session.uid for session in plan.sessions]
    if not uids:
        return Erased([], is_clean=True)
    with secure_deletes(store), store.transaction():
        _erase.erase(store, plan, clock=clock)
        templates = forget_sessions(store, uids, clock=clock)
    return Erased(templates, is_clean=clean(store).is_log_empty)


def plan_prune(
    store: Store, wish: PruneWish, *, clock: Clock = system_clock
) -> PrunePlan:
    """Find what a prune would take; see `sessions.retention.plan_prune`."""
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
    retention.prune(store, plan, progress=progress, clock=clock)
    return clean(store)._replace(before_bytes=before)


def clean(store: Store) -> Rewritten:
    """Write the index and the database anew, so that nothing deleted is left in them."""
    optimize_index(store)
    rewritten = rewrite(store)
    if rewritten.is_log_empty and has_leftovers(store):
        forget_leftovers(store)
    return rewritten

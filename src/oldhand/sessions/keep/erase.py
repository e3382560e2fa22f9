"""Erase sessions: their rows, their traces, and the way back in.

A subagent's session and one that a compression began speak of what their parent said, so
they go with it. Forks and resumed sessions are conversations of their own: they lose what
they shared, which belongs to the one that was first, and stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import InvalidInput
from oldhand.sessions.keep.leftovers import note_leftovers
from oldhand.sessions.keep.selection import Selected, Selection, select_sessions
from oldhand.sessions.keep.tombstones import PARTS_OF_PARENT, Tombstones
from oldhand.sessions.keep.traces import delete_sessions, sweep
from oldhand.sessions.keys import messages_of
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")


class ErasePlan(NamedTuple):
    """What an erasing will take, and what it cannot reach.

    Attributes:
        sessions: Those that were asked for, and the parts of them.
        survivors: Uids of the forks and resumed sessions of these, which stay.
        sources: Files that still hold the text; an import passes over it.
        shared_sources: Those of the files that hold sessions which stay, too.
    """

    sessions: list[Selected]
    survivors: list[str]
    sources: list[str]
    shared_sources: list[str]

    @property
    def messages(self) -> int:
        """How many messages go."""
        return sum(session.message_count for session in self.sessions)

    @property
    def calls(self) -> int:
        """How many calls go."""
        return sum(session.tool_call_count for session in self.sessions)


def plan_erase(store: Store, selection: Selection) -> ErasePlan:
    """Find what an erasing would take.

    Raises:
        InvalidInput: The selection narrows nothing.
        NotFound: A session that is named is not there.
    """
    if selection.is_all:
        raise InvalidInput(
            "nothing said of what to erase; expected a session, principal, project or time"
        )
    chosen = {session.id: session for session in select_sessions(store, selection)}
    children = _children_by_parent(store)
    survivors: list[str] = []
    to_look_at = list(chosen.values())
    while to_look_at:
        for child in children.get(to_look_at.pop().uid, ()):
            if child.relation not in PARTS_OF_PARENT:
                survivors.append(child.uid)
            elif child.id not in chosen:
                chosen[child.id] = child
                to_look_at.append(child)
    gone = {session.uid for session in chosen.values()}
    sources, shared = _sources(store, chosen)
    return ErasePlan(
        sessions=list(chosen.values()),
        survivors=sorted(set(survivors) - gone),
        sources=sources,
        shared_sources=shared,
    )


def erase(store: Store, plan: ErasePlan, *, clock: Clock = system_clock) -> None:
    """Delete what a plan names and set tombstones, inside the caller's transaction."""
    tombstones = Tombstones(store)
    at_us = clock()
    for session in plan.sessions:
        span = messages_of(session.id)._asdict()
        rows = store.query_all(_SQL["native_ids_of_session"], span)
        names = (name for _, name in rows if name is not None)
        tombstones.bury("message", names, reason="erased", at_us=at_us)
    for uid in plan.survivors:
        store.execute(_SQL["forget_parent"], {"uid": uid})
    uids = [session.uid for session in plan.sessions]
    tombstones.bury("session", uids, reason="erased", at_us=at_us)
    _hide_paths(store, tombstones, plan.sessions)
    delete_sessions(store, plan.sessions)
    sweep(store)
    note_leftovers(store)


def _children_by_parent(store: Store) -> dict[str, list[Selected]]:
    children: dict[str, list[Selected]] = {}
    for parent, *row in store.query_all(_SQL["children"]):
        children.setdefault(parent, []).append(Selected(*row))
    return children


def _sources(store: Store, chosen: dict[int, Selected]) -> tuple[list[str], list[str]]:
    """Return the files in which the sessions stand, and those of them shared by others."""
    all_paths: set[str] = set()
    shared: set[str] = set()
    for session_id in chosen:
        for source, path in _origins(store, session_id):
            if path not in all_paths:
                all_paths.add(path)
                if _others(store, source, path, chosen):
                    shared.add(path)
    return sorted(all_paths), sorted(shared)


def _origins(store: Store, session_id: int) -> list[tuple[str, str]]:
    rows = store.query_all(_SQL["origins_of"], {"session_id": session_id})
    return [(source, path) for source, path in rows]


def _others(store: Store, source: str, path: str, chosen: Iterable[int]) -> set[int]:
    rows = store.query_all(_SQL["sessions_from"], {"source": source, "path": path})
    return {row[0] for row in rows} - set(chosen)


def _hide_paths(
    store: Store, tombstones: Tombstones, sessions: Iterable[Selected]
) -> None:
    """Take the names of files out of which nothing is left: a path tells things too."""
    chosen = {session.id for session in sessions}
    for session_id in chosen:
        for source, path in _origins(store, session_id):
            if not _others(store, source, path, chosen):
                hidden = tombstones.path_name(path)
                store.execute(
                    _SQL["rename_import"],
                    {"hidden": hidden, "source": source, "path": path},
                )

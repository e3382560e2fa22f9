"""Take erased sessions out of templates, and out of the log of what was given.

A version never changes, but for this: erasing goes before. Each version that showed an
erased session loses those examples and says how many; where the newest did, a new version
without them is made, so that whoever uses the name gets one that was meant to be as it is.
A version without an example left is deleted.
"""

from __future__ import annotations

import json
from collections.abc import Collection

from oldhand.clock import Clock, system_clock
from oldhand.experience.template.model import Template
from oldhand.experience.template.rows import find_template, save_template
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.experience")


def forget_sessions(
    store: Store, uids: Collection[str], *, clock: Clock = system_clock
) -> list[str]:
    """Remove what came from some sessions, inside the caller's transaction.

    Returns:
        The labels of the new versions; the names alone of templates of which nothing is
        left.
    """
    gone = frozenset(uids)
    places: dict[int, list[int]] = {}
    for template_id, pos, session in store.query_all(_SQL["examples_by_session"]):
        if session in gone:
            places.setdefault(template_id, []).append(pos)
    stripped = [_template(store, template_id) for template_id in places]
    made = [
        label
        for name in sorted({template.name for template in stripped})
        if (label := _renew(store, name, gone, clock=clock)) is not None
    ]
    for (template_id, found), template in zip(places.items(), stripped, strict=True):
        _strip(store, template_id, found, _without(template, gone))
    _forget_uses(store, gone)
    return made


def _template(store: Store, template_id: int) -> Template:
    row = store.query_one(_SQL["template_label"], {"id": template_id})
    name, version = row or ("", 0)
    return find_template(store, f"{name}@{version}")


def _without(template: Template, gone: Collection[str]) -> Template:
    kept = tuple(e for e in template.examples if e.session not in gone)
    return template._replace(examples=kept, coverage=None)


def _renew(
    store: Store, name: str, gone: Collection[str], *, clock: Clock
) -> str | None:
    """Make a new version of a template whose newest showed an erased session."""
    newest = find_template(store, name)
    renewed = _without(newest, gone)
    if len(renewed.examples) == len(newest.examples):
        return None
    if not renewed.examples:
        return name
    return save_template(store, renewed, clock=clock).label


def _strip(store: Store, template_id: int, places: list[int], left: Template) -> None:
    if not left.examples:
        store.execute(_SQL["delete_template_row"], {"id": template_id})
        return
    store.execute_many(_SQL["delete_example"], [(template_id, pos) for pos in places])
    store.execute(
        _SQL["note_erased"],
        {"digest": left.digest, "count": len(places), "id": template_id},
    )


def _forget_uses(store: Store, gone: Collection[str]) -> None:
    """Take the sessions' names out of the log of warm starts."""
    for use_id, session, examples in store.query_all(_SQL["warm_use_sources"]):
        sources = json.loads(examples)
        kept = [pair for pair in sources if pair[0] not in gone]
        if len(kept) < len(sources) or session in gone:
            store.execute(
                _SQL["replace_warm_use_sources"],
                {
                    "session": None if session in gone else session,
                    "examples": json.dumps(kept),
                    "id": use_id,
                },
            )
